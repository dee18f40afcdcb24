// What a cast is expected to do: it is rehearsed with the least and with the most harmful numbers.

import { Rehearsal, type Fighter, type Scene } from "./rehearsal.ts";
import type { Cell, Entity, Spell } from "./types.ts";

/** HP lost, at least and at most; below zero: regained. */
export interface Loss {
  least: number;
  most: number;
  fatal: boolean; // even the least of it
}

export interface Expected {
  entity: Entity;
  usual: Loss;
  critical: Loss | null; // if every hit is critical; null where that changes nothing
  chance: number; // % of a hit to be critical
  several: boolean; // hits have to be critical for that
  cost: number; // HP that the spell costs its caster; in no loss
  armour: [least: number, most: number]; // that hits take, critical ones aside
  ap: number; // that may be taken, at most
  mp: number;
}

/** HP that everybody in view would lose or regain by a cast and all that it sets off. */
export function expected(scene: Scene, caster: Entity, spell: Spell, aim: Cell): Expected[] {
  const [usual, critical] = [false, true].map((critical) =>
    [false, true].map((worst) => new Rehearsal(scene, { worst, critical }).cast(caster.index, spell, aim)),
  );
  const usually = Math.max(...critical.flat().map((one) => one.chance)); // for who gains by another's wound
  const hits = Math.max(...[...usual, ...critical].map((run) => run.reduce((all, one) => all + one.hits, 0)));
  return scene.view.entities
    .map((entity, n) => {
      const cost = entity.index === caster.index ? spell.hp_cost : 0;
      return { ...total(entity, usual.map((run) => run[n]), critical.map((run) => run[n]), usually, hits), cost };
    })
    .filter(({ usual, critical, cost, armour, ap, mp }) => usual.least || usual.most || critical || cost || armour[1] || ap || mp);
}

function total(entity: Entity, usual: Fighter[], critical: Fighter[], usually: number, all: number): Omit<Expected, "cost"> {
  const [told, raised] = [span(usual), span(critical)];
  const same = told.least === raised.least && told.most === raised.most && told.fatal === raised.fatal;
  const chance = Math.max(...[...usual, ...critical].map((one) => one.chance)) || usually;
  const runs = [...usual, ...critical];
  const hits = Math.max(...runs.map((one) => one.hits)) || all; // who is not hit gains by the wounds of others
  const absorbed = usual.map((one) => one.absorbed);
  return {
    entity,
    usual: told,
    critical: same ? null : raised,
    chance,
    several: hits > 1,
    armour: [Math.min(...absorbed), Math.max(...absorbed)],
    ap: Math.max(...runs.map((one) => one.ap)),
    mp: Math.max(...runs.map((one) => one.mp)),
  };
}

function span(runs: Fighter[]): Loss {
  const lost = runs.map((one) => one.lost);
  return { least: Math.min(...lost), most: Math.max(...lost), fatal: runs.every((one) => one.fell) };
}
