// A duel as it stands for this browser: who acts, what may be done, with which spells.

import { entityOf } from "./describe.ts";
import type { SpellState } from "./hud.ts";
import { t } from "./i18n.ts";
import { spellOf } from "./sheets.ts";
import type { Catalogue, Entity, Legal, MapSheet, Spell, State } from "./types.ts";

export class Situation {
  readonly catalogue: Catalogue;
  readonly state: State;
  readonly legal: Legal | null; // null: this browser is not to act, or not yet

  constructor(catalogue: Catalogue, state: State, legal: Legal | null) {
    this.catalogue = catalogue;
    this.state = state;
    this.legal = legal;
  }

  get map(): MapSheet | undefined {
    return this.catalogue.maps.find((map) => map.id === this.state.view.map);
  }

  /** Whoever acts; before the fight the own hero. */
  get actor(): Entity | null {
    return entityOf(this.state.view, this.state.view.actor ?? this.state.seat);
  }

  /** The fighter below the board: whoever acts for this seat, else its hero; for who watches whoever acts. */
  get handed(): Entity | null {
    const actor = this.actor;
    const own = this.state.seat ?? actor?.owner ?? 0;
    if (actor && actor.owner === own) return actor;
    return entityOf(this.state.view, own);
  }

  /** The spells of the fighter below the board; who watches has none in hand. */
  get spells(): SpellState[] {
    const fighter = this.handed;
    if (!fighter || this.state.seat === null) return [];
    const hero = this.state.view.heroes[fighter.owner];
    const mine = this.legal !== null && this.state.view.phase === "fight";
    const summoned = this.catalogue.summons.find((sheet) => sheet.id === fighter.kind);
    const ids = fighter.kind === "hero" ? hero.spells : [summoned?.spell?.id ?? ""];
    return ids.flatMap((id, slot) => {
      const spell = spellOf(this.catalogue, id);
      if (!spell) return [];
      const wait = fighter.kind === "hero" ? hero.cooldowns[slot] : 0;
      const left = spell.per_turn && fighter.kind === "hero" ? Math.max(0, spell.per_turn - hero.used[slot]) : null;
      const usable = (this.legal?.cast[slot]?.length ?? 0) > 0;
      return [{ spell, slot, wait, left, usable, why: usable || !mine ? "" : whyNot(spell, fighter, wait, left) }];
    });
  }
}

function whyNot(spell: Spell, fighter: Entity, wait: number, left: number | null): string {
  if (wait > 0) return t("spell.ready_in", { n: wait });
  if (left === 0) return t("spell.used_up");
  if (fighter.shown.ap < spell.cost) return t("spell.no_ap");
  return t("spell.no_target");
}
