// What a cast is expected to do, from the catalogue's numbers and what the view shows.

import { same, spellArea } from "./geometry.ts";
import type { Cell, Entity, MapSheet, Passive, Spell, SpellEffect, View } from "./types.ts";

const MOST_RESISTANCE = 75;
const CRITICAL = 1.5;

export interface Expected {
  entity: Entity;
  least: number; // HP lost; below zero: regained
  most: number;
  critical: number; // HP lost at most if every hit is critical
  lethal: boolean; // even the least fells it
}

interface Scene {
  view: View;
  map: MapSheet;
  caster: Entity;
  passive: Passive | null; // the caster's
}

/** HP that everybody in view would lose or regain by a cast, collisions and explosions apart. */
export function expected(scene: Scene, spell: Spell, aim: Cell): Expected[] {
  const { view, map, caster } = scene;
  if (!caster.cell) return [];
  const covered = spellArea(map, spell, caster.cell, aim);
  return view.entities
    .filter((entity) => entity.cell !== null && entity.shown.alive)
    .map((entity) => total(scene, spell, entity, aim, covered))
    .filter((sum) => sum.most !== 0 || sum.least !== 0);
}

function total(scene: Scene, spell: Spell, entity: Entity, aim: Cell, covered: readonly Cell[]): Expected {
  const sum: Expected = { entity, least: 0, most: 0, critical: 0, lethal: false };
  let [lowArmour, highArmour, criticalArmour] = Array<number>(3).fill(entity.shown.armour);
  for (const effect of spell.effects) {
    if (!falls(effect, scene.caster, entity, aim, covered)) continue;
    if (effect.kind === "heal") {
      sum.least -= effect.max ?? 0;
      sum.most -= effect.min ?? 0;
    }
    if (effect.kind !== "damage" && effect.kind !== "chain") continue;
    const [low, high] = [effect.min, effect.max].map((drawn) => hit(scene, effect, entity, drawn ?? 0, 1));
    const best = hit(scene, effect, entity, effect.max ?? 0, CRITICAL);
    const armour = (left: number, damage: number): number => (effect.pierce ? 0 : Math.min(left, damage));
    sum.least += low - armour(lowArmour, low);
    sum.most += high - armour(highArmour, high);
    sum.critical += best - armour(criticalArmour, best);
    lowArmour -= armour(lowArmour, low);
    highArmour -= armour(highArmour, high);
    criticalArmour -= armour(criticalArmour, best);
  }
  return { ...sum, lethal: sum.least >= entity.hp };
}

function falls(effect: SpellEffect, caster: Entity, entity: Entity, aim: Cell, covered: readonly Cell[]): boolean {
  if (effect.on === "caster") return entity.index === caster.index;
  if (effect.on === "target") return same(entity.cell, aim);
  if (!covered.some((cell) => same(cell, entity.cell))) return false;
  if (effect.on === "others") return entity.index !== caster.index;
  if (effect.on === "enemies") return entity.camp !== caster.camp;
  if (effect.on === "allies") return entity.camp === caster.camp;
  return true;
}

// the rules' formula of a hit, before armour (D1 to D8)
function hit(scene: Scene, effect: SpellEffect, entity: Entity, drawn: number, factor: number): number {
  const boosts = scene.caster.shown.power + condition(scene, effect, entity);
  const added = (effect.per_loss ?? 0) * (entity.ap_lost + entity.mp_lost);
  const { resistance } = entity.shown;
  const boosted = (drawn + added) * (1 + boosts / 100) * (1 - Math.min(0, resistance) / 100);
  const kept = 1 - Math.min(MOST_RESISTANCE, Math.max(0, resistance)) / 100;
  return Math.max(0, Math.floor(Math.min(3 * drawn, boosted) * kept * factor + 0.5));
}

// bonuses on a condition (N27): a wounded target, or Traque's hunted one
function condition({ passive, caster }: Scene, effect: SpellEffect, entity: Entity): number {
  const wounded = effect.below && entity.hp * 100 < effect.below * entity.max_hp ? (effect.bonus ?? 0) : 0;
  const hunted = entity.ap_lost > 0 || entity.mp_lost > 0 || entity.forced;
  const traque = passive?.kind === "traque" && hunted && entity.camp !== caster.camp ? passive.value : 0;
  return wounded + traque;
}
