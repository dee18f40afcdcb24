// What a cast is expected to do, from the catalogue's numbers and what the view shows.

import { same, spellArea } from "./geometry.ts";
import type { Cell, Entity, MapSheet, Passive, Spell, SpellEffect, View } from "./types.ts";

const MULTIPLIER_CAP = 300 * 100; // three times, in hundredths of a percent (D7)
const ONE = 2_000_000; // a hit point, in the formula's units
const CRITICAL_CHANCE = 10; // %

/** HP lost, at least and at most; below zero: regained. */
export interface Loss {
  least: number;
  most: number;
}

export interface Expected {
  entity: Entity;
  usual: Loss;
  critical: Loss | null; // if every hit is critical; null where there is none
  chance: number; // % of a hit to be critical
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
    .map((entity) => total(scene, spell.effects.filter((effect) => falls(effect, caster, entity, aim, covered)), entity))
    .filter(({ usual, critical }) => usual.least !== 0 || usual.most !== 0 || (critical?.most ?? 0) !== 0);
}

function total(scene: Scene, effects: readonly SpellEffect[], entity: Entity): Expected {
  const loss = (critical: boolean): Loss => ({ least: lost(scene, effects, entity, "min", critical), most: lost(scene, effects, entity, "max", critical) });
  const critical = effects.some(isHit) ? loss(true) : null;
  return { entity, usual: loss(false), critical, chance: chance(scene) };
}

function isHit(effect: SpellEffect): boolean {
  return effect.kind === "damage" || effect.kind === "chain";
}

// what effects take from a fighter one after the other, if the numbers drawn are the least or the most harmful
function lost(scene: Scene, effects: readonly SpellEffect[], entity: Entity, drawn: "min" | "max", critical: boolean): number {
  let [sum, armour] = [0, entity.shown.armour];
  for (const effect of effects) {
    if (effect.kind === "heal") sum -= effect[drawn === "min" ? "max" : "min"] ?? 0;
    if (!isHit(effect)) continue;
    const damage = hit(scene, effect, entity, effect[drawn] ?? 0, critical);
    const absorbed = effect.pierce ? 0 : Math.min(armour, damage);
    armour -= absorbed;
    sum += damage - absorbed;
  }
  return sum;
}

// the passive Focalisation makes hits critical more often (D2)
function chance({ passive }: Scene): number {
  return passive?.kind === "focalisation" ? passive.value : CRITICAL_CHANCE;
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

// a hit before armour; the view has capped the resistance (D3)
function hit(scene: Scene, effect: SpellEffect, entity: Entity, drawn: number, critical: boolean): number {
  const boost = scene.caster.shown.power + condition(scene, effect, entity);
  const added = (effect.per_loss ?? 0) * (entity.ap_lost + entity.mp_lost);
  return reduced(drawn, added, boost, entity.shown.resistance, critical, 1);
}

/** The rules' formula of a hit before armour, or of one of its equal parts: in whole numbers, rounded once (D1 to D8). */
export function reduced(base: number, added: number, boost: number, resistance: number, critical: boolean, parts: number): number {
  const kept = 100 - resistance;
  const raised = (base + added) * Math.max(0, 100 + boost) * Math.max(100, kept);
  const numerator = Math.min(raised, base * MULTIPLIER_CAP) * Math.min(100, kept) * (critical ? 3 : 2);
  const denominator = ONE * parts;
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

// bonuses on a condition (N27): a wounded target, or Traque's hunted one
function condition({ passive }: Scene, effect: SpellEffect, entity: Entity): number {
  const wounded = effect.below && entity.hp * 100 < effect.below * entity.max_hp ? (effect.bonus ?? 0) : 0;
  const hunted = entity.ap_lost > 0 || entity.mp_lost > 0 || entity.forced;
  const traque = passive?.kind === "traque" && hunted ? passive.value : 0;
  return wounded + traque;
}
