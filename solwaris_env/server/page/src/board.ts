// The board: an isometric drawing of what a view holds, and the events of a step in motion.

import { play, type Stage } from "./animation.ts";
import { entityOf } from "./describe.ts";
import { drawing, raise, reducedMotion, s } from "./dom.ts";
import { at, bonus, CAMP_COLOURS, cliff, diamond, figure, figureHeight, palette, scenery, TILE, trap } from "./figures.ts";
import { cellsWhere, index, isFloor, isObstacle, terrain } from "./geometry.ts";
import type { Catalogue, Cell, Entity, GameEvent, MapSheet, Marks, View } from "./types.ts";

export interface BoardHandlers {
  hover?(cell: Cell | null): void;
  select?(cell: Cell, touch: boolean): void;
}

export interface Forecast {
  cell: Cell;
  text: string;
  besides?: string[]; // what else goes, below
  critical?: string; // the same for a critical hit, below
  kind: "damage" | "heal" | "lethal" | "path";
}

export interface Board {
  /** Show a view at once. */
  show(view: View): void;
  /** Play events one after the other, then show the view they led to. */
  animate(events: readonly GameEvent[], view: View): Promise<void>;
  /** Mark cells; what is left out is no longer marked. */
  mark(marks: Partial<Marks>): void;
  /** Write over cells what would happen there. */
  forecast(labels: readonly Forecast[]): void;
  /** Leave nothing written over the board. */
  clear(): void;
  /** Put the keyboard's cursor on a cell. */
  cursor(cell: Cell | null): void;
  /** Name a cell's hit target for a screen reader. */
  describe(cell: Cell, text: string): void;
  /** Draw larger or smaller; 0 fits the whole map. */
  zoom(factor: number): void;
  /** Scroll so that a cell can be seen. */
  reveal(cell: Cell): void;
  /** How many times faster animations play. */
  speed(factor: number): void;
  destroy(): void;
}

const KINDS: readonly (keyof Marks)[] = ["zone", "reach", "range", "targets", "area", "path"];
const LEAST_TILE = 46; // pixels: what a finger can hit
const BAR = 40;

function translate(cell: Cell): string {
  const { x, y } = at(cell);
  return `translate(${x}px, ${y}px)`;
}

/** A fighter's drawing with its bars. */
class Piece {
  readonly root: SVGGElement;
  readonly kind: string;
  cell: Cell | null = null;
  readonly #bar: SVGRectElement;
  readonly #armour: SVGRectElement;
  readonly #number: SVGTextElement;
  readonly #signs: SVGGElement;
  #hp = 0;
  #most = 1;

