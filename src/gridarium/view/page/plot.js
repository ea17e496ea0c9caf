// Rewards and returns over time: two small charts, one above the other, along which one can move.

const CHART = { left: 44, right: 8, top: 18, height: 64, gap: 26, bottom: 20 };
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];

class Plot {
  // `pick(i)` is called with the frame that somebody points at; without it the plot is only looked at.
  constructor(host, header, unit, pick = null) {
    this.unit = unit; // what is counted along the axis
    this.host = host;
    this.header = header;
    this.clear();
    this.svg = svgElement("svg", { class: "plot", role: "img", "aria-label": "Rewards and returns over time" });
    host.replaceChildren(this.svg, this.legend());
    if (pick) {
      const point = (event) => {
        if (event.type === "pointerdown") this.svg.setPointerCapture(event.pointerId);
        if (event.buttons) pick(this.frameAt(event.clientX - this.svg.getBoundingClientRect().left));
      };
      this.svg.classList.add("pickable");
      this.svg.addEventListener("pointerdown", point);
      this.svg.addEventListener("pointermove", point);
    }
    new ResizeObserver(() => this.draw()).observe(host);
  }

  clear(first = 0) {
    this.first = first; // the tick of the first entry
    this.rewards = [];
    this.returns = [];
    this.begins = [];
    this.cursor = null;
  }

  // Rewards of one frame, for each agent, or null where an episode begins.
  add(rewards, returns) {
    if (rewards === null) this.begins.push(this.rewards.length);
    this.rewards.push((rewards || returns.map(() => 0)).map((n) => n ?? 0));
    this.returns.push(returns.map((n) => n ?? 0));
  }

  // Keeps about the last `most` frames.
  forget(most) {
    const extra = this.rewards.length - most;
    if (extra < most / 10) return;
    this.rewards.splice(0, extra);
    this.returns.splice(0, extra);
    this.begins = this.begins.map((i) => i - extra).filter((i) => i >= 0);
    this.first += extra;
  }

  frameAt(x) {
    const share = (x - CHART.left) / Math.max(1, this.width - CHART.left - CHART.right);
    return Math.max(0, Math.min(this.rewards.length - 1, Math.round(share * this.span())));
  }

  span() {
    return Math.max(1, this.rewards.length - 1);
  }

  moveTo(frame) {
    this.cursor = frame;
    this.mark(frame);
  }

  mark(frame) {
    const line = this.svg.querySelector(".cursor");
    if (!line) return;
    const x = this.x(frame);
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }

  x(frame) {
    return CHART.left + (frame / this.span()) * (this.width - CHART.left - CHART.right);
  }

  draw() {
    this.width = Math.max(160, this.host.clientWidth);
    const height = CHART.top + 2 * CHART.height + CHART.gap + CHART.bottom;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.svg.setAttribute("height", height);
    this.svg.replaceChildren();
    this.chart(CHART.top, "Return", this.returns, true);
    this.chart(CHART.top + CHART.height + CHART.gap, "Reward", this.rewards, false);
    for (const begin of this.begins.slice(1)) {
      svgElement("line", { x1: this.x(begin), x2: this.x(begin), y1: CHART.top, y2: height - CHART.bottom, class: "begin" }, this.svg);
    }
    this.words(this.width - CHART.right, height - 4, `${this.unit} ${this.rewards.length - 1 + this.first}`, "end");
    this.words(CHART.left, height - 4, String(this.first), "start");
    svgElement("line", { y1: CHART.top - 4, y2: height - CHART.bottom + 2, class: "cursor" }, this.svg);
    this.mark(this.cursor ?? this.rewards.length - 1);
  }

  chart(top, name, rows, joined) {
    const flat = rows.flat();
    const high = flat.reduce((a, b) => Math.max(a, b), 0);
    const low = flat.reduce((a, b) => Math.min(a, b), 0);
    const y = (value) => top + CHART.height * (high === low ? 0.5 : (high - value) / (high - low));
    this.words(CHART.left, top - 6, name, "start", "name");
    const right = this.width - CHART.right;
    svgElement("line", { x1: CHART.left, x2: right, y1: y(0), y2: y(0), class: "zero" }, this.svg);
    const marked = high === low ? [0] : [...new Set([high, 0, low])];
    for (const value of marked) {
      if (value === 0 && Math.min(y(0) - top, top + CHART.height - y(0)) < 12 && marked.length > 2) continue;
      this.words(CHART.left - 6, y(value) + 4, plainNumber(value), "end");
    }
    this.header.agents.forEach((agent, i) => {
      const style = { ...strokeOf(agent, i), class: joined ? "line" : "stems" };
      svgElement("path", { d: joined ? this.line(rows, i, y) : this.stems(rows, i, y), ...style }, this.svg);
    });
  }

  // Which curve is whose, where the table does not show names in the colors of the curves.
  legend() {
    const list = document.createElement("ul");
    list.className = "legend curves";
    const { agents } = this.header;
    list.append(...(agents.every(hasBody) ? [] : agents).map((agent, i) => {
      const entry = document.createElement("li");
      const sample = svgElement("svg", { viewBox: "0 0 32 8", class: "plot", "aria-hidden": "true" }, entry);
      svgElement("path", { d: "M0 4h32", ...strokeOf(agent, i), class: "line" }, sample);
      entry.append(agent.name);
      return entry;
    }));
    return list;
  }

  // No more points than pixels: of those that share one, the lowest and the highest.
  line(rows, agent, y) {
    let path = "";
    let last = null;
    this.columns(rows, agent, (x, low, high, end, begins) => {
      path += begins || path === "" ? `M${x} ${y(end)}` : `L${x} ${y(high)}L${x} ${y(low)}L${x} ${y(end)}`;
      last = [x, y(end)];
    });
    return last && rows.length === 1 ? `${path}h2` : path;
  }

  stems(rows, agent, y) {
    let path = "";
    const aside = 2 * (agent - (this.header.agents.length - 1) / 2);
    this.columns(rows, agent, (x, low, high) => {
      if (low < 0) path += `M${x + aside} ${y(0)}V${y(low)}`;
      if (high > 0) path += `M${x + aside} ${y(0)}V${y(high)}`;
    });
    return path;
  }

  columns(rows, agent, draw) {
    const begins = new Set(this.begins);
    let column = null;
    const flush = () => column && draw(column.x, column.low, column.high, column.end, column.begins);
    rows.forEach((row, i) => {
      const x = Math.round(2 * this.x(i)) / 2;
      const value = row[agent];
      if (column && column.x === x && !begins.has(i)) {
        column.low = Math.min(column.low, value);
        column.high = Math.max(column.high, value);
        column.end = value;
        return;
      }
      flush();
      column = { x, low: value, high: value, end: value, begins: begins.has(i) };
    });
    flush();
  }

  words(x, y, text, anchor, kind = "") {
    svgElement("text", { x, y, "text-anchor": anchor, class: kind }, this.svg).textContent = text;
  }
}

function strokeOf(agent, i) {
  return { stroke: agent.color, "stroke-dasharray": DASHES[i % DASHES.length] };
}
