// A live world, as somebody's agent perceives it: acts, talks, and for experimenters steers time.
"use strict";

const READS = 1; // the version of the protocol that this page understands
const SPEEDS = [0.25, 0.5, 1, 2, 4, 5, 10, 15, 20, 30, 50]; // ticks a second
const KEY_NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "Space" };
const ARROWS = {
  MoveNorth: "↑", MoveNorthEast: "↗", MoveEast: "→", MoveSouthEast: "↘", MoveSouth: "↓", MoveSouthWest: "↙", MoveWest: "←", MoveNorthWest: "↖",
  UP: "↑", RIGHT: "→", DOWN: "↓", LEFT: "←",
};
const GLIDE = 0.8; // of a tick, in which things move
const TOAST = 3000; // ms

class AgentWorld {
  constructor() {
    this.appearance = new Appearance(part("appearance"), () => {});
    this.notes = new Notes(() => this.connection.now());
    this.chat = new Chat((message) => this.connection.send(message));
    this.wire();
    this.connection = new Connection((message) => this.hear(message), (...how) => this.connected(...how));
  }

  hear(message) {
    const acts = {
      hello: () => this.meet(message), status: () => this.showStatus(message), people: () => this.showLinks(message),
      picture: () => this.picture(message), menu: () => this.openMenu(message),
      rooms: () => { this.chat.hearRooms(message); this.showTitle(); }, messages: () => this.chat.hear(message),
      failed: () => this.toast(message.text), notice: () => this.notes.notice(message.text), error: () => this.refuse(message),
      busy: () => { part("busy").hidden = false; },
    };
    if (message.type === "picture" || message.type === "error") part("busy").hidden = true;
    acts[message.type]?.();
  }

  refuse({ text, said }) {
    this.notes.complain(text);
    if (said) this.chat.refused(said);
  }

  meet(hello) {
    if (hello.protocol !== READS) return this.notes.complain("The server has another version than this page: reload the page.");
    if (this.hello && hello.session !== this.hello.session) this.notes.notice("The server was started anew: this is another run.");
    this.hello = hello;
    actionWords.known = hello.words;
    this.closeMenu();
    this.chat.clear();
    const { role, agent } = hello;
    this.showTitle();
    part("title").textContent = hello.world;
    const seen = agent ? `what ${agent} perceives` : "everything";
    const who = { player: `You play the agent ${agent}, and see what it perceives.`, experimenter: `You are the experimenter, and see ${seen}.` };
    part("task").textContent = hello.task;
    part("about").textContent = who[role] ?? `You are watching, and see ${seen}.`;
    const zoom = this.stage?.zoom;
    this.stage = new Stage(part("world"), hello, {
      point: (x, y, event) => this.point(x, y, event), leave: () => this.point(),
      click: (x, y, event) => this.click(x, y, event), menu: (x, y, event) => this.ask(x, y, event),
    });
    this.stage.zoomBy(zoom ?? (role === "player" ? this.stage.comfortable() : 1));
    this.stage.svg.classList.toggle("can-act", role === "player");
    part("time").hidden = part("links").hidden = role !== "experimenter";
    part("self").hidden = !agent;
    for (const own of document.querySelectorAll(".player, .experimenter")) own.hidden = !own.classList.contains(role);
    this.offerKeys();
  }

  showStatus(status) {
    this.status = status;
    part("play").textContent = status.playing ? "Pause" : "Start";
    const over = ["done", "stopped", "failed"].includes(status.state);
    part("play").disabled = part("step").disabled = over;
    part("stop").disabled = status.state === "stopped";
    part("speed").textContent = `${plain(1 / status.tick_duration)} ticks/s`;
    part("failing").hidden = !status.failing.length;
    part("failing").replaceChildren(...status.failing.map(failingLine));
    part("score").textContent = earnedText(status.earned, this.hello.agent);
    part("goals").closest("section").hidden = !status.goals.length && !this.hello.task && this.hello.time_limit === null;
    part("goals").replaceChildren(...status.goals.map(goalItem));
    this.showClock();
  }