  constructor(entity: Entity) {
    this.kind = entity.kind;
    const top = -figureHeight(entity.kind) - 8;
    const colour = CAMP_COLOURS[entity.camp];
    this.#bar = s("rect", { x: -BAR / 2, y: top, width: BAR, height: 5, rx: 2, fill: colour });
    this.#armour = s("rect", { x: -BAR / 2, y: top - 3, width: 0, height: 2.4, fill: "#e8edf5" });
    this.#number = s("text", { x: 0, y: top - 4, class: "hp-number" });
    this.#signs = s("g", { class: "signs", transform: `translate(0 ${top + 12})` });
    const back = s("rect", { x: -BAR / 2 - 1.5, y: top - 1.5, width: BAR + 3, height: 8, rx: 3, class: "bar-back" });
    this.root = s("g", { class: `piece camp-${entity.camp}`, "data-entity": entity.index });
    this.root.append(drawing(figure(entity.kind, entity.class, entity.camp), "figure"));
    this.root.append(back, this.#bar, this.#armour, this.#number, this.#signs);
  }

  update(entity: Entity, view: View): void {
    this.cell = entity.cell;
    this.#most = Math.max(1, entity.max_hp);
    this.hp = entity.hp;
    this.#armour.setAttribute("width", String(Math.min(1, entity.shown.armour / this.#most) * BAR));
    this.root.classList.toggle("acting", view.actor === entity.index);
    this.root.classList.toggle("unseen", entity.invisible);
    const kinds = new Set(view.effects.filter((e) => e.target === entity.index).map((e) => e.kind));
    this.#signs.replaceChildren(...[...kinds].map((kind, n) => effectDot(kind, n, kinds.size)));
  }

  get hp(): number {
    return this.#hp;
  }

  set hp(value: number) {
    this.#hp = Math.max(0, Math.min(this.#most, value));
    this.#bar.setAttribute("width", String((this.#hp / this.#most) * BAR));
    this.#number.textContent = String(this.#hp);
  }
}

const EFFECT_COLOURS: Record<string, string> = {
  armour: "#e8edf5",
  resistance: "#7fd0c0",
  power: "#ff9d4d",
  bonus_power: "#ff9d4d",
  range: "#d9a6ff",
  poison: "#9be05a",
  anchor: "#c7a56a",
  delayed: "#ff5d7d",
};

function effectDot(kind: string, n: number, of: number): SVGCircleElement {
  const x = (n - (of - 1) / 2) * 8;
  return s("circle", { cx: x, cy: 0, r: 3, fill: EFFECT_COLOURS[kind] ?? "#fff", stroke: "#15111c", "stroke-width": 1 });
}

class SvgBoard implements Board, Stage {
  readonly svg = s("svg", { class: "board-svg", "aria-hidden": "false", role: "presentation" });
  readonly effects = s("g", { class: "sparks" });
  readonly #element: HTMLElement;
  readonly #catalogue: Catalogue;
  readonly #handlers: BoardHandlers;
  readonly #ground = s("g");
  readonly #marks = s("g", { class: "marks" });
  readonly #things = s("g", { class: "things" });
  readonly #standing = s("g", { class: "standing" });
  readonly #cursor = s("polygon", { class: "cursor", points: diamond(1.5), visibility: "hidden" });
  readonly #forecasts = s("g", { class: "forecasts" });
  readonly #hits = s("g", { class: "hits" });
  readonly #pieces = new Map<number, Piece>();
  readonly #sizes: ResizeObserver;
  #map: MapSheet | null = null;
  #box = { width: 1, height: 1, x: 0, y: 0 };
  #zoom = 1;
  #speed = 1;
  #revealed: Cell | null = null; // to be seen whatever the size
  #playing = 0;

