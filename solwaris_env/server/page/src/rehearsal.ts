// A cast rehearsed on what the view shows, effect by effect in the rules' own order, with all that
// it sets off: pushes into walls, charges, known traps. What is hidden from the viewer does not
// happen here; nor does chance: numbers are the least or the most harmful.

import { reduced } from "./damage.ts";
import { areaAround, direction, distance, includes, index, isFloor, onward, same, spellArea } from "./geometry.ts";
import { passiveOf } from "./sheets.ts";
import type { Area, Catalogue, Cell, Effect, Entity, MapSheet, Passive, Spell, SpellEffect, SummonSheet, Trap, TrapSheet, View } from "./types.ts";

export interface Scene {
  catalogue: Catalogue;
  view: View;
  map: MapSheet;
}

export interface Luck {
  worst: boolean; // for whom it falls on
  critical: boolean;
}

/** Somebody on the board as the rehearsal goes on, and what came of it. */
export interface Fighter {
  readonly index: number;
  readonly camp: number;
  readonly owner: number;
  readonly maxHp: number;
  readonly serial: number;
  readonly passive: Passive | null;
  readonly sheet: SummonSheet | null; // null: a hero
  readonly start: Cell | null; // where its turn began
  cell: Cell | null;
  hp: number;
  pointsLost: number;
  forced: boolean;
  invisible: boolean;
  lost: number; // HP, by damage less heals
  absorbed: number; // by its armour
  hits: number; // on it
  ap: number; // that may be taken, at most
  mp: number;
  fell: boolean;
  chance: number; // % of a hit on it to be critical
}

/** Where effects come from. */
interface Deed {
  source: Fighter;
  cause: string | null;
  area: Area | null;
  covered: readonly Cell[];
  origin: Cell;
  aim: Cell;
  centre: Cell;
  target: Fighter | null;
}

type Pending = { cell: Cell; owner: Fighter } & ({ trap: TrapSheet; victim: Fighter } | { charge: SummonSheet });

export class Rehearsal {
  readonly #scene: Scene;
  readonly #luck: Luck;
  readonly #fighters: Fighter[];
  readonly #pending: Pending[] = [];
  #effects: Effect[];
  #traps: Trap[];
  #bonuses: View["bonuses"];

  constructor(scene: Scene, luck: Luck) {
    this.#scene = scene;
    this.#luck = luck;
    this.#fighters = scene.view.entities.map((entity) => this.#fighter(entity));
    this.#effects = scene.view.effects.map((effect) => ({ ...effect }));
    this.#traps = scene.view.traps;
    this.#bonuses = scene.view.bonuses;
  }

  /** Cast a spell; the answer is what came of everybody, in the view's order. Its own cost is no loss. */
  cast(caster: number, spell: Spell, aim: Cell): Fighter[] {
    const source = this.#numbered(caster);
    const origin = source?.cell;
    if (!source || !origin) return this.#fighters;
    source.hp -= spell.hp_cost;
    const covered = spellArea(this.#scene.map, spell, origin, aim);
    const centre = spell.from_departure ? origin : aim;
    const deed = { source, cause: spell.id, area: spell.area, covered, origin, aim, centre, target: this.#at(aim) };
    for (const effect of spell.effects) {
      const goesOn = this.#apply(effect, deed);
      this.#resolve();
      if (!goesOn || !source.cell) break;
    }
    return this.#fighters;
  }

  #fighter(entity: Entity): Fighter {
    const { catalogue, view } = this.#scene;
    return {
      index: entity.index,
      camp: entity.camp,
      owner: entity.owner,
      maxHp: entity.max_hp,
      serial: entity.serial,
      passive: passiveOf(catalogue, view, entity),
      sheet: catalogue.summons.find((sheet) => sheet.id === entity.kind) ?? null,
      start: entity.kind === "hero" ? view.heroes[entity.index].turn_start : null,
      cell: entity.cell,
      hp: entity.hp,
      pointsLost: entity.ap_lost + entity.mp_lost,
      forced: entity.forced,
      invisible: entity.invisible,
      lost: 0,
      absorbed: 0,
      hits: 0,
      ap: 0,
      mp: 0,
      fell: false,
      chance: 0,
    };
  }

  #numbered(number: number): Fighter | null {
    return this.#fighters.find((one) => one.index === number) ?? null;
  }