  picture(picture) {
    this.tick = picture.tick;
    this.acted = false;
    this.stage.apply(picture, this.status?.playing ? GLIDE * 1000 * this.status.tick_duration : 150);
    this.showClock();
    this.showSelf();
    if (this.pointed) this.showTip();
    this.connection.send({ type: "seen" });
  }

  showClock() {
    const words = { running: "", paused: " · paused", done: " · done", stopped: " · stopped", failed: " · failed" };
    if (this.tick !== undefined && this.status) part("clock").textContent = `Tick ${this.tick}${words[this.status.state]}`;
    const limit = this.hello.time_limit;
    part("left").textContent = limit === null || this.tick === undefined ? "" : `${Math.max(0, limit - this.tick)} of ${limit} ticks are left`;
    this.stage.title.textContent = `${this.hello.world}, tick ${this.tick}. ${inWords(this.stage.objects, this.hello.agent)}`;
  }

  showSelf() {
    const { agent, role } = this.hello;
    if (!agent) return;
    const me = this.stage.objects.get(agent);
    const whose = role === "player" && me?.name.toLowerCase() !== "you" ? " (you)" : "";
    part("self-name").textContent = me ? `${me.name}${whose}` : agent;
    if (!me) {
      part("self-state").textContent = "is not in the world any more.";
      part("carries").replaceChildren();
      return;
    }
    const doing = me.agent.busy ? `busy: ${actionWords(me.agent.action ?? "")}` : "free";
    part("self-state").textContent = `${teamsOf(me.agent)}${doing} · at ${me.x}, ${me.y}`;
    part("carries").replaceChildren(me.agent.carrying.length ? "Carries" : "Carries nothing", ...me.agent.carrying.map((load) => {
      const item = document.createElement("span");
      const icon = svgElement("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, item);
      icon.append(...pictureOf({ ...load, size: 1 }));
      item.append(load.name);
      return item;
    }));
  }

  showLinks({ links }) {
    part("link-list").replaceChildren(...links.map(({ role, agent, path, pages }) => {
      const item = document.createElement("li");
      const who = document.createElement("span");
      who.className = "who";
      who.textContent = { experimenter: "Experimenter", player: agent, watcher: `Watch ${agent ?? "everything"}` }[role];
      const here = document.createElement("span");
      here.className = pages ? "here" : "quiet";
      here.textContent = pages ? (pages === 1 ? "here" : `${pages} pages`) : "not here";
      who.append(here);
      const open = document.createElement("a");
      open.href = path;
      open.target = "_blank";
      open.rel = "noopener noreferrer";
      open.textContent = "Open";
      const copy = document.createElement("button");
      copy.type = "button";
      copy.textContent = "Copy";
      copy.title = "Copy the link";
      copy.addEventListener("click", () => navigator.clipboard?.writeText(open.href).then(() => { copy.textContent = "Copied"; }));
      item.append(who, open, copy);
      return item;
    }));
  }

  connected(yes, wait, why) {
    this.notes.connected(yes, wait, why, this.hello?.command);
    part("main").inert = !yes && Boolean(this.hello);
    if (yes) return;
    this.closeMenu();
    this.chat.waiting = [];
  }

  showTitle() {
    const { agent, role, world } = this.hello;
    document.title = `${this.chat.unread ? `(${this.chat.unread}) ` : ""}${agent ?? role} · ${world}`;
  }

  // Pointing and acting.

  point(x, y, event) {
    this.pointed = event ? { x, y, left: event.clientX, top: event.clientY } : null;
    this.stage.mark(event ? [x, y] : null);
    if (event) this.showTip();
    else part("tip").hidden = true;
  }

  showTip() {
    const { x, y, left, top } = this.pointed;
    const there = this.stage.at(x, y);
    const tip = part("tip");
    tip.hidden = !there.length || !part("menu").hidden;
    if (tip.hidden) return;
    tip.replaceChildren(...there.slice(0, 6).flatMap(described));
    beside(tip, left, top);
  }

  // Says something above one's agent for a while.
  toast(text) {
    const toast = part("toast");
    toast.textContent = text;
    toast.classList.add("shown");
    const { left, top } = this.stage.placeOf(this.hello.agent);
    const { width, height } = toast.getBoundingClientRect();
    toast.style.left = `${Math.max(4, Math.min(left - width / 2, innerWidth - width - 4))}px`;
    toast.style.top = `${Math.max(4, Math.min(top - height - 6, innerHeight - height - 4))}px`;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => {
      toast.classList.remove("shown");
      toast.textContent = "";
    }, TOAST);
  }