  constructor(element: HTMLElement, catalogue: Catalogue, handlers: BoardHandlers) {
    this.#element = element;
    this.#catalogue = catalogue;
    this.#handlers = handlers;
    this.svg.append(this.#ground, this.#marks, this.#things, this.#cursor, this.#standing, this.effects, this.#forecasts, this.#hits);
    element.append(this.svg);
    this.#listen();
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(element);
  }

  show(view: View): void {
    this.#playing += 1;
    this.effects.replaceChildren();
    this.#draw(view);
  }

  async animate(events: readonly GameEvent[], view: View): Promise<void> {
    this.#playing += 1;
    const mine = this.#playing;
    this.#useMap(view);
    for (const event of events) {
      await play(this, event, view, this.#speed);
      if (mine !== this.#playing) return; // something newer is shown
    }
    this.#draw(view);
  }

  mark(marks: Partial<Marks>): void {
    const polygons = KINDS.flatMap((kind) =>
      (marks[kind] ?? []).map((cell) =>
        s("polygon", { class: `mark ${kind}`, points: diamond(kind === "path" ? 10 : 2), transform: place(cell) }),
      ),
    );
    this.#marks.replaceChildren(...polygons);
    const targets = new Set((marks.targets ?? []).map(index));
    for (const hit of this.#hits.children) hit.classList.toggle("target", targets.has(Number(hit.getAttribute("data-index"))));
  }

  forecast(labels: readonly Forecast[]): void {
    const texts = labels.map(({ cell, text, besides = [], critical, kind }) => {
      const { x, y } = at(cell);
      const lines = [...besides.map((one) => ["besides", one]), ...(critical ? [["critical", critical]] : [])];
      const below = lines.map(([name, line]) => s("tspan", { class: name, x, dy: 15 }, line));
      const up = kind === "path" ? 8 : 96 + below.length * 15 + (below.length ? 4 : 0);
      return s("text", { class: `forecast ${kind}`, x, y: y - up }, text, ...below);
    });
    this.#forecasts.replaceChildren(...texts);
    const lowest = [...texts].sort((a, b) => Number(b.getAttribute("y")) - Number(a.getAttribute("y")));
    lowest.forEach((label, n) => raise(label, lowest.slice(0, n)));
  }

  cursor(cell: Cell | null): void {
    this.#cursor.setAttribute("visibility", cell ? "visible" : "hidden");
    if (!cell) return;
    this.#cursor.setAttribute("transform", place(cell));
  }

  describe(cell: Cell, text: string): void {
    const hit = this.#hits.querySelector(`[data-cell="${cell[0]},${cell[1]}"]`);
    hit?.setAttribute("aria-label", text);
    if (hit) this.#element.setAttribute("aria-activedescendant", hit.id);
  }

  clear(): void {
    this.effects.replaceChildren();
    this.forecast([]);
  }

  zoom(factor: number): void {
    this.#zoom = factor === 0 ? 0 : Math.min(3, Math.max(0.4, (this.#zoom || this.#fit()) * factor));
    this.#resize();
  }

  reveal(cell: Cell): void {
    this.#revealed = cell;
    this.#scrollTo(cell, reducedMotion() ? "instant" : "smooth");
  }

  #scrollTo(cell: Cell, behavior: ScrollBehavior): void {
    const scale = this.svg.clientWidth / this.#box.width;
    const { x, y } = at(cell);
    const [left, top] = [(x - this.#box.x) * scale, (y - this.#box.y) * scale];
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#element;
    const hidden =
      left < scrollLeft + 40 || left > scrollLeft + clientWidth - 40 || top < scrollTop + 60 || top > scrollTop + clientHeight - 40;
    if (hidden) this.#element.scrollTo({ left: left - clientWidth / 2, top: top - clientHeight / 2, behavior });
  }

  speed(factor: number): void {
    this.#speed = factor;
  }

  destroy(): void {
    this.#playing += 1;
    this.#sizes.disconnect();
    this.svg.remove();
  }

  // what an animation needs of the board

  piece(number: number | null): Piece | null {
    return number === null ? null : (this.#pieces.get(number) ?? null);
  }

  put(number: number, cell: Cell): Piece | null {
    const piece = this.piece(number);
    if (!piece) return null;
    piece.cell = cell;
    piece.root.style.transform = translate(cell);
    this.#stand(piece.root, cell, 1);
    return piece;
  }

  bring(number: number, view: View): Piece | null {
    const entity = entityOf(view, number);
    if (!entity) return null;
    const piece = this.#piece(entity);
    piece.update(entity, view);
    return piece;
  }

  #draw(view: View): void {
    this.#useMap(view);
    const standing = view.entities.filter((e) => e.cell !== null && e.shown.alive);
    for (const [number, piece] of this.#pieces) {
      if (standing.some((e) => e.index === number && e.kind === piece.kind)) continue;
      piece.root.remove();
      this.#pieces.delete(number);
    }
    for (const entity of standing) {
      this.#piece(entity).update(entity, view);
      this.put(entity.index, entity.cell as Cell);
    }
    this.#drawThings(view);
  }

  #piece(entity: Entity): Piece {
    const known = this.#pieces.get(entity.index);
    if (known && known.kind === entity.kind) return known;
    known?.root.remove();
    const piece = new Piece(entity);
    this.#pieces.set(entity.index, piece);
    return piece;
  }

  #drawThings(view: View): void {
    const areas = view.traps.flatMap((laid) =>
      laid.area.map((cell) =>
        s("polygon", { class: `trap-area camp-${laid.owner % 2}`, points: diamond(4), transform: place(cell) }),
      ),
    );
    const traps = view.traps.map((laid) => placed(drawing(trap(laid.kind, laid.owner % 2), "trap"), laid.cell));
    const bonuses = view.bonuses.map((lying) => placed(drawing(bonus(lying.kind), "bonus"), lying.cell));
    this.#things.replaceChildren(...areas, ...traps);
    this.#standing.querySelectorAll(".bonus").forEach((old) => old.remove());
    view.bonuses.forEach((lying, n) => this.#stand(bonuses[n], lying.cell, 0.5));
  }

  // farther cells come first, so that what is nearer hides them
  #stand(element: SVGElement, [row, column]: Cell, layer: number): void {
    const depth = row + column + layer * 0.1;
    element.dataset["depth"] = String(depth);
    const after = [...this.#standing.children].find(
      (other) => other !== element && Number((other as SVGElement).dataset["depth"]) > depth,
    );
    if (element.nextElementSibling !== (after ?? null) || element.parentNode !== this.#standing) {
      this.#standing.insertBefore(element, after ?? null);
    }
  }

  #useMap(view: View): void {
    if (this.#map?.id === view.map) return;
    const map = this.#catalogue.maps.find((sheet) => sheet.id === view.map);
    if (!map) return;
    this.#map = map;
    this.#element.dataset["map"] = map.id;
    this.#drawGround(map);
    this.#resize();
  }

  #drawGround(map: MapSheet): void {
    const colours = palette(map.id);
    const solid = cellsWhere((cell) => terrain(map, cell) !== " ");
    this.#ground.replaceChildren(...solid.map((cell) => tile(map, cell, colours)));
    this.#standing.replaceChildren();
    this.#pieces.clear();
    for (const cell of solid.filter((one) => isObstacle(map, one))) {
      this.#stand(placed(drawing(scenery(terrain(map, cell)), "scenery"), cell), cell, 0);
    }
    this.#hits.replaceChildren(...solid.filter((cell) => isFloor(map, cell)).map(hit));
    this.#box = boxOf(solid);
    this.svg.setAttribute("viewBox", `${this.#box.x} ${this.#box.y} ${this.#box.width} ${this.#box.height}`);
  }

  #fit(): number {
    return Math.min(this.#element.clientWidth / this.#box.width, this.#element.clientHeight / this.#box.height);
  }

  #resize(): void {
    const fit = this.#fit();
    const touchable = LEAST_TILE / (2 * TILE.halfWidth);
    const coarse = matchMedia("(pointer: coarse), (max-width: 640px)").matches;
    const usual = coarse ? Math.max(fit, touchable) : Math.max(fit, 0.45);
    const scale = this.#zoom === 0 ? fit : usual * this.#zoom;
    const width = Math.min(scale, 1.6) * this.#box.width;
    this.svg.style.width = `${width}px`;
    this.svg.style.height = `${(width / this.#box.width) * this.#box.height}px`;
    if (this.#revealed) this.#scrollTo(this.#revealed, "instant");
  }

  #listen(): void {
    const cellOf = (event: Event): Cell | null => {
      const text = (event.target as Element).getAttribute("data-cell");
      return text === null ? null : (text.split(",").map(Number) as Cell);
    };
    this.#hits.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#handlers.hover?.(cellOf(event));
    });
    this.#hits.addEventListener("pointerleave", () => this.#handlers.hover?.(null));
    this.#hits.addEventListener("click", (event) => {
      const cell = cellOf(event);
      const touch = (event as PointerEvent).pointerType === "touch";
      if (cell) this.#handlers.select?.(cell, touch);
    });
  }
}

