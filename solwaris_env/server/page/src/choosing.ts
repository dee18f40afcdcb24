// What the player chooses, by mouse, finger or keyboard: a spell, a cell, a fighter to look at.

import type { Board, Forecast } from "./board.ts";
import { describeCell, entityAt } from "./describe.ts";
import { h } from "./dom.ts";
import { includes, same } from "./geometry.ts";
import type { SpellState } from "./hud.ts";
import { t } from "./i18n.ts";
import { forecastsAt, marksAt, spoken, type Prospect } from "./preview.ts";
import type { Situation } from "./situation.ts";
import type { Action, Cell, Marks, Spell } from "./types.ts";

export interface ChoosingHandlers {
  now(): Situation | null;
  act(action: Action): void;
  tell(text: string): void;
  say(text: string): void;
  /** Something else is chosen, */
  changed(): void;
  /** or only hovered over, */
  hovered(): void;
  /** or only looked at. */
  looked(): void;
}

export class Choosing {
  /** What the keyboard's cursor stands on, read out. */
  readonly cursorText = h("p", { class: "hidden-text", "aria-live": "assertive", "data-testid": "cursor-text" });
  readonly #board: Board;
  readonly #element: HTMLElement;
  readonly #handlers: ChoosingHandlers;
  #slot: number | null = null;
  #hovered: Cell | null = null;
  #cursor: Cell | null = null;
  #armed: Cell | null = null; // touched once: the next touch confirms
  #inspected: number | null = null;
  #looked: Spell | null = null;

  /** `element` is the board's. */
  constructor(board: Board, element: HTMLElement, handlers: ChoosingHandlers) {
    this.#board = board;
    this.#element = element;
    this.#handlers = handlers;
  }

  get slot(): number | null {
    return this.#slot;
  }

  get hovered(): Cell | null {
    return this.#hovered;
  }

  get armed(): Cell | null {
    return this.#armed;
  }

  get inspected(): number | null {
    return this.#inspected;
  }

  /** The spell to describe: the one in hand, or looked at. */
  get shownSpell(): Spell | null {
    return this.#chosen?.spell ?? this.#looked;
  }

