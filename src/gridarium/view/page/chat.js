// Rooms, and what is said in them.

const MOST_SHOWN = 500; // messages of a room

class Chat {
  constructor(send) {
    this.send = send;
    this.clear();
    part("say").addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(part("text").value);
    });
    part("write-to").addEventListener("change", () => this.writeTo(part("write-to").value));
    part("text").addEventListener("keydown", (event) => { if (event.key === "Escape") part("text").blur(); });
  }

  clear() {
    this.rooms = [];
    this.people = [];
    this.me = "";
    this.messages = new Map();
    this.waiting = []; // what has been said, but not been heard yet: the room or person, and the text
    this.open = 0; // the number of a room, or an agent to whom no room leads yet
    this.show();
  }

  hearRooms({ rooms, people, me }) {
    this.rooms = rooms;
    this.people = people;
    this.me = me;
    if (typeof this.open === "string") {
      const made = rooms.find((room) => room.kind === "private" && room.name === this.open);
      if (made) {
        this.waiting = this.waiting.map((each) => ({ ...each, where: each.where === this.open ? made.room : each.where }));
        this.open = made.room;
      }
    }
    this.show();
  }

  // How many messages of all rooms have not been read.
  get unread() {
    return this.rooms.reduce((sum, { unread }) => sum + unread, 0);
  }

  hear({ room, messages }) {
    const known = this.messages.get(room) ?? [];
    const last = known.at(-1)?.index ?? -1;
    const fresh = messages.filter((message) => message.index > last);
    this.messages.set(room, [...known, ...fresh].slice(-MOST_SHOWN));
    for (const { sender, text } of fresh) {
      if (sender !== this.me) continue;
      const place = this.waiting.findIndex((each) => each.text === text);
      if (place >= 0) this.waiting.splice(place, 1);
    }
    this.show();
  }

  say(text) {
    if (!text.trim() || !this.me) return;
    const to = typeof this.open === "string" ? { to: this.open } : { room: this.open };
    if (!this.send({ type: "say", text: text.trim(), ...to })) return;
    this.waiting.push({ where: this.open, text: text.trim() });
    part("text").value = "";
    this.show();
  }

  // What was said is not delivered: it can be said otherwise.
  refused(text) {
    const place = this.waiting.findLastIndex((each) => each.text === text);
    if (place >= 0) this.waiting.splice(place, 1);
    part("text").value = `${text} ${part("text").value}`.trim();
    this.show();
  }

  writeTo(agent) {
    const room = this.rooms.find((each) => each.kind === "private" && each.name === agent);
    this.choose(room ? room.room : agent);
    part("text").focus();
  }

  choose(room) {
    this.open = room;
    this.show();
  }

  show() {
    const tabs = this.rooms.map(({ room, kind, name, unread }) => this.tab(room, kind === "global" ? "All" : name, kind, unread));
    if (typeof this.open === "string") tabs.push(this.tab(this.open, this.open, "private", 0));
    part("rooms").replaceChildren(...tabs);
    part("write-to").replaceChildren(new Option("Write to …", ""), ...this.people.map((agent) => new Option(agent, agent)));
    part("write-to").hidden = !this.me || !this.people.length;
    const readOnly = this.rooms.find((each) => each.room === this.open)?.read_only ?? "";
    part("say").hidden = !this.me || Boolean(readOnly);
    part("read-only").hidden = !readOnly;
    part("read-only").textContent = readOnly;
    const log = part("said");
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40 || this.shownRoom !== this.open;
    log.replaceChildren(
      ...(this.messages.get(this.open) ?? []).map((message) => this.line(message)),
      ...this.waiting.filter((each) => each.where === this.open).map(({ text }) => this.line({ sender: this.me, text })));
    this.shownRoom = this.open;
    if (atEnd) log.scrollTop = log.scrollHeight;
    this.read();
  }

  tab(room, name, kind, unread) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(room === this.open));
    tab.title = { global: "Everybody", team: `Team ${name}`, private: `Only with ${name}` }[kind];
    tab.append(name);
    if (unread && room !== this.open) {
      const mark = document.createElement("span");
      mark.className = "unread";
      mark.setAttribute("aria-label", `${unread} unread`);
      mark.append(unread);
      tab.append(mark);
    }
    tab.addEventListener("click", () => this.choose(room));
    return tab;
  }

  line({ sender, text, tick }) {
    const item = document.createElement("li");
    item.className = sender === this.me ? "own" : "";
    if (tick === undefined) item.classList.add("waiting");
    const who = document.createElement("span");
    who.className = "sender";
    who.textContent = sender;
    const when = document.createElement("span");
    when.className = "when";
    when.textContent = tick === undefined ? "with the next tick" : `tick ${tick}`;
    item.append(who, text, when);
    return item;
  }

  read() {
    const room = this.rooms.find((each) => each.room === this.open);
    const last = this.messages.get(this.open)?.at(-1);
    if (room?.unread && last && !document.hidden) this.send({ type: "read", room: this.open, index: last.index });
  }
}