function place(cell: Cell): string {
  const { x, y } = at(cell);
  return `translate(${x} ${y})`;
}

function placed<E extends SVGElement>(element: E, cell: Cell): E {
  element.setAttribute("transform", place(cell));
  return element;
}

function tile(map: MapSheet, cell: Cell, colours: ReturnType<typeof palette>): SVGGElement {
  const [row, column] = cell;
  const falls = (beside: Cell): boolean => terrain(map, beside) === " ";
  const shade = ((row * 7 + column * 13 + row * column) % 5) * 0.018; // worn stones are not alike
  const sides =
    (falls([row + 1, column]) ? cliff("left", colours.left) : "") +
    (falls([row, column + 1]) ? cliff("right", colours.right) : "");
  const markup =
    `${sides}<polygon points="${diamond(0.3)}" fill="${colours.floor[(row + column) % 2]}"/>` +
    `<polygon points="${diamond(0.3)}" fill="#000" opacity="${shade}"/>`;
  return placed(drawing(markup, "tile"), cell);
}

function hit(cell: Cell): SVGPolygonElement {
  const [row, column] = cell;
  return s("polygon", {
    id: `cell-${row}-${column}`,
    class: "hit",
    role: "img",
    points: diamond(),
    transform: place(cell),
    "data-cell": `${row},${column}`,
    "data-index": index(cell),
    "data-testid": "cell",
  });
}

function boxOf(cells: readonly Cell[]): { x: number; y: number; width: number; height: number } {
  const points = cells.map(at);
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right] = [Math.min(...xs) - TILE.halfWidth - 8, Math.max(...xs) + TILE.halfWidth + 8];
  const [top, bottom] = [Math.min(...ys) - 130, Math.max(...ys) + TILE.halfHeight + 22];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A board inside an element, which scrolls where the map is larger. */
export function createBoard(element: HTMLElement, catalogue: Catalogue, handlers: BoardHandlers = {}): Board {
  return new SvgBoard(element, catalogue, handlers);
}

export type { Piece };
