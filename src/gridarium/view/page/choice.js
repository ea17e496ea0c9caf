// What a person can choose on the board: cells that can be clicked, those that have been, and what a click would do.
"use strict";

const INSET = 0.05;

class ChoiceLayer {
  // `clicked(y, x)` for a cell that can be chosen, or cannot; `hinted(text)` for what a click would do, or "".
  constructor(renderer, header, clicked, hinted) {
    this.width = header.width;
    this.height = header.height;
    this.svg = renderer.svg;
    this.clicked = clicked;
    this.hinted = hinted;
    this.layer = svgElement("g", { class: "choice" }, this.svg);
    this.hints = new Map();
    this.pointed = null;
    this.active = false;
    this.svg.addEventListener("pointermove", (event) => this.point(this.cellAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("click", (event) => {
      this.point(this.cellAt(event));
      if (event.detail < 2) this.click(); // the second half of a double click would be the next one's move
    });
  }

  // Shows what can be chosen; null: nothing.
  show(choice) {
    const { cells = [], hints = [], picked = [] } = choice || {};
    this.active = Boolean(choice);
    this.hints = new Map(cells.map((place, i) => [place, hints[i] ?? `row ${Math.floor(place / this.width)}, column ${place % this.width}`]));
    this.layer.classList.toggle("many", 2 * cells.length > this.width * this.height);
    this.rects = new Map(cells.map((place) => [place, this.rect(place, "can")]));
    this.layer.replaceChildren(...this.rects.values(), ...picked.map((place) => this.rect(place, "picked")));
    this.point(this.pointed);
  }

  rect(place, kind) {
    const side = 1 - 2 * INSET;
    return svgElement("rect", {
      x: (place % this.width) + INSET, y: Math.floor(place / this.width) + INSET, width: side, height: side, rx: 0.12, class: kind,
    });
  }

  cellAt(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [x, y] = [Math.floor(at.x), Math.floor(at.y)];
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? y * this.width + x : null;
  }

  // Points at a cell; those that mean the same stand out with it.
  point(place) {
    this.pointed = place;
    const hint = place === null ? undefined : this.hints.get(place);
    for (const [other, rect] of this.rects || []) rect.classList.toggle("pointed", hint !== undefined && this.hints.get(other) === hint);
    this.svg.classList.toggle("choosable", hint !== undefined);
    this.hinted(hint ?? "");
  }

  move(down, right) {
    if (this.pointed === null) return this.point(Math.floor(this.height / 2) * this.width + Math.floor(this.width / 2));
    const y = (Math.floor(this.pointed / this.width) + down + this.height) % this.height;
    this.point(y * this.width + ((this.pointed % this.width) + right + this.width) % this.width);
  }

  click() {
    if (this.active && this.pointed !== null) this.clicked(Math.floor(this.pointed / this.width), this.pointed % this.width);
  }
}