  get #chosen(): SpellState | null {
    return this.#slot === null ? null : (this.#handlers.now()?.spells.find((one) => one.slot === this.#slot) ?? null);
  }

  /** Put spell and cell away. */
  drop(): void {
    this.#slot = null;
    this.#armed = null;
  }

  /** The duel has gone on; a spell stays in hand through its caster's turn. */
  goOn(sameTurn: boolean): void {
    if (!sameTurn) this.#slot = null;
    this.#armed = null;
    this.#looked = null;
  }

  cancel(): void {
    this.drop();
    this.#inspected = null;
    this.#handlers.changed();
  }

  // spells

  choose(slot: number, keyboard = false): void {
    const found = this.#handlers.now()?.spells.find((one) => one.slot === slot);
    if (!found) return;
    if (!found.usable && found.why !== "") this.#handlers.tell(`${found.spell.name} · ${found.why}`);
    // without a target its range is shown; else it can only be read, by a finger in no other way
    if (!found.usable && found.why !== t("spell.no_target")) {
      this.look(found.spell);
      return;
    }
    this.#slot = this.#slot === slot ? null : slot;
    this.#armed = null;
    this.#element.focus({ preventScroll: true }); // so that Enter casts rather than presses the spell again
    if (this.#slot !== null) this.#handlers.say(t("spell.choose_cell", { name: found.spell.name }));
    this.#handlers.changed();
    if (keyboard && this.#slot !== null) this.nextTarget(1);
  }

  look(spell: Spell | null): void {
    this.#looked = spell;
    this.#handlers.looked();
  }

  // cells and fighters

  /** The mouse leads now. */
  hoverByMouse(cell: Cell | null): void {
    this.#looked = null;
    this.#board.cursor(null);
    this.#hover(cell);
  }

  #hover(cell: Cell | null): void {
    this.#hovered = cell;
    this.#handlers.hovered();
  }

  /** Take a cell; where it has to be confirmed, the first time only shows what would happen. */
  select(cell: Cell, confirm: boolean): void {
    const action = this.#actionAt(cell);
    if (!action) {
      this.drop();
      const state = this.#handlers.now()?.state;
      this.inspect(state ? (entityAt(state.view, cell)?.index ?? null) : null);
      return;
    }
    if (confirm && !same(this.#armed, cell)) {
      this.#armed = cell;
      this.#handlers.changed();
      return;
    }
    this.#handlers.act(action);
  }

  #actionAt(cell: Cell): Action | null {
    const legal = this.#handlers.now()?.legal;
    if (!legal) return null;
    if (includes(legal.place, cell)) return { type: "place", cell };
    if (this.#slot !== null) {
      return includes(legal.cast[this.#slot] ?? [], cell) ? { type: "cast", slot: this.#slot, cell } : null;
    }
    return includes(legal.go, cell) ? { type: "go", cell } : null;
  }

  inspect(index: number | null): void {
    this.#inspected = this.#inspected === index ? null : index;
    this.#handlers.changed();
  }

  // the keyboard's cursor

  confirm(): void {
    if (this.#cursor) this.select(this.#cursor, false);
  }

  move(down: number, right: number): void {
    const now = this.#handlers.now();
    const map = now?.map;
    if (!now || !map) return;
    const start = this.#cursor ?? now.handed?.cell ?? now.state.legal?.place[0] ?? [8, 13];
    const row = Math.min(map.top + map.height - 1, Math.max(map.top, start[0] + down));
    const column = Math.min(map.left + map.width - 1, Math.max(map.left, start[1] + right));
    this.#setCursor([row, column], now);
  }

  /** Move the cursor to the next or previous cell that can be chosen. */
  nextTarget(step: 1 | -1): void {
    const now = this.#handlers.now();
    const legal = now?.legal;
    if (!legal) return;
    const cells = this.#slot === null ? (legal.place.length ? legal.place : legal.go) : (legal.cast[this.#slot] ?? []);
    if (!cells.length) return;
    const sorted = [...cells].sort((a, b) => this.#worth(b, now) - this.#worth(a, now));
    const at = this.#cursor === null ? -1 : sorted.findIndex((cell) => same(cell, this.#cursor));
    this.#setCursor(sorted[(at + step + sorted.length) % sorted.length], now);
  }

  // enemies first among a spell's targets
  #worth(cell: Cell, { state }: Situation): number {
    const entity = entityAt(state.view, cell);
    if (!entity || this.#slot === null) return 0;
    return entity.camp === (state.seat ?? 0) % 2 ? 1 : 2;
  }

  #setCursor(cell: Cell, { catalogue, state }: Situation): void {
    this.#cursor = cell;
    this.#board.cursor(cell);
    this.#board.reveal(cell);
    this.#hover(cell);
    const text = describeCell(catalogue, state, cell, this.#marks(cell));
    this.cursorText.textContent = [text, ...this.#forecasts(cell).filter((one) => one.kind !== "path").map(spoken)].join(". ");
    this.#board.describe(cell, text);
  }

  // what it would lead to

  /** Mark on the board what may be done, and what would happen at the cell touched or hovered over. */
  mark(): void {
    const cell = this.#armed ?? this.#hovered;
    this.#board.mark(this.#marks(cell));
    this.#board.forecast(this.#forecasts(cell));
  }

  get #prospect(): Prospect | null {
    const now = this.#handlers.now();
    const map = now?.map;
    if (!now?.legal || !map) return null;
    const { catalogue, state, legal, actor } = now;
    return { catalogue, state, map, legal, actor, spell: this.#chosen?.spell ?? null, targets: legal.cast[this.#slot ?? -1] ?? [] };
  }

  #marks(cell: Cell | null): Partial<Marks> {
    const prospect = this.#prospect;
    return prospect ? marksAt(prospect, cell) : {};
  }

  #forecasts(cell: Cell | null): Forecast[] {
    const prospect = this.#prospect;
    return prospect ? forecastsAt(prospect, cell) : [];
  }
}