  click(x, y, event) {
    if (!part("menu").hidden) return this.closeMenu();
    if (this.hello.role === "player") {
      this.place = { left: event.clientX, top: event.clientY };
      this.send({ type: "click", x, y });
    } else {
      this.pointed = { x, y, left: event.clientX, top: event.clientY };
      this.showTip();
    }
  }

  ask(x, y, event) {
    this.stage.mark([x, y]);
    this.place = { left: event.clientX, top: event.clientY };
    if (this.hello.role === "player") this.send({ type: "menu", x, y });
    else this.click(x, y, event);
  }

  openMenu({ menu, x, y, options }) {
    const there = this.stage.at(x, y).map((each) => each.name).join(", ");
    const about = document.createElement("p");
    about.textContent = options.length ? there || "Here" : `${there || "Here"}: nothing can be done now.`;
    const list = part("menu");
    list.replaceChildren(about, ...options.map(({ text }, option) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("role", "menuitem");
      button.textContent = text;
      button.addEventListener("click", () => {
        this.closeMenu();
        this.send({ type: "choose", menu, option });
      });
      return button;
    }));
    part("tip").hidden = true;
    list.hidden = false;
    beside(list, this.place.left, this.place.top);
    list.querySelector("button")?.focus();
  }

  closeMenu() {
    part("menu").hidden = true;
    this.stage?.mark(null);
  }

  // Keys and buttons.

  offerKeys() {
    const byAction = new Map();
    for (const [key, action] of Object.entries(this.hello.keys)) byAction.set(action, [...(byAction.get(action) ?? []), key]);
    part("act").replaceChildren(...[...byAction].map(([action, keys]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(ARROWS[action] ?? actionWords(action), keyCap(keys[0]));
      button.title = actionWords(action);
      button.setAttribute("aria-label", actionWords(action));
      button.addEventListener("click", () => this.press(keys[0]));
      return button;
    }));
    part("action-keys").replaceChildren(...[...byAction].map(([action, keys]) => {
      const item = document.createElement("li");
      item.append(...keys.flatMap((key) => [keyCap(key), " "]), actionWords(action).toLowerCase());
      return item;
    }));
  }

  key(event) {
    if (event.key === "Escape" && !part("menu").hidden) return this.closeMenu();
    if (event.ctrlKey || event.altKey || event.metaKey || !this.hello || event.target.closest("input, select, textarea")) return;
    if (!part("menu").hidden) return this.menuKey(event);
    const focused = event.target.closest("button, summary, a");
    if (focused && (event.key === " " || event.key === "Enter")) return;
    if (event.key in this.hello.keys) {
      event.preventDefault();
      return this.press(event.key, event.repeat);
    }
    if (this.hello.role !== "experimenter") return;
    const acts = {
      " ": () => this.playOrPause(), p: () => this.playOrPause(), ".": () => this.send({ type: "step" }),
      "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  menuKey(event) {
    const buttons = [...part("menu").querySelectorAll("button")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !buttons.length) return;
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length].focus();
  }

  // A key that is held down waits for each tick, so that none pile up.
  press(key, held = false) {
    if (held && this.acted) return;
    this.acted = this.send({ type: "keys", keys: [key] });
  }

  playOrPause() {
    this.send({ type: this.status.playing ? "pause" : "start" });
  }

  faster(by) {
    const speed = 1 / this.status.tick_duration;
    const next = by > 0 ? SPEEDS.find((s) => s > speed * 1.01) : SPEEDS.findLast((s) => s < speed * 0.99);
    if (next) this.send({ type: "speed", tick_duration: 1 / next });
  }

  send(message) {
    this.notes.complain("");
    this.notes.notice("");
    return this.connection.send(message);
  }

  wire() {
    const on = (id, act) => part(id).addEventListener("click", act);
    on("play", () => this.playOrPause());
    for (const type of ["step", "reset", "stop"]) on(type, () => this.send({ type }));
    on("slower", () => this.faster(-1));
    on("faster", () => this.faster(1));
    on("smaller", () => this.stage?.zoomBy(1 / 1.5));
    on("larger", () => this.stage?.zoomBy(1.5));
    on("whole", () => this.stage?.zoomBy(0));
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!event.target.closest("#menu, #world")) this.closeMenu();
    });
    document.addEventListener("visibilitychange", () => this.chat.read());
  }
}

