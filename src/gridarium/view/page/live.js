// Shows a world that runs in a server, and steers it.
"use strict";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const READS = 1; // the version of the protocol that this page understands
const MOST_PLOTTED = 12000;
const KEY_NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "Space", ",": "Comma", "/": "Slash", ".": "Period" };

class Live {
  constructor() {
    this.scene = null;
    this.status = null;
    this.shaded = null;
    this.seq = -1;
    this.appearance = new Appearance(part("appearance"), (theme) => this.renderer && this.renderer.setTheme(theme));
    this.notes = new Notes(() => this.connection.now());
    this.wire();
    this.connection = new Connection((message) => this.hear(message), (...how) => this.connected(...how));
  }

  // What the server says.

  hear(message) {
    const acts = {
      hello: () => this.meet(message), status: () => this.showStatus(message), choice: () => this.showChoice(message),
      sync: () => this.sync(message), frame: () => this.next(message),
      error: () => this.complain(message.text),
      notice: () => this.notes.notice(message.text),
      busy: () => { part("busy").hidden = false; },
    };
    if (["sync", "frame", "error"].includes(message.type)) part("busy").hidden = true;
    acts[message.type]?.();
  }

  meet({ protocol, session, header, policies, keys, command, asking = {}, shared = false }) {
    if (protocol !== READS) return this.complain("The server has another version than this page: reload the page.");
    this.command = command;
    if (session === this.session) return;
    if (this.session) this.notes.notice("The server was started anew: this is another run, from its beginning.");
    this.session = session;
    this.header = { ...header, asking };
    this.shared = shared;
    this.choice = null;
    this.policies = policies;
    this.keys = keys;
    this.scene = this.shown = null;
    document.title = header.name;
    part("title").textContent = header.name;
    part("about").textContent = header.description;
    this.renderer = new Renderer(part("world"), header, this.appearance.theme);
    this.layer = new ChoiceLayer(this.renderer, header,
      (y, x) => this.send({ type: "click", y, x }), (text) => this.hint(text));
    for (const name of ["views", "view-key"]) part(name).hidden = !header.agents.some(hasBody);
    part("choice").hidden = true;
    this.panel = new Status(part("status"), header);
    this.plot = new Plot(part("plot"), header, "tick");
    this.shaded = header.agents.length === 1 ? 0 : null;
    this.offer();
  }

  sync({ seq, frame, symbols, history }) {
    this.renderer.addSymbols(symbols.slice(this.renderer.symbols.length));
    this.scene = frame;
    this.seq = seq;
    this.plot.clear(history.first);
    let returns = history.returns.map((n) => n ?? 0);
    this.plot.add(null, returns);
    for (const rewards of history.rewards) {
      returns = returns.map((total, i) => total + (rewards[i] ?? 0));
      this.plot.add(rewards, returns);
    }
    this.draw();
  }

  next({ seq, frame, symbols }) {
    if (!this.scene || seq !== this.seq + 1) return this.connection.again(); // something is missing: all of it anew
    this.renderer.addSymbols(symbols);
    this.scene = nextScene(this.scene, frame);
    this.seq = seq;
    this.plot.add(this.scene.rewards, this.scene.returns);
    this.plot.forget(MOST_PLOTTED);
    this.draw();
  }

