// Plays a replay that is part of the page.

const SPEEDS = [0.5, 1, 2, 4, 6, 10, 20, 40, 60];
const READS = 1; // the version of replays that this page understands

class Replay {
  constructor(replay) {
    this.frames = replay.frames;
    this.last = this.frames.length - 1;
    this.keys = Object.keys(this.frames[0]);
    this.at = -1;
    this.scene = null;
    this.begins = this.frames.flatMap((frame, i) => (frame.actions === null ? [i] : []));
  }

  // The scene of frame i, from the nearest full frame before it on.
  go(i) {
    if (i === this.at) return this.scene;
    let from = i > this.at && this.at >= 0 && i - this.at < 50 ? this.at + 1 : this.fullFrame(i);
    for (; from <= i; from++) this.scene = nextScene(this.scene, this.frames[from]);
    this.at = i;
    return this.scene;
  }

  fullFrame(i) {
    while (i > 0 && !this.keys.every((key) => key in this.frames[i])) i--;
    return i;
  }
}

class Player {
  constructor(replay, header, symbols) {
    this.replay = replay;
    this.header = header;
    this.symbols = symbols;
    this.frame = 0;
    this.playing = false;
    this.speed = 4;
    this.shaded = header.agents.length === 1 ? 0 : null;
    const theme = document.documentElement.dataset.theme || "light";
    this.renderer = new Renderer(part("world"), header, theme);
    this.renderer.addSymbols(symbols);
    this.status = new Status(part("status"), header);
    this.plot = new Plot(part("plot"), header, "frame", (i) => this.show(i));
    for (let i = 0; i <= replay.last; i++) {
      const scene = replay.go(i);
      this.plot.add(scene.rewards, scene.returns);
    }
    this.wire();
    part("slider").max = replay.last;
    part("episode-keys").hidden = replay.begins.length < 2;
    this.showSpeed();
    this.show(0);
  }

  wire() {
    const on = (id, act) => part(id).addEventListener("click", act);
    on("play", () => this.toggle());
    on("first", () => this.show(0));
    on("last", () => this.show(this.replay.last));
    on("back", () => this.show(this.frame - 1));
    on("next", () => this.show(this.frame + 1));
    on("slower", () => this.faster(-1));
    on("faster", () => this.faster(1));
    part("slider").addEventListener("input", (event) => this.show(Number(event.target.value)));
    this.offerViews();
    document.addEventListener("keydown", (event) => this.key(event));
  }

  offerViews() {
    const select = part("shade");
    const viewed = this.header.agents.map((_, i) => i).filter((i) => (this.replay.go(0).seen || [])[i]);
    this.views = [null, ...viewed];
    if (!viewed.length) this.shaded = null;
    part("views").hidden = part("view-keys").hidden = !viewed.length;
    select.append(new Option("nobody", ""), ...viewed.map((i) => new Option(this.header.agents[i].name, i)));
    select.value = this.shaded ?? "";
    select.addEventListener("change", () => this.shade(select.value === "" ? null : Number(select.value)));
  }

  shade(agent) {
    this.shaded = agent;
    part("shade").value = agent ?? "";
    this.renderer.show(this.replay.scene, agent);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const focused = event.target.closest("button, select, summary, input");
    const own = focused && (event.key === " " || event.key === "Enter" || focused.matches("select, input"));
    if (own && !(focused.matches("input") && event.key === " ")) return;
    const { frame, replay } = this;
    const acts = {
      " ": () => this.toggle(), ArrowLeft: () => this.show(frame - 1), ArrowRight: () => this.show(frame + 1),
      Home: () => this.show(0), End: () => this.show(replay.last), "+": () => this.faster(1), "=": () => this.faster(1),
      "-": () => this.faster(-1), v: () => this.shade(this.views[(this.views.indexOf(this.shaded) + 1) % this.views.length]),
      PageDown: () => this.show(replay.begins.find((b) => b > frame) ?? replay.last),
      PageUp: () => this.show(replay.begins.findLast((b) => b < frame) ?? 0),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  toggle() {
    if (!this.playing && this.frame === this.replay.last) this.show(0);
    this.playing = !this.playing;
    part("play").textContent = this.playing ? "Pause" : "Play";
    this.due = performance.now() + 1000 / this.speed;
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    const steps = Math.floor(((now - this.due) * this.speed) / 1000) + 1;
    if (steps > 0) {
      this.due = Math.max(this.due + (1000 * steps) / this.speed, now);
      this.show(this.frame + steps);
      if (this.frame === this.replay.last) return this.toggle();
    }
    requestAnimationFrame((later) => this.tick(later));
  }

  faster(by) {
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + by))];
    this.showSpeed();
  }

  showSpeed() {
    part("speed").textContent = `${this.speed} ticks/s`;
    part("slower").disabled = this.speed === SPEEDS[0];
    part("faster").disabled = this.speed === SPEEDS.at(-1);
  }

  show(i) {
    this.frame = Math.max(0, Math.min(this.replay.last, i));
    const scene = this.replay.go(this.frame);
    this.renderer.show(scene, this.shaded);
    this.renderer.legend(part("legend"));
    this.status.show(scene, this.symbols);
    this.plot.moveTo(this.frame);
    const { begins } = this.replay;
    const number = begins.filter((b) => b <= this.frame).length;
    const episode = begins.length > 1 ? `, episode ${number} of ${begins.length}` : "";
    part("title").textContent = (this.header.titles || [])[number - 1] || this.header.title;
    part("place").textContent = `${this.frame} of ${this.replay.last}${episode}`;
    const slider = part("slider");
    slider.value = this.frame;
    slider.setAttribute("aria-valuetext", `tick ${scene.tick}${episode}`);
    for (const id of ["first", "back"]) part(id).disabled = this.frame === 0;
    for (const id of ["next", "last"]) part(id).disabled = this.frame === this.replay.last;
  }
}

function say(text) {
  const note = part("note");
  note.textContent = text;
  note.hidden = !text;
  note.classList.remove("late");
}

function open(replay) {
  say(""); // what the page says as long as this script has not run
  if (replay.format !== "gridarium replay" || replay.version > READS) return say("This replay is in a format that its page cannot read.");
  if (!replay.frames.length) return say("There is nothing in this replay.");
  part("about").textContent = replay.header.description;
  if (replay.header.left_out) say(`This is the beginning: ${replay.header.left_out} further frames are not in this file.`);
  const player = new Player(new Replay(replay), replay.header, replay.symbols);
  new Appearance(part("appearance"), (theme) => player.renderer.setTheme(theme));
}

open(JSON.parse(part("replay").textContent));