function goalItem({ name, progress, done }) {
  const item = document.createElement("li");
  const line = document.createElement("div");
  line.className = "name";
  const reached = document.createElement("span");
  reached.className = done ? "done" : "quiet";
  reached.textContent = done ? "reached" : progress === null ? "" : `${Math.floor(100 * progress)} %`;
  line.append(name, reached);
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.value = done ? 1 : progress ?? 0;
  bar.setAttribute("aria-label", name);
  item.append(line, bar);
  return item;
}

function teamsOf({ teams }) {
  return teams.length ? `Team${teams.length > 1 ? "s" : ""} ${teams.join(", ")} · ` : "";
}

// What agents have earned: one number where it is the same for all, otherwise one's own, or each.
function earnedText(earned, own) {
  const amounts = [...new Set(Object.values(earned))];
  if (amounts.length === 1) return `Score ${plain(amounts[0])}`;
  if (own in earned) return `Score ${plain(earned[own])}`;
  return Object.entries(earned).map(([agent, amount]) => `${agent} ${plain(amount)}`).join(" · ");
}

function failingLine({ agent, tick, removed, why }) {
  const line = document.createElement("p");
  line.textContent = removed ? `${agent} failed in tick ${tick}, and was removed.` : `${agent} failed in tick ${tick}. It does nothing whenever that happens.`;
  line.append(why && ` ${why}`);
  return line;
}

// What a tooltip says about an object.
function described({ name, type, more = {}, agent }) {
  const title = document.createElement("h3");
  title.textContent = name;
  const list = document.createElement("dl");
  const say = (term, text) => {
    const what = document.createElement("dt");
    what.textContent = term;
    const how = document.createElement("dd");
    how.textContent = text;
    list.append(what, how);
  };
  if (agent) say("played by", agent.human ? "a person" : "a program");
  else if (type !== name) say("kind", type);
  if (agent) {
    if (agent.teams.length) say(agent.teams.length > 1 ? "teams" : "team", agent.teams.join(", "));
    if (agent.busy) say("busy", actionWords(agent.action ?? ""));
    if (agent.carrying.length) say("carries", agent.carrying.map((load) => load.name).join(", "));
  }
  for (const [term, text] of Object.entries(more)) say(term.replaceAll("_", " "), text);
  return [title, list];
}

// Puts something next to a point, within the window.
function beside(element, left, top) {
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(4, Math.min(left + 14, innerWidth - width - 4))}px`;
  element.style.top = `${Math.max(4, top + 14 + height > innerHeight ? top - height - 10 : top + 14)}px`;
}

// The name of an action as words: those that the server has for it, otherwise "OpenDoorAction" is "Open door".
function actionWords(name) {
  if (actionWords.known?.[name]) return actionWords.known[name];
  const words = name.replace(/(Action|Object)$/, "").replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").replaceAll("_", " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1).toLowerCase() : name;
}

// What is perceived, for those who cannot see it.
function inWords(objects, own) {
  const agents = [...objects.values()].filter((each) => each.agent);
  return agents.map(({ id, name, x, y, agent }) => {
    const holds = agent.carrying.length ? `, carries ${agent.carrying.map((load) => load.name).join(" and ")}` : "";
    return `${id === own ? "You are" : `${name} is`} at column ${x}, row ${y}${holds}.`;
  }).join(" ");
}

function plain(number) {
  return Number(number.toFixed(2)).toString();
}

function keyCap(key) {
  const cap = document.createElement("kbd");
  cap.textContent = KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return cap;
}

const page = new AgentWorld();
