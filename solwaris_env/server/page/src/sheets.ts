// Spells, passives and causes, looked up in the catalogue.

import type { Catalogue, Entity, Passive, Spell, View } from "./types.ts";

export function spellOf(catalogue: Catalogue, id: string): Spell | null {
  const all = [...catalogue.classes.flatMap((sheet) => sheet.spells), ...catalogue.summons.flatMap((sheet) => sheet.spell ?? [])];
  return all.find((spell) => spell.id === id) ?? null;
}

/** How a cause is called: a spell or a trap; the terrain's bonus has no name. */
export function causeName(catalogue: Catalogue, cause: string | null): string | null {
  if (cause === null) return null;
  const [kind, trap] = cause.split(":");
  if (kind === "trap") return catalogue.traps.find((sheet) => sheet.id === trap)?.name ?? null;
  return spellOf(catalogue, cause)?.name ?? null;
}

/** The passive that a hero has in hand; a summon has none. */
export function passiveOf(catalogue: Catalogue, view: View, entity: Entity): Passive | null {
  if (entity.kind !== "hero") return null;
  const id = view.heroes[entity.owner]?.passive;
  return catalogue.classes.flatMap((sheet) => sheet.passives).find((one) => one.id === id) ?? null;
}
