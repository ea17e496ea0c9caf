// A socket that comes back by itself. The server keeps the world, so nothing is lost meanwhile.

const SILENCE = 30000; // ms without a word from the server after which it is taken to be gone
const WAITS = [300, 600, 1200, 2500, 4000];

class Connection {
  // `heard(message)` for each message; `changed(connected, ms until the next attempt, why)` when it is lost or back.
  constructor(heard, changed) {
    this.heard = heard;
    this.changed = changed;
    this.failures = 0;
    addEventListener("online", () => this.now());
    addEventListener("pageshow", () => this.now());
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const address = new URL("session", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (event) => {
      this.listen(socket);
      if (this.failures !== 0 || !this.connected) {
        this.failures = 0;
        this.connected = true;
        this.changed(true);
      }
      this.heard(JSON.parse(event.data));
    };
    socket.onclose = (event) => this.lost(socket, event.reason);
    this.listen(socket);
  }

  listen(socket) {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => { socket.close(); this.lost(socket, ""); }, SILENCE);
  }

  lost(socket, why) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.connected = false;
    clearTimeout(this.watchdog);
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.connect(), wait);
    this.changed(false, wait, why);
  }

  now() {
    if (!this.socket) this.connect();
  }

  again() {
    if (this.socket) this.socket.close();
  }

  // Whether a message could be sent.
  send(message) {
    const open = this.connected && this.socket && this.socket.readyState === WebSocket.OPEN;
    if (open) this.socket.send(JSON.stringify(message));
    return Boolean(open);
  }
}