  #at(cell: Cell): Fighter | null {
    return this.#fighters.find((one) => same(one.cell, cell)) ?? null;
  }

  // effects, and on whom they fall

  // false when the rest of the spell is lost
  #apply(effect: SpellEffect, deed: Deed): boolean {
    const { source, target, aim } = deed;
    switch (effect.kind) {
      case "teleport":
        if (!same(aim, source.cell)) this.#put(source, aim);
        return true;
      case "return":
        if (source.start && !same(source.start, source.cell)) this.#put(source, source.start);
        return true;
      case "dash":
        return this.#dash(source, aim);
      case "swap":
        if (target) this.#swap(source, target);
        return true;
      case "detonate":
        if (target) this.#detonate(target);
        return true;
      case "detonate_all":
        this.#detonateAll(source, aim, Infinity);
        return true;
      case "summon":
      case "trap":
        return true; // nobody in view feels what is only being laid
    }
    if (effect.on === "caster") this.#fall(effect, deed, source, null, aim);
    else if (effect.on === "target") this.#fallOnTarget(effect, deed);
    else this.#fallOnArea(effect, deed);
    return true;
  }

  #fallOnTarget(effect: SpellEffect, deed: Deed): void {
    const { source, target } = deed;
    if (!target?.cell || !source.cell) return;
    const towards = effect.kind === "pull";
    const heading = towards ? direction(target.cell, source.cell) : direction(source.cell, target.cell);
    this.#fall(effect, deed, target, heading, source.cell);
  }

  #fallOnArea(effect: SpellEffect, deed: Deed): void {
    const hub = deed.area?.shape === "line" ? deed.origin : deed.centre;
    for (const victim of this.#gather(effect, deed)) {
      if (!victim.cell) continue;
      const heading = effect.kind === "pull" ? direction(victim.cell, hub) : direction(hub, victim.cell);
      this.#fall(effect, deed, victim, heading, hub);
    }
  }

  // nearest to the centre first, for pushes farthest first; equal ones by cell (N8)
  #gather({ kind, on }: SpellEffect, { source, covered, centre }: Deed): Fighter[] {
    const far = (cell: Cell): number => (kind === "push" ? -1 : 1) * distance(centre, cell);
    const key = ({ cell }: Fighter): number => (cell ? far(cell) * 1024 + index(cell) : 0);
    const concerned = (one: Fighter): boolean => {
      if (!one.cell || !includes(covered, one.cell)) return false;
      if (on === "others") return one !== source;
      if (on === "enemies") return one.camp !== source.camp;
      return on !== "allies" || (one.camp === source.camp && !isInert(one));
    };
    return this.#fighters.filter(concerned).sort((a, b) => key(a) - key(b));
  }

  #fall(effect: SpellEffect, { source, cause }: Pick<Deed, "source" | "cause">, one: Fighter, heading: Cell | null, hub: Cell): void {
    switch (effect.kind) {
      case "damage":
        return this.#hurt(effect, source, one);
      case "chain":
        return this.#chain(effect, source, one);
      case "heal":
        return this.#heal(one, (this.#luck.worst ? effect.min : effect.max) ?? 0);
      case "heal_lost":
        return this.#heal(one, percent(one.maxHp - one.hp, effect.percent ?? 0));
      case "remove_ap":
      case "remove_mp":
        if (!this.#luck.worst) return; // at best all are refused (R1)
        one.pointsLost += effect.tries ?? 0;
        one[effect.kind === "remove_ap" ? "ap" : "mp"] += effect.tries ?? 0;
        return;
      case "push":
        return this.#push(source, one, heading, effect.cells ?? 0, effect.collision ?? 0);
      case "pull":
        return this.#pull(one, heading, effect.cells ?? 0, hub);
      case "armour":
      case "resistance":
      case "power":
      case "anchor":
        return this.#lay(effect.kind, one, source.owner, cause, effect.points ?? effect.percent ?? 0);
    }
  }

  #hurt(effect: SpellEffect, source: Fighter, one: Fighter): void {
    const wounded = effect.below !== undefined && 100 * one.hp < effect.below * one.maxHp;
    const lost = this.#strike(source, one, this.#draw(effect), {
      added: (effect.per_loss ?? 0) * one.pointsLost,
      extra: wounded ? (effect.bonus ?? 0) : 0,
      pierce: effect.pierce,
    });
    if (effect.steal) this.#heal(source, percent(lost, effect.steal));
  }

  // a hit, then part of it on the nearest other enemy
  #chain(effect: SpellEffect, source: Fighter, one: Fighter): void {
    const from = one.cell;
    const drawn = this.#draw(effect);
    this.#strike(source, one, drawn);
    if (!from) return;
    const far = ({ cell }: Fighter): number => (cell ? distance(from, cell) : Infinity);
    const next = this.#fighters
      .filter((other) => other !== one && other.camp !== source.camp && !other.invisible && far(other) <= (effect.radius ?? 0))
      .sort((a, b) => far(a) - far(b) || index(a.cell as Cell) - index(b.cell as Cell))[0];
    if (next) this.#strike(source, next, drawn * (effect.percent ?? 0), { parts: 100 });
  }

  #draw(effect: SpellEffect): number {
    return (this.#luck.worst ? effect.max : effect.min) ?? 0;
  }

  // hits

  // the answer is the HP lost: neither what armour took nor what went past the last one (N32)
  #strike(source: Fighter, one: Fighter, base: number, { added = 0, extra = 0, parts = 1, pierce = false } = {}): number {
    const hunted = one.pointsLost > 0 || one.forced;
    const traque = hunted ? valueOf(source, "traque") : 0;
    const chance = source.passive?.kind === "focalisation" ? source.passive.value : this.#scene.catalogue.constants.critical_chance;
    const critical = this.#luck.critical && chance > 0;
    const dealt = reduced(base, added, this.#power(source) + extra + traque, this.#resistance(one), critical, parts);
    const beside = source.cell !== null && one.cell !== null && distance(source.cell, one.cell) === 1;
    one.chance = Math.max(one.chance, chance);
    one.hits += 1;
    const lost = this.#wound(one, dealt, pierce);
    if (beside) this.#heal(source, percent(lost, valueOf(source, "soif_de_sang")));
    return lost;
  }

  #wound(one: Fighter, dealt: number, pierce: boolean): number {
    const lost = Math.min(pierce ? dealt : this.#pastArmour(one, dealt), one.hp);
    if (dealt > 0) one.invisible = false;
    one.hp -= lost;
    one.lost += lost;
    if (one.hp === 0) this.#kill(one);
    return lost;
  }

  #pastArmour(one: Fighter, dealt: number): number {
    let left = dealt;
    for (const stock of this.#effectsOn(one, "armour")) {
      const taken = Math.min(left, stock.value);
      stock.value -= taken;
      left -= taken;
      one.absorbed += taken;
    }
    return left;
  }

  #heal(one: Fighter, amount: number): void {
    if (!one.cell) return;
    const gained = Math.min(amount, one.maxHp - one.hp);
    one.hp += gained;
    one.lost -= gained;
  }

  // a hero's summons, charges and traps vanish with it (E4); a charge explodes (N21)
  #kill(one: Fighter): void {
    const { cell, sheet } = one;
    one.fell = true;
    this.#remove(one);
    if (!sheet) {
      this.#fighters.filter((other) => other.sheet && other.owner === one.index).forEach((other) => this.#remove(other));
      this.#traps = this.#traps.filter((trap) => trap.owner !== one.index);
    } else if (sheet.charge && cell) this.#explode(sheet, one.owner, cell);
  }

  #remove(one: Fighter): void {
    one.cell = null;
    one.hp = 0;
    this.#effects = this.#effects.filter((effect) => effect.target !== one.index);
  }

  // what effects, auras and passives add up to at this moment (D3, D6, N2, N16)

  #power(one: Fighter): number {
    const values = this.#effectsOn(one, "power").map((effect) => effect.value);
    const boost = Math.max(0, ...this.#auras(one, "power"), ...values);
    const bonus = sum(this.#effectsOn(one, "bonus_power").map((effect) => effect.value));
    const rage = one.passive?.kind === "rage" ? one.passive.value * lostTenths(one) : 0;
    return boost + Math.min(0, ...values) + bonus + rage;
  }

  #resistance(one: Fighter): number {
    const laid = sum(this.#effectsOn(one, "resistance").map((effect) => effect.value));
    const rage = one.passive?.kind === "rage" ? one.passive.value2 * lostTenths(one) : 0;
    const value = laid + sum(this.#auras(one, "resistance")) + valueOf(one, "cuirasse") + rage;
    return Math.min(value, this.#scene.catalogue.constants.most_resistance);
  }

  #auras(one: Fighter, kind: string): number[] {
    return this.#fighters.flatMap(({ index: number, camp, cell, sheet }) => {
      if (!cell || !one.cell || number === one.index || camp !== one.camp || sheet?.aura?.kind !== kind) return [];
      return distance(cell, one.cell) <= sheet.aura.radius ? [sheet.aura.percent] : [];
    });
  }

  #effectsOn(one: Fighter, kind: string): Effect[] {
    return this.#effects.filter((effect) => effect.target === one.index && effect.kind === kind);
  }

  // the same effect of the same cause and hero is renewed (N2)
  #lay(kind: string, one: Fighter, source: number, cause: string | null, value: number): void {
    const known = this.#effectsOn(one, kind).find((effect) => effect.source === source && effect.cause === cause);
    if (known) known.value = value;
    else this.#effects.push({ kind, target: one.index, source, value, value2: 0, turns: 1, until: "turns", cause });
  }

  // changing cells

  // true when a trap sprang
  #put(one: Fighter, cell: Cell): boolean {
    one.cell = cell;
    if (isInert(one)) return false;
    this.#collect(one, cell);
    const quiet = one.passive?.kind === "pas_feutres";
    const springs = (trap: Trap): boolean => includes(trap.area, cell) && !(quiet && trap.owner % 2 === one.camp);
    const sprung = this.#traps.filter(springs);
    this.#traps = this.#traps.filter((trap) => !sprung.includes(trap));
    for (const laid of sprung) {
      const trap = this.#scene.catalogue.traps.find((sheet) => sheet.id === laid.kind);
      const owner = this.#numbered(laid.owner);
      if (trap && owner) this.#pending.push({ cell: laid.cell, owner, trap, victim: one });
    }
    return sprung.length > 0;
  }

  #collect(one: Fighter, cell: Cell): void {
    const lying = this.#bonuses.find((bonus) => same(bonus.cell, cell));
    if (!lying) return;
    this.#bonuses = this.#bonuses.filter((bonus) => bonus !== lying);
    const value = this.#scene.catalogue.bonuses.find((sheet) => sheet.id === lying.kind)?.value ?? 0;
    if (lying.kind === "heal") this.#heal(one, value);
    if (lying.kind === "armour") this.#lay("armour", one, one.owner, "bonus", value);
    if (lying.kind === "power") this.#lay("bonus_power", one, one.owner, "bonus", value);
  }

  #free(cell: Cell): boolean {
    return isFloor(this.#scene.map, cell) && this.#at(cell) === null;
  }

  #anchored(one: Fighter): boolean {
    return this.#effectsOn(one, "anchor").length > 0;
  }

  // a trap stops it, anything else collides (F1 to F5)
  #push(source: Fighter, one: Fighter, heading: Cell | null, cells: number, own: number): void {
    if (!heading || this.#anchored(one)) return;
    for (let left = cells; left > 0 && one.cell; left -= 1) {
      const next = onward(one.cell, heading);
      if (!this.#free(next)) return this.#collide(source, one, this.#at(next), left, own);
      one.forced = true;
      if (this.#put(one, next)) return;
    }
  }

  #collide(source: Fighter, one: Fighter, other: Fighter | null, cells: number, own: number): void {
    const base = cells * Math.max(own, valueOf(source, "fracas") || this.#scene.catalogue.constants.collision);
    this.#strike(source, one, base);
    if (other?.cell) this.#strike(source, other, base, { parts: 2 });
  }

  // until it is level with the hub on its axis, or something is in the way (F7, N8)
  #pull(one: Fighter, heading: Cell | null, cells: number, hub: Cell): void {
    if (!heading || this.#anchored(one)) return;
    const nearer = (cell: Cell): boolean => (hub[0] - cell[0]) * heading[0] + (hub[1] - cell[1]) * heading[1] > 0;
    for (let left = cells; left > 0 && one.cell && nearer(one.cell); left -= 1) {
      const next = onward(one.cell, heading);
      if (!this.#free(next)) return;
      one.forced = true;
      if (this.#put(one, next)) return;
    }
  }

  // true when it got next to the aim (N10)
  #dash(source: Fighter, aim: Cell): boolean {
    const heading = source.cell && direction(source.cell, aim);
    while (source.cell && heading && distance(source.cell, aim) > 1) {
      const next = onward(source.cell, heading);
      if (!this.#free(next)) return false;
      if (this.#put(source, next)) return distance(next, aim) === 1;
    }
    return true;
  }

  #swap(source: Fighter, target: Fighter): void {
    const [mine, theirs] = [source.cell, target.cell];
    if (source === target || !mine || !theirs || this.#anchored(source) || this.#anchored(target)) return;
    target.forced = true;
    [source.cell, target.cell] = [theirs, mine];
    this.#put(source, theirs);
    this.#put(target, mine);
  }

  // charges, and what waits to be resolved

  #detonate(charge: Fighter): void {
    const { sheet, cell } = charge;
    if (!sheet || !cell) return;
    this.#remove(charge);
    this.#explode(sheet, charge.owner, cell);
  }

  #explode(charge: SummonSheet, number: number, cell: Cell): void {
    const owner = this.#numbered(number);
    if (owner) this.#pending.push({ cell, owner, charge });
  }

  // in order of creation
  #detonateAll(owner: Fighter, centre: Cell, radius: number): void {
    this.#fighters
      .filter(({ sheet, owner: of, cell }) => sheet?.charge && of === owner.index && cell && distance(centre, cell) <= radius)
      .sort((a, b) => a.serial - b.serial)
      .forEach((charge) => this.#detonate(charge));
  }

  // sprung traps and explosions, first in, first out (N21)
  #resolve(): void {
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      const { cell, owner } = next;
      if ("trap" in next) this.#spring(next.trap, owner, next.victim, cell);
      else {
        const { area, effects } = next.charge;
        const covered = area ? areaAround(this.#scene.map, area, cell) : [];
        const deed = { source: owner, cause: null, area, covered, origin: cell, aim: cell, centre: cell, target: null };
        for (const effect of effects) this.#apply(effect, deed);
        const radius = valueOf(owner, "reaction_en_chaine");
        if (radius) this.#detonateAll(owner, cell, radius);
      }
    }
  }

  // away from its centre; on the centre itself away from who laid it (N11)
  #spring(trap: TrapSheet, owner: Fighter, victim: Fighter, cell: Cell): void {
    for (const effect of trap.effects) {
      if (!victim.cell) return;
      const heading = direction(cell, victim.cell) ?? (owner.cell && direction(owner.cell, victim.cell));
      this.#fall(effect, { source: owner, cause: `trap:${trap.id}` }, victim, heading, cell);
    }
  }
}

function isInert({ sheet }: Fighter): boolean {
  return sheet !== null && !sheet.mobile;
}

// of a passive, 0 for who has another one
function valueOf({ passive }: Fighter, kind: string): number {
  return passive?.kind === kind ? passive.value : 0;
}

function lostTenths({ hp, maxHp }: Fighter): number {
  return Math.floor((10 * (maxHp - hp)) / maxHp);
}

function percent(of: number, share: number): number {
  return Math.floor((of * share + 50) / 100);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
