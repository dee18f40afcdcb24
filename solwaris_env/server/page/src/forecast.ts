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
}

/** HP that everybody in view would lose or regain by a cast and all that it sets off. */
export function expected(scene: Scene, caster: Entity, spell: Spell, aim: Cell): Expected[] {
  const [usual, critical] = [false, true].map((critical) =>
    [false, true].map((worst) => new Rehearsal(scene, { worst, critical }).cast(caster.index, spell, aim)),
  );
  const usually = Math.max(...critical.flat().map((one) => one.chance)); // for who gains by another's wound
  return scene.view.entities
    .map((entity, n) => total(entity, usual.map((run) => run[n]), critical.map((run) => run[n]), usually))
    .filter(({ usual, critical }) => usual.least !== 0 || usual.most !== 0 || critical !== null);
}

function total(entity: Entity, usual: Fighter[], critical: Fighter[], usually: number): Expected {
  const [told, raised] = [span(usual), span(critical)];
  const same = told.least === raised.least && told.most === raised.most && told.fatal === raised.fatal;
  const chance = Math.max(...[...usual, ...critical].map((one) => one.chance)) || usually;
  return { entity, usual: told, critical: same ? null : raised, chance };
}

function span(runs: Fighter[]): Loss {
  const lost = runs.map((one) => one.lost);
  return { least: Math.min(...lost), most: Math.max(...lost), fatal: runs.every((one) => one.fell) };
}
