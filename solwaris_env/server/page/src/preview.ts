// What the board shows while one hovers, before anything is done: marked cells, and forecasts.

import type { Forecast } from "./board.ts";
import { expected, type Expected, type Loss } from "./forecast.ts";
import { includes, path, spellArea, spellRange } from "./geometry.ts";
import { cellName, t } from "./i18n.ts";
import { passiveOf } from "./sheets.ts";
import type { Catalogue, Cell, Entity, Legal, MapSheet, Marks, Spell, State } from "./types.ts";

/** What may be done now, by whom, and the spell that was chosen for it. */
export interface Prospect {
  catalogue: Catalogue;
  state: State;
  map: MapSheet;
  legal: Legal;
  actor: Entity | null;
  spell: Spell | null;
  targets: readonly Cell[]; // of the spell
}

/** The cells to mark while one hovers over a cell, or over none. */
export function marksAt(prospect: Prospect, cell: Cell | null): Partial<Marks> {
  const { map, legal, actor, spell, targets } = prospect;
  if (legal.place.length) return { zone: legal.place, path: cell && includes(legal.place, cell) ? [cell] : [] };
  if (!actor?.cell) return {};
  if (!spell) return { reach: legal.go, path: walk(prospect, cell) };
  const aimed = cell && includes(targets, cell) ? cell : null;
  return {
    range: spellRange(map, spell, actor.cell, actor.shown.range + furtherRange(prospect, actor)),
    targets,
    area: aimed ? spellArea(map, spell, actor.cell, aimed) : [],
  };
}

/** What would happen if one acted at a cell. */
export function forecastsAt(prospect: Prospect, cell: Cell | null): Forecast[] {
  const { catalogue, state, map, actor, spell, targets } = prospect;
  if (!cell || !actor) return [];
  if (!spell) {
    const steps = walk(prospect, cell).length;
    return steps ? [{ cell, text: t("turn.move.cost", { n: steps }), kind: "path" }] : [];
  }
  if (!includes(targets, cell)) return [];
  return expected({ catalogue, view: state.view, map }, actor, spell, cell).map(forecastOf);
}

function forecastOf(one: Expected): Forecast {
  const usual = less(one.usual, one.cost);
  const besides = [
    one.armour[1] ? t("forecast.armour", { n: spanText(...one.armour) }) : "",
    one.ap ? t("forecast.ap", { n: one.ap }) : "",
    one.mp ? t("forecast.mp", { n: one.mp }) : "",
  ].filter((text) => text !== "");
  const felt = usual.least !== 0 || usual.most !== 0 || one.armour[1] > 0 || besides.length === 0;
  return {
    cell: one.entity.cell as Cell,
    text: felt ? lossText(usual) : (besides.shift() ?? ""),
    besides,
    critical: one.critical ? criticalText(one, usual, less(one.critical, one.cost)) : undefined,
    kind: usual.fatal ? "lethal" : usual.most <= 0 && usual.least < 0 ? "heal" : "damage",
  };
}

// the cost of the spell is a loss as well
function less(loss: Loss, cost: number): Loss {
  return { ...loss, least: loss.least + cost, most: loss.most + cost };
}

// of several hits only the bound is told: all would have to be critical
function criticalText({ chance, several }: Expected, usual: Loss, critical: Loss): string {
  if (!several) return t("forecast.critical", { chance, hp: lossText(critical) });
  const worse = critical.most > usual.most || critical.fatal !== usual.fatal;
  const bound = worse ? critical.most : critical.least;
  return t("forecast.criticals", { hp: lossText({ ...critical, least: bound, most: bound }) });
}

/** A forecast for who listens. */
export function spoken({ cell, text, besides = [], critical }: Forecast): string {
  return `${cellName(cell)} ${[text, ...besides, ...(critical ? [critical] : [])].join(", ")}`;
}

// the cells stepped on, on the way to a cell in reach
function walk({ state, map, legal, actor }: Prospect, cell: Cell | null): Cell[] {
  if (!cell || !actor?.cell || !includes(legal.go, cell)) return [];
  return path(state.view, map, actor.cell, cell)?.slice(1) ?? [];
}

// the passive Artilleur lengthens range beside what effects do (N12)
function furtherRange({ catalogue, state }: Prospect, actor: Entity): number {
  const passive = passiveOf(catalogue, state.view, actor);
  return passive?.kind === "artilleur" ? passive.value : 0;
}

function lossText({ least, most, fatal }: Loss): string {
  if (least < 0 && most > 0) return `+${-least} / −${most}`;
  if (least === 0 && most === 0) return "0";
  const [low, high, sign] = most > 0 ? [least, most, "−"] : [-most, -least, "+"];
  return `${sign}${spanText(low, high)}${fatal ? " ☠" : ""}`;
}

function spanText(low: number, high: number): string {
  return low === high ? `${high}` : `${low}–${high}`;
}
