// Draws what is perceived of a live world as SVG, and says where somebody points.

const LONG_PRESS = 500; // ms
const LARGEST_ZOOM = 8;
const THINGS = 80; // the depth from which on something lies on the floor, and is none of it
const WITHIN_TRIANGLE = [[0.5, 0.7], [0.34, 0.52], [0.5, 0.34], [0.66, 0.52]]; // where there is room for a label, by quarter turns
const MOST_LOAD = 3; // carried things that are drawn with their carrier

class Stage {
  // `acts`: point(x, y, event), leave(), click(x, y, event), menu(x, y, event).
  constructor(host, { width, height, background, agent }, acts) {
    this.width = width;
    this.height = height;
    this.host = host;
    this.agent = agent;
    this.background = background.color;
    this.objects = new Map();
    this.shown = new Map();
    this.depths = new Map();
    this.zoom = 1;
    this.svg = svgElement("svg", { role: "img", class: "world" });
    host.style.setProperty("--ratio", width / height);
    this.title = svgElement("title", {}, this.svg);
    svgElement("rect", { width, height, fill: background.color }, this.svg);
    if (background.image) {
      svgElement("image", { width, height, href: background.image, preserveAspectRatio: "none" }, this.svg);
    }
    const lines = [...Array(width + 1).keys()].map((x) => `M${x} 0v${height}`).concat([...Array(height + 1).keys()].map((y) => `M0 ${y}h${width}`));
    svgElement("path", { d: lines.join(""), class: "lines" }, this.svg);
    this.layers = svgElement("g", {}, this.svg);
    this.marker = svgElement("rect", { width: 1, height: 1, rx: 0.08, class: "cell", visibility: "hidden" }, this.svg);
    this.listen(acts);
    host.replaceChildren(this.svg);
    this.frame();
    new ResizeObserver(() => this.frame()).observe(this.svg);
  }

  // Takes what has changed; `glide` is for how long things move, in ms.
  apply({ changed, gone }, glide) {
    this.svg.style.setProperty("--glide", `${glide}ms`);
    for (const id of gone) {
      this.objects.delete(id);
      this.shown.get(id)?.remove();
      this.shown.delete(id);
    }
    for (const object of changed) {
      const before = this.objects.get(object.id);
      this.objects.set(object.id, object);
      this.draw(object, before);
    }
    this.frame();
  }

  at(x, y) {
    return [...this.objects.values()].filter((each) => each.x === x && each.y === y).sort((a, b) => b.depth - a.depth);
  }

  // The marked cell; none: nothing is marked.
  mark(cell) {
    this.marker.setAttribute("visibility", cell ? "visible" : "hidden");
    if (cell) this.marker.setAttribute("transform", `translate(${cell[0]} ${cell[1]})`);
  }

  draw(object, before) {
    const looks = (each) => each && JSON.stringify({ ...each, x: 0, y: 0, more: 0 });
    let group = this.shown.get(object.id);
    if (!group || looks(object) !== looks(before)) {
      const fresh = svgElement("g", { class: "moving" });
      const body = svgElement("g", { transform: `rotate(${90 * (object.agent?.turns ?? 0)} .5 .5)` }, fresh);
      body.append(...pictureOf(object));
      if (object.agent?.human) body.classList.add("person");
      else if (object.depth >= THINGS && !object.image && (object.opacity ?? 1) > 0.3 && alike(object.color, this.background)) body.classList.add("pale");
      if (object.agent) decorate(fresh, object, object.id === this.agent);
      else if (object.type === "Door" && !object.image) letter(fresh, object.color, 0.5, 0.52, object.more?.room_name?.match(/\d{1,2}$/)?.[0] ?? "");
      if (group && object.depth === before.depth) {
        group.replaceChildren(...fresh.childNodes);
      } else {
        group?.remove();
        group = fresh;
        this.shown.set(object.id, group);
        this.layer(object.depth).append(group);
      }
    }
    group.style.transform = `translate(${object.x}px, ${object.y}px)`;
  }

  layer(depth) {
    let found = this.depths.get(depth);
    if (!found) {
      found = svgElement("g");
      this.depths.set(depth, found);
      const next = [...this.depths.keys()].filter((each) => each > depth).sort((a, b) => a - b)[0];
      this.layers.insertBefore(found, next === undefined ? null : this.depths.get(next));
    }
    return found;
  }

  // Shows all of the world, or a part of it around the agent, as large as there is room for.
  frame() {
    const { width, height, host } = this;
    if (!host.clientWidth || !host.clientHeight) return;
    const tile = this.whole * this.zoom;
    const across = Math.min(width, host.clientWidth / tile);
    const down = Math.min(height, host.clientHeight / tile);
    const me = this.objects.get(this.agent) ?? { x: (width - 1) / 2, y: (height - 1) / 2 };
    const left = Math.max(0, Math.min(width - across, me.x + 0.5 - across / 2));
    const top = Math.max(0, Math.min(height - down, me.y + 0.5 - down / 2));
    this.svg.setAttribute("viewBox", `${left} ${top} ${across} ${down}`);
  }

  // The width of a cell in pixels where all of the world is shown.
  get whole() {
    return Math.min(this.host.clientWidth / this.width, this.host.clientHeight / this.height);
  }

  // The zoom at which cells are large enough for fingers, or with a mouse to be told apart.
  comfortable() {
    return (matchMedia("(pointer: coarse)").matches ? 34 : 22) / this.whole;
  }