  // At most once for each picture that the screen shows.
  draw() {
    this.waiting = false;
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      if (!this.scene) return;
      this.renderer.show(this.scene, this.shaded);
      this.renderer.legend(part("legend"));
      this.panel.show(this.scene, this.renderer.symbols);
      this.plot.draw();
    });
  }

  showStatus(status) {
    this.status = status;
    const me = status.me !== null;
    part("play").textContent = status.playing ? "Pause" : "Play";
    for (const own of document.querySelectorAll(".clockwork")) own.hidden = me; // time goes on with each action
    part("speed").textContent = `${status.speed} ticks/s`;
    part("slower").disabled = status.speed <= SPEEDS[0];
    part("faster").disabled = status.speed >= SPEEDS.at(-1);
    if (document.activeElement !== part("seed")) part("seed").value = status.seed;
    part("again").checked = status.again;
    status.policies.forEach((name, i) => { part(`policy-${i}`).value = name; });
    part("play-hint").hidden = me;
    this.offerActions();
  }

  // Whether actions take arguments, which a person has to choose.
  get asks() {
    return Object.keys(this.header.asking).length > 0;
  }

  showChoice(choice) {
    this.choice = choice;
    const asked = choice.agent !== null && this.asks;
    part("choice").hidden = !choice.turn && !asked;
    part("turn").textContent = choice.turn && `${choice.turn}${asked ? ":" : ""}`;
    this.layer.show(asked ? choice : null);
    part("options").replaceChildren(...(asked ? choice.options : []).map(({ text, label }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => this.enter(text));
      return button;
    }));
    part("options").hidden = !choice.listed;
    part("entry").hidden = !asked;
    part("cancel").hidden = !choice.begun;
    part("typed").placeholder = choice.example ?? "";
    this.offerActions();
  }

  // What a click would do, in the place of what is to be chosen.
  hint(text) {
    const { choice } = this;
    part("asked").textContent = this.asks && choice && choice.agent !== null ? text || choice.prompt : "";
  }

  complain(text) {
    this.waiting = false;
    this.notes.complain(text);
  }

  connected(yes, wait, why) {
    this.notes.connected(yes, wait, why, this.command || "gridarium serve WORLD");
    part("main").inert = !yes && Boolean(this.header);
  }

  // What the page offers.

  offer() {
    const { header } = this;
    part("main").classList.toggle("many", header.agents.length > 2);
    part("policies").replaceChildren(...header.agents.map((_, i) => {
      const label = document.createElement("label");
      const select = document.createElement("select");
      select.id = `policy-${i}`;
      select.append(...this.policies[i].map((name) => new Option(name === "me" ? "me (keyboard)" : name, name)));
      select.addEventListener("change", () => {
        const beside = this.shared ? { beside: true } : {};
        this.send({ type: "policy", agent: i, name: select.value, ...beside });
        if (select.value === "me") select.blur(); // the arrow keys now move the agent
      });
      label.append(`Policy of ${header.agents[i].name}`, select);
      return label;
    }));
    this.views = [null, ...header.agents.keys()];
    part("shade").replaceChildren(new Option("nobody", ""),
      ...header.agents.map((_, i) => new Option(header.agents[i].name, i)));
    this.shade(this.shaded);
  }

  // The buttons and keys of the agent that a person plays; of several the one whose turn it is.
  offerActions() {
    const { choice } = this;
    const me = choice?.agent ?? this.status?.me ?? null;
    const possible = choice ? choice.actions ?? [] : null; // none while it is another's turn
    const offered = JSON.stringify([this.session, me, possible]);
    if (this.offered === offered) return;
    this.offered = offered;
    const keys = me === null ? {} : this.keys[me];
    const single = this.asks && Object.keys(keys).length === 1; // nothing else to choose
    this.bound = {};
    part("act").hidden = me === null || single;
    part("choice-keys").hidden = me === null || !this.asks;
    if (single) return part("action-keys").replaceChildren();
    part("act").replaceChildren(...Object.entries(keys).map(([name, own]) => {
      for (const key of own) this.bound[key] = name;
      const button = document.createElement("button");
      button.type = "button";
      button.append(wordsOf(this.header, name), ...own.slice(0, 1).map(keyCap));
      button.disabled = possible !== null && !possible.includes(name);
      button.addEventListener("click", () => this.act(name));
      return button;
    }));
    part("action-keys").replaceChildren(...Object.entries(keys).map(([name, own]) => {
      const item = document.createElement("li");
      item.append(...own.flatMap((key) => [keyCap(key), " "]), wordsOf(this.header, name).toLowerCase());
      return item;
    }));
  }

  shade(agent) {
    this.shaded = agent;
    part("shade").value = agent ?? "";
    if (this.scene) this.draw();
  }

  wire() {
    const on = (id, act) => part(id).addEventListener("click", act);
    on("play", () => this.playOrPause());
    on("step", () => this.send({ type: "step" }));
    on("back", () => this.send({ type: "back" }));
    on("slower", () => this.faster(-1));
    on("faster", () => this.faster(1));
    on("following", () => this.following());
    part("again").addEventListener("change", (event) => this.send({ type: "again", value: event.target.checked }));
    part("shade").addEventListener("change", (event) => this.shade(event.target.value === "" ? null : Number(event.target.value)));
    part("begin").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send({ type: "reset", seed: Number(part("seed").value) });
      part("seed").blur();
    });
    on("cancel", () => this.send({ type: "cancel" }));
    part("entry").addEventListener("submit", (event) => {
      event.preventDefault();
      if (part("typed").value.trim()) this.enter(part("typed").value);
      part("typed").value = "";
      part("typed").blur();
    });
    part("typed").addEventListener("keydown", (event) => { if (event.key === "Escape") part("typed").blur(); });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.status) return;
    const focused = event.target.closest("button, select, summary, input");
    if (focused && (focused.matches("select, input") || event.key === " " || event.key === "Enter")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const acts = {
      " ": () => this.playOrPause(), p: () => this.playOrPause(), ".": () => this.send({ type: "step" }),
      Backspace: () => this.send({ type: "back" }),
      r: () => this.send({ type: "reset" }), n: () => this.following(),
      "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1),
      v: () => this.shade(this.views[(this.views.indexOf(this.shaded) + 1) % this.views.length]),
    };
    const own = this.bound && this.bound[key];
    const act = this.choosing(key, own) || (own ? () => this.act(own, event.repeat) : acts[key]);
    if (!act) return;
    event.preventDefault();
    act();
  }

  // What a key does for the choice of an action with arguments; nothing, if it is none of those or has another meaning.
  choosing(key, own) {
    const { choice } = this;
    if (!choice || choice.agent === null || !this.asks) return null;
    if (key === "Escape") return choice.begun ? () => this.send({ type: "cancel" }) : null;
    if (own && !choice.begun) return null;
    if (/^[0-9]$/.test(key)) {
      if (choice.digits.includes(key)) return () => this.enter(key);
      return () => { part("typed").focus(); part("typed").value = key; };
    }
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!choice.cells.length) return null;
    if (moves[key]) return () => this.layer.move(...moves[key]);
    return key === " " ? () => this.layer.click() : null;
  }

  // What is asked of the server.

  send(message) {
    this.complain("");
    this.notes.notice("");
    return this.connection.send(message);
  }

  // A key that is held down waits for each tick, so that none pile up on a slow connection.
  act(name, held = false) {
    if (held && this.waiting) return;
    if (this.header.asking[name]) this.enter(name);
    else this.waiting = this.send({ type: "act", action: name });
  }

  enter(text) {
    this.send({ type: "enter", text });
  }

  playOrPause() {
    if (this.status && this.status.me === null) this.send({ type: this.status.playing ? "pause" : "play" });
  }

  following() {
    this.send({ type: "reset", seed: this.status.seed + 1 });
  }

  faster(by) {
    const { speed } = this.status;
    const next = by > 0 ? SPEEDS.find((s) => s > speed) : SPEEDS.findLast((s) => s < speed);
    if (next) this.send({ type: "speed", value: next });
  }
}

function keyCap(key) {
  const cap = document.createElement("kbd");
  cap.textContent = KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return cap;
}

const live = new Live();
