// Cells in words, for the status line and for screen readers.

import { cellName, inLanguage, t } from "./i18n.ts";
import { includes, same, terrain } from "./geometry.ts";
import type { Catalogue, Cell, Entity, Marks, SeatState, State, View } from "./types.ts";

const TERRAIN = {
  " ": "board.cell.void",
  ".": "board.cell.floor",
  W: "board.cell.wall",
  H: "board.cell.hedge",
  C: "board.cell.crate",
  R: "board.cell.rock",
  V: "board.cell.vault",
} as const;

/** How a fighter is called: a player by name, a summon by its sheet's. */
export function nameOf(catalogue: Catalogue, state: Pick<State, "seats">, entity: Entity): string {
  if (entity.kind !== "hero") return catalogue.summons.find((sheet) => sheet.id === entity.kind)?.name ?? entity.kind;
  return state.seats[entity.index]?.name ?? className(catalogue, entity.class);
}

/** What a reader calls the seats: himself "you", a person who gave no name by number, an opponent
 *  of the server by its title, and those who would read the same by class and number. */
export function calledSeats(catalogue: Catalogue, heroes: View["heroes"], seats: readonly SeatState[], own: number | null): SeatState[] {
  const called = seats.map((one): string => {
    if (one.name !== one.player) return one.name; // the server names a seat after its player where nobody else did
    if (one.player !== "human") return titleOf(catalogue, one.player);
    return one.seat === own ? t("setup.seat.you") : t("setup.player.number", { n: one.seat + 1 });
  });
  const unlike = (name: string, seat: number): string => {
    if (called.filter((other) => other === name).length === 1) return name;
    return `${className(catalogue, heroes[seat]?.class ?? null) || name} ${seat + 1}`;
  };
  return seats.map((one, n) => ({ ...one, name: unlike(called[n], one.seat) }));
}

// an opponent of another server, as in a duel's file, keeps its id
function titleOf(catalogue: Catalogue, opponent: string): string {
  const found = catalogue.opponents.find((one) => one.name === opponent);
  return found ? inLanguage(found.title) : opponent;
}

export function className(catalogue: Catalogue, id: string | null): string {
  return catalogue.classes.find((sheet) => sheet.id === id)?.name ?? id ?? "";
}

export function entityAt(view: View, cell: Cell | null): Entity | null {
  return view.entities.find((entity) => entity.shown.alive && same(entity.cell, cell)) ?? null;
}

/** The fighter of a number, fallen or not. */
export function entityOf(view: View, index: number | null): Entity | null {
  return view.entities.find((entity) => entity.index === index) ?? null;
}

/** All there is to say about a cell. */
export function describeCell(catalogue: Catalogue, state: State, cell: Cell, marks: Partial<Marks>): string {
  const { view } = state;
  const map = catalogue.maps.find((sheet) => sheet.id === view.map);
  const sign = map ? terrain(map, cell) : ".";
  const parts = [cellName(cell)];
  if (sign !== ".") parts.push(t(TERRAIN[sign as keyof typeof TERRAIN] ?? "board.cell.floor"));
  const entity = entityAt(view, cell);
  if (entity) parts.push(describeEntity(catalogue, state, entity));
  for (const bonus of view.bonuses.filter((lying) => same(lying.cell, cell))) {
    parts.push(t("board.cell.bonus", { name: catalogue.bonuses.find((sheet) => sheet.id === bonus.kind)?.name ?? "" }));
  }
  for (const trap of view.traps.filter((laid) => includes(laid.area, cell))) {
    parts.push(t("board.cell.trap", { name: catalogue.traps.find((sheet) => sheet.id === trap.kind)?.name ?? "" }));
  }
  if (includes(marks.targets ?? [], cell)) parts.push(t(entity && entity.index !== view.actor ? "board.cell.target" : "board.cell.cast"));
  if (includes(marks.reach ?? [], cell)) parts.push(t("board.cell.reach"));
  if (includes(marks.zone ?? [], cell)) parts.push(t("board.cell.zone"));
  return parts.join(", ");
}

export function describeEntity(catalogue: Catalogue, state: State, entity: Entity): string {
  const name = nameOf(catalogue, state, entity);
  const kind = entity.kind === "hero" ? `, ${className(catalogue, entity.class)}` : "";
  const armour = entity.shown.armour ? `, ${t("effect.armour", { value: entity.shown.armour })}` : "";
  return `${t("entity.label", { name, hp: entity.hp, max: entity.max_hp })}${kind}, ${t(sideOf(state, entity))}${armour}`;
}

// for who watches there is no own side
function sideOf({ seat }: State, { index, camp }: Entity): "entity.you" | "entity.ally" | "entity.enemy" | "camp.0" | "camp.1" {
  if (seat === null) return camp === 0 ? "camp.0" : "camp.1";
  if (index === seat) return "entity.you";
  return camp === seat % 2 ? "entity.ally" : "entity.enemy";
}