  // 0 for all of the world.
  zoomBy(factor) {
    this.zoom = Math.max(1, Math.min(LARGEST_ZOOM, this.zoom * factor));
    this.frame();
  }

  // The cell under a pointer; nothing outside of the world.
  cell(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [x, y] = [Math.floor(point.x), Math.floor(point.y)];
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? [x, y] : null;
  }

  // Where an object is in the window, the middle of its upper edge; that of the picture if it is not there.
  placeOf(id) {
    const object = this.objects.get(id);
    const box = this.host.getBoundingClientRect();
    if (!object) return { left: box.left + box.width / 2, top: box.top };
    const { x, y } = new DOMPoint(object.x + 0.5, object.y).matrixTransform(this.svg.getScreenCTM());
    return { left: x, top: y };
  }

  listen(acts) {
    const { svg } = this;
    const tell = (name, event) => {
      const cell = this.cell(event);
      if (cell) acts[name](...cell, event);
    };
    svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") tell("point", event);
      if (this.pressed && Math.hypot(event.clientX - this.pressed.clientX, event.clientY - this.pressed.clientY) > 10) this.release();
    });
    svg.addEventListener("pointerleave", () => { this.release(); acts.leave(); });
    svg.addEventListener("contextmenu", (event) => {
      if (event.ctrlKey) return; // the browser's own
      event.preventDefault();
      if (!this.opened) tell("menu", event);
    });
    svg.addEventListener("pointerdown", (event) => {
      this.opened = false;
      if (event.pointerType === "mouse") return;
      this.pressed = event;
      this.timer = setTimeout(() => {
        this.release();
        this.opened = true;
        tell("menu", event);
      }, LONG_PRESS);
    });
    svg.addEventListener("pointerup", () => this.release());
    svg.addEventListener("pointercancel", () => this.release());
    svg.addEventListener("click", (event) => {
      if (!this.opened) tell("click", event);
      this.opened = false;
    });
  }

  release() {
    clearTimeout(this.timer);
    this.pressed = null;
  }
}

// The picture of an object in the cell at the origin, as elements of SVG.
function pictureOf(object) {
  const { shape, size, color, opacity = 1, image, subtiles, corner } = object;
  let [x, y, side] = [0, 0, 1];
  if (subtiles) {
    const [columns, rows, column, row] = subtiles;
    side = Math.min(1 / columns, 1 / rows);
    [x, y] = [column / columns, row / rows];
  }
  const inner = side * size;
  if (!corner) [x, y] = [x + (side - inner) / 2, y + (side - inner) / 2];
  if (image) return [svgElement("image", { x, y, width: inner, height: inner, href: image, opacity })];
  const paint = { fill: color, "fill-opacity": opacity };
  if (shape === 1) return [svgElement("path", { d: `M${x + inner / 2} ${y}L${x + inner} ${y + inner}H${x}Z`, ...paint })];
  if (shape === 2) return [svgElement("circle", { cx: x + inner / 2, cy: y + inner / 2, r: inner / 2, ...paint })];
  return [svgElement("rect", { x, y, width: inner, height: inner, ...paint })];
}

// Letters or a number on a thing: an agent's label, the number of a door's room.
function letter(group, color, x, y, text) {
  const small = ["", " two", " more"][Math.min([...text].length, 3) - 1] ?? "";
  const label = svgElement("text", { x, y, class: `initial${small}`, fill: readableOn(color), stroke: color }, group);
  label.textContent = text;
  return label;
}

// What is shown of an agent besides: its label, what it carries, whether it is busy, and whether it is one's own.
function decorate(group, { color, shape, size, corner, image, agent }, mine) {
  if (!image) {
    const label = letter(group, color, ...(shape === 1 ? WITHIN_TRIANGLE[agent.turns ?? 0] : [0.5, 0.52]), agent.label);
    const aside = corner ? 0 : (1 - size) / 2;
    if (size < 1) label.setAttribute("transform", `translate(${aside} ${aside}) scale(${size})`);
    if (shape === 1) label.classList.add("narrow");
  }
  if (mine) svgElement("rect", { x: 0.04, y: 0.04, width: 0.92, height: 0.92, rx: 0.18, class: "mine" }, group);
  agent.carrying.slice(0, MOST_LOAD).forEach((load, i) => {
    const small = svgElement("g", { transform: `translate(${0.66 - 0.3 * i} .66) scale(.32)`, class: "load" }, group);
    small.append(...pictureOf({ ...load, size: 1 }));
  });
  if (agent.mark && agent.busy) {
    const mark = svgElement("g", { class: "busy" }, group);
    svgElement("circle", { cx: 0.82, cy: 0.18, r: 0.15 }, mark);
    svgElement("path", { d: "M.82 .09v.09h.07" }, mark);
  }
}

// Red, green and blue of a color, 0 to 255 each.
function channels(color) {
  const digits = color.slice(1).length < 6 ? [...color.slice(1, 4)].map((d) => d + d).join("") : color.slice(1, 7);
  return [0, 2, 4].map((i) => parseInt(digits.slice(i, i + 2), 16));
}

// Whether a thing of one color is hard to see on the other.
function alike(one, other) {
  const [these, those] = [channels(one), channels(other)];
  return these.reduce((sum, value, i) => sum + Math.abs(value - those[i]), 0) < 100;
}

// Black or white, whichever is seen better on a color.
function readableOn(color) {
  const [r, g, b] = channels(color);
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#20222c" : "#ffffff";
}
