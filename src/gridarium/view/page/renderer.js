// Draws frames as SVG. A scene is a frame with all that it shows; frames.py says what is in it.

const SVG = "http://www.w3.org/2000/svg";
const HELD = 7 / 16;
const HATCH_WIDTH = 0.07;
const STRIPES = [[0, 0.25, 0.25], [0, 0.75, 0.75], [0.25, 1, 0.75], [0.75, 1, 0.25]]; // as in svg.py: from where, how far

const part = (id) => document.getElementById(id);

// After something was used by pointer, keys belong to the page again; who uses the keyboard keeps the place.
addEventListener("pointerdown", () => document.body.classList.add("pointing"), true);
addEventListener("keydown", () => document.body.classList.remove("pointing"), true);
for (const used of ["click", "change"]) {
  addEventListener(used, (event) => {
    const { target } = event;
    const chosen = used === "change" ? target.matches("select, [type=range]") : target.closest("button, summary, [type=checkbox]");
    if (chosen && document.body.classList.contains("pointing")) document.activeElement.blur();
  });
}

function svgElement(name, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// The scene after a frame that says only what has changed.
function nextScene(scene, frame) {
  const { cells, ...changed } = frame;
  const next = { ...scene, ...changed };
  if (cells) {
    next.grid = scene.grid.slice();
    for (const [place, symbol] of cells) next.grid[place] = symbol;
  }
  return next;
}

class Renderer {
  constructor(host, header, theme) {
    this.header = header;
    this.theme = theme;
    this.symbols = [];
    this.shown = null;
    this.shaded = null;
    const { width, height, line } = header; // cells have lines at the left and above only: those at the edge are not shown
    this.svg = svgElement("svg", { viewBox: `${line} ${line} ${width - line} ${height - line}`, role: "img", class: "world" });
    host.style.setProperty("--ratio", width / height);
    this.title = svgElement("title", {}, this.svg);
    this.definitions = svgElement("defs", {}, this.svg);
    this.floor = svgElement("rect", { width, height }, this.svg);
    const cells = svgElement("g", {}, this.svg);
    this.cells = Array.from({ length: width * height }, (_, i) =>
      svgElement("use", { x: i % width, y: Math.floor(i / width) }, cells));
    this.walls = svgElement("path", { "stroke-width": 1 / 8, "stroke-linecap": "square", fill: "none" }, this.svg);
    this.veil = svgElement("path", { "shape-rendering": "crispEdges" }, this.svg);
    this.stripes = svgElement("path", { "stroke-width": HATCH_WIDTH, fill: "none" }, this.svg);
    this.agents = header.agents.map(() => {
      const whole = svgElement("g", { class: "agent" }, this.svg);
      const body = svgElement("g", {}, whole);
      const label = svgElement("g", {}, whole);
      const corner = svgElement("g", { transform: `translate(${1 - HELD} ${1 - HELD}) scale(${HELD})` }, whole);
      return { whole, body, label, held: svgElement("use", {}, corner), turns: null, symbol: null };
    });
    this.paint();
    host.replaceChildren(this.svg);
  }

  addSymbols(symbols) {
    for (const symbol of symbols) {
      const drawn = svgElement("g", { id: `symbol-${this.symbols.length}` }, this.definitions);
      drawn.innerHTML = symbol[this.theme];
      this.symbols.push(symbol);
    }
  }

  setTheme(theme) {
    this.theme = theme;
    this.symbols.forEach((symbol, i) => { this.definitions.children[i].innerHTML = symbol[theme]; });
    this.paint();
    if (this.shown) this.show(this.shown, this.shaded);
  }

  paint() {
    const colors = this.header.themes[this.theme];
    this.floor.setAttribute("fill", colors.floor);
    this.walls.setAttribute("stroke", colors.wall);
    this.veil.setAttribute("fill", colors.veil);
    this.veil.setAttribute("opacity", colors.veiled);
    this.stripes.setAttribute("stroke", colors.veil);
    this.stripes.setAttribute("opacity", colors.striped);
    this.agents.forEach((agent, i) => {
      agent.body.innerHTML = this.header.agents[i][this.theme].body;
      agent.turns = null;
    });
  }

  // Shows a scene; what agent number `shaded` does not see is darkened (null: nothing is).
  show(scene, shaded = null) {
    const before = this.shown ? this.shown.grid : [];
    scene.grid.forEach((symbol, i) => {
      if (symbol !== before[i]) this.cells[i].setAttribute("href", `#symbol-${symbol}`);
    });
    const at = (place) => [place % this.header.width, Math.floor(place / this.header.width)];
    this.walls.setAttribute("d", (scene.walls || []).map(([place, bits]) => {
      const [x, y] = at(place);
      return (bits & 1 ? `M${x + 1} ${y}v1` : "") + (bits & 2 ? `M${x} ${y + 1}h1` : "");
    }).join(""));
    scene.agents.forEach((row, i) => this.place(i, row));
    const seen = shaded === null ? null : (scene.seen || [])[shaded];
    const dark = seen ? this.unseen(seen) : [];
    this.veil.setAttribute("d", dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join(""));
    this.stripes.setAttribute("d", dark.flatMap(([x, y]) =>
      STRIPES.map(([dx, dy, r]) => `M${x + dx} ${y + dy}l${r} ${-r}`)).join(""));
    this.title.textContent = inWords(this.header, this.symbols, scene);
    this.shown = scene;
    this.shaded = shaded;
  }

  place(i, [y, x, turns, held, active]) {
    const agent = this.agents[i];
    const pictures = this.header.agents[i][this.theme];
    const inside = active && x >= 0 && y >= 0 && x < this.header.width && y < this.header.height;
    agent.whole.style.display = inside ? "" : "none";
    agent.whole.setAttribute("transform", `translate(${x} ${y})`);
    if (agent.turns !== turns) {
      agent.body.setAttribute("transform", `rotate(${this.header.headings ? 90 * turns : 0} .5 .5)`);
      agent.label.innerHTML = pictures.labels[turns];
      agent.turns = turns;
    }
    if (held < 0) agent.held.removeAttribute("href");
    else agent.held.setAttribute("href", `#symbol-${held}`);
  }

  unseen(bits) {
    const dark = [];
    for (let i = 0; i < this.cells.length; i++) {
      const seen = (parseInt(bits[i >> 2], 16) >> (3 - (i & 3))) & 1;
      if (!seen) dark.push([i % this.header.width, Math.floor(i / this.header.width)]);
    }
    return dark;
  }

  // What stands in the world or is held, each with its picture: one, where it has several on a board.
  legend(host) {
    const used = new Set([...this.shown.grid, ...this.shown.agents.filter((a) => a[4] && a[3] >= 0).map((a) => a[3])]);
    const named = new Map([...used].reverse().map((number) => [this.symbols[number].name, number]));
    const shown = [...named.values()].reverse();
    const key = shown.join(" ");
    if (this.listed === key) return;
    this.listed = key;
    host.replaceChildren(...shown.map((number) => {
      const entry = document.createElement("li");
      const picture = svgElement("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, entry);
      svgElement("use", { href: `#symbol-${number}` }, picture);
      entry.append(this.symbols[number].name);
      return entry;
    }));
  }
}

const HEADINGS = ["up", "right", "down", "left"];

// A scene for those who cannot see it.
function inWords(header, symbols, scene) {
  const agents = scene.agents.map(([y, x, turns, held, active], i) => {
    if (header.agents[i].body === false) return header.agents[i].name;
    if (!active) return `${header.agents[i].name} is gone`;
    const holding = held < 0 ? "" : `, holds ${symbols[held].name}`;
    const facing = header.headings ? `, faces ${HEADINGS[turns]}` : "";
    return `${header.agents[i].name} at row ${y}, column ${x}${facing}${holding}`;
  });
  return `${header.name}, tick ${scene.tick}. ${agents.join(". ")}.`;
}
