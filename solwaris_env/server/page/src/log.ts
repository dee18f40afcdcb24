// The events of the server as sentences in both languages. Wording avoids what would need a
// name's gender or its first letter: names are subjects, or follow a colon or a preposition
// that never elides.

import { cellName, fill, language, signed, unbroken, type Language } from "./i18n.ts";
import { causeName } from "./sheets.ts";
import type { Catalogue, GameEvent } from "./types.ts";

/** Every kind of event that the server tells of; a test compares them with the server's. */
export const EVENT_KINDS = [
  "placed",
  "bid",
  "auction_pass",
  "fight_begins",
  "turn_begins",
  "turn_ends",
  "cast",
  "step",
  "blocked",
  "damage",
  "critical",
  "heal",
  "costs_hp",
  "timed",
  "ended",
  "loses_ap",
  "loses_mp",
  "gains_ap",
  "gains_mp",
  "pushed",
  "pulled",
  "collides",
  "moved",
  "trap_laid",
  "trap_sprung",
  "summoned",
  "explodes",
  "dies",
  "bonus",
  "collects",
  "vanishes_from_sight",
  "appears",
  "fails",
  "cooldowns",
  "forfeits",
  "ends",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds of timed effect, as `timed` and `ended` name them in `what`. */
export const EFFECT_KINDS = [
  "armour",
  "resistance",
  "power",
  "range",
  "poison",
  "anchor",
  "delayed",
  "bonus_power",
] as const;
type EffectKind = (typeof EFFECT_KINDS)[number];

/** Why a duel ends, as `ends` names it in `what`. */
export const TERMINATIONS = ["knockout", "double_knockout", "forfeit", "tour_limit"] as const;
type Termination = (typeof TERMINATIONS)[number];

/** What things are called. */
export interface Names {
  fighter(index: number | null, kind: string | null): string | null;
  cause(id: string | null): string | null;
  summon(id: string): string;
  trap(id: string): string;
  bonus(id: string): string;
  own: number | null; // the reader's camp; null for who watches
}

/** Names from the catalogue; a hero's player is named where one is known. `seat` is the reader's. */
export function namesOf(
  catalogue: Catalogue,
  seats: readonly { seat: number; name: string }[] = [],
  seat: number | null = null,
): Names {
  const classes = namesById(catalogue.classes);
  const summons = namesById(catalogue.summons);
  const traps = namesById(catalogue.traps);
  const bonuses = namesById(catalogue.bonuses);
  const players = new Map(seats.map((seat) => [seat.seat, seat.name]));
  return {
    fighter(index, kind) {
      const [sort = "", id = ""] = kind?.split(":") ?? [];
      if (sort === "summon") return summons.get(id) ?? id;
      if (sort !== "hero") return null;
      const player = players.get(index ?? -1);
      const name = classes.get(id) ?? id;
      if (player?.startsWith(`${name} `)) return player; // called by class and number
      return player ? `${name} (${player})` : name;
    },
    cause: (id) => causeName(catalogue, id),
    summon: (id) => summons.get(id) ?? id,
    trap: (id) => traps.get(id) ?? id,
    bonus: (id) => bonuses.get(id) ?? id,
    own: seat === null ? null : seat % 2,
  };
}

function namesById(things: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(things.map((thing) => [thing.id, thing.name]));
}

/** An event's sentence in the language spoken; a kind unknown here is told in English. */
export function sentence(event: GameEvent, names: Names, spoken = language()): string {
  const { kind } = event;
  if (!isOneOf(EVENT_KINDS, kind)) return event.text;
  const said = (spoken === "fr" ? FRENCH : ENGLISH)[kind](factsOf(event, names, spoken));
  return unbroken(said.charAt(0).toUpperCase() + said.slice(1), spoken);
}

function isOneOf<T extends string>(known: readonly T[], word: string): word is T {
  return (known as readonly string[]).includes(word);
}

/** The parts of a sentence; `cell`, `at` are empty where the cell is not for the viewer. */
interface Facts {
  event: GameEvent;
  names: Names;
  who: string;
  other: string;
  cell: string;
  at: string;
  n: number;
  m: number;
  what: string;
  count(text: string): string;
}

const SOMEBODY: Record<Language, string> = { fr: "quelqu'un", en: "somebody" };
const SCENERY: Record<Language, string> = { fr: "le décor", en: "the scenery" };
const CAMPS: Record<Language, readonly string[]> = {
  fr: ["le camp bleu", "le camp rouge"],
  en: ["the blue camp", "the red camp"],
};
const SIDES: Record<Language, readonly [own: string, other: string]> = {
  fr: ["votre camp", "le camp adverse"],
  en: ["your camp", "the other camp"],
};
const OUTCOMES: Record<Language, readonly [won: string, lost: string]> = {
  fr: ["votre camp gagne", "le camp adverse gagne"],
  en: ["your camp wins", "the other camp wins"],
};
const AT: Record<Language, string> = { fr: " en ", en: " at " };

function factsOf(event: GameEvent, names: Names, spoken: Language): Facts {
  const n = event.value ?? 0;
  const cell = event.cell ? cellName(event.cell) : "";
  const hit = event.kind === "collides" ? SCENERY : SOMEBODY;
  return {
    event,
    names,
    who: names.fighter(event.actor, event.actor_kind) ?? SOMEBODY[spoken],
    other: names.fighter(event.target, event.target_kind) ?? hit[spoken],
    cell,
    at: cell && AT[spoken] + cell,
    n,
    m: event.value2 ?? 0,
    what: event.what ?? "",
    count: (text) => fill(text, { n }, spoken),
  };
}

type Sentences = Record<EventKind, (facts: Facts) => string>;
type Effects = Record<EffectKind, (facts: Facts) => string>;

const FRENCH: Sentences = {
  placed: ({ who, at }) => `${who} prend place${at}`,
  bid: ({ who, count }) => `${who} monte à ${count("{n} {n:pièce|pièces}")}`,
  auction_pass: ({ who }) => `${who} ne suit pas`,
  fight_begins: ({ n, m }) => {
    const price = m ? fill("pour {m} {m:pièce|pièces}", { m }, "fr") : "sans rien payer";
    return `${camp(n, "fr")} joue en premier, ${price}`;
  },
  turn_begins: ({ who, n }) => `tour ${n} : à ${who} de jouer`,
  turn_ends: ({ who }) => `${who} finit son tour`,
  cast: (facts) => {
    const { who, at } = facts;
    return `${who} lance ${spell(facts, "un sort")}${at}${onTarget(facts, "sur")}`;
  },
  step: ({ who, at }) => `${who} va${at || " hors de vue"}`,
  blocked: ({ who, cell }) =>
    `quelque chose d'invisible arrête ${who}${cell && ` avant ${cell}`}`,
  damage: ({ who, n, m }) => `${who} perd ${n} PV${m ? ` (l'armure absorbe ${m})` : ""}`,
  critical: ({ who }) => `coup critique porté par ${who}`,
  heal: ({ who, n }) => `${who} récupère ${n} PV`,
  costs_hp: ({ who, n }) => `cela coûte ${n} PV à ${who}`,
  timed: (facts) => effect(facts, FRENCH_TIMED),
  ended: (facts) => effect(facts, FRENCH_ENDED),
  loses_ap: (facts) => frenchLoss(facts, "PA"),
  loses_mp: (facts) => frenchLoss(facts, "PM"),
  gains_ap: ({ who, n }) => `${who} gagne ${n} PA`,
  gains_mp: ({ who, n }) => `${who} gagne ${n} PM`,
  pushed: ({ other, count, cell }) =>
    `la poussée déplace ${other} de ${count("{n} {n:case|cases}")}${upTo(cell)}`,
  pulled: ({ other, count, cell }) =>
    `l'attraction déplace ${other} de ${count("{n} {n:case|cases}")}${upTo(cell)}`,
  collides: ({ who, other, count }) =>
    `${who} heurte ${other} : ${count("{n} {n:case non parcourue|cases non parcourues}")}`,
  moved: ({ who, at }) => `${who} se retrouve${at || " ailleurs"}`,
  trap_laid: ({ who, names, what, at }) => `${who} pose un piège (${names.trap(what)})${at}`,
  trap_sprung: ({ other, names, what, at }) =>
    `${other} déclenche un piège (${names.trap(what)})${at}`,
  summoned: ({ other, at }) => `${other} entre en jeu${at}`,
  explodes: ({ names, what, at }) => `${names.summon(what)} explose${at}`,
  dies: ({ who, event }) =>
    isSummon(event) ? `${who} disparaît du plateau` : `${who} est hors combat`,
  bonus: ({ names, what, at }) => `un bonus apparaît${at} : ${names.bonus(what)}`,
  collects: ({ who, names, what }) => `${who} ramasse un bonus : ${names.bonus(what)}`,
  vanishes_from_sight: ({ who }) => `${who} devient invisible`,
  appears: ({ who, at }) => `${who} réapparaît${at}`,
  fails: ({ at }) => `échec : il y avait déjà quelque chose d'invisible${at}`,
  cooldowns: ({ who, count }) =>
    `${who} : ${count("{n} {n:tour|tours}")} de plus pour chaque relance en cours`,
  forfeits: ({ who }) => `${who} abandonne`,
  ends: (facts) => `fin du duel (${reason(facts, FRENCH_ENDS, "fr")}) : ${winner(facts, "fr")}`,
};

const ENGLISH: Sentences = {
  placed: ({ who, at }) => `${who} starts${at}`,
  bid: ({ who, count }) => `${who} raises to ${count("{n} {n:coin|coins}")}`,
  auction_pass: ({ who }) => `${who} does not follow`,
  fight_begins: ({ n, m }) => {
    const price = m ? fill("for {m} {m:coin|coins}", { m }, "en") : "for free";
    return `${camp(n, "en")} plays first, ${price}`;
  },
  turn_begins: ({ who, n }) => `tour ${n}: ${who} to play`,
  turn_ends: ({ who }) => `${who} ends the turn`,
  cast: (facts) => {
    const { who, at } = facts;
    return `${who} casts ${spell(facts, "a spell")}${at}${onTarget(facts, "on")}`;
  },
  step: ({ who, cell }) => `${who} walks${cell ? ` to ${cell}` : " out of sight"}`,
  blocked: ({ who, cell }) => `something unseen stops ${who}${cell && ` before ${cell}`}`,
  damage: ({ who, n, m }) => `${who} loses ${n} HP${m ? ` (armour takes ${m})` : ""}`,
  critical: ({ who }) => `critical hit by ${who}`,
  heal: ({ who, n }) => `${who} gets back ${n} HP`,
  costs_hp: ({ who, n }) => `it costs ${who} ${n} HP`,
  timed: (facts) => effect(facts, ENGLISH_TIMED),
  ended: (facts) => effect(facts, ENGLISH_ENDED),
  loses_ap: (facts) => englishLoss(facts, "AP"),
  loses_mp: (facts) => englishLoss(facts, "MP"),
  gains_ap: ({ who, n }) => `${who} gains ${n} AP`,
  gains_mp: ({ who, n }) => `${who} gains ${n} MP`,
  pushed: ({ other, count, cell }) =>
    `${other} is pushed ${count("{n} {n:cell|cells}")}${cell && ` to ${cell}`}`,
  pulled: ({ other, count, cell }) =>
    `${other} is pulled ${count("{n} {n:cell|cells}")}${cell && ` to ${cell}`}`,
  collides: ({ who, other, count }) =>
    `${who} collides with ${other}, ${count("{n} {n:cell|cells}")} short`,
  moved: ({ who, at }) => `${who} is now${at || " elsewhere"}`,
  trap_laid: ({ who, names, what, at }) => `${who} lays a trap (${names.trap(what)})${at}`,
  trap_sprung: ({ other, names, what, at }) => `${other} springs a trap (${names.trap(what)})${at}`,
  summoned: ({ other, at }) => `${other} comes into play${at}`,
  explodes: ({ names, what, at }) => `${names.summon(what)} explodes${at}`,
  dies: ({ who, event }) =>
    isSummon(event) ? `${who} leaves the board` : `${who} is out of the fight`,
  bonus: ({ names, what, at }) => `a bonus appears${at}: ${names.bonus(what)}`,
  collects: ({ who, names, what }) => `${who} takes a bonus: ${names.bonus(what)}`,
  vanishes_from_sight: ({ who }) => `${who} turns invisible`,
  appears: ({ who, at }) => `${who} is seen again${at}`,
  fails: ({ at }) => `it fails: something unseen was${at || " there"}`,
  cooldowns: ({ who, count }) =>
    `${who}: ${count("{n} {n:turn|turns}")} more on every running cooldown`,
  forfeits: ({ who }) => `${who} gives up`,
  ends: (facts) => `the duel is over (${reason(facts, ENGLISH_ENDS, "en")}): ${winner(facts, "en")}`,
};

const FRENCH_TIMED: Effects = {
  armour: ({ other, n }) => `${other} gagne ${n} d'armure`,
  resistance: ({ other, n }) => `${other} : résistance ${signed(n)} %`,
  power: ({ other, n }) => `${other} : dégâts ${signed(n)} %`,
  range: ({ other, n }) => `${other} : portée ${signed(n)}`,
  poison: ({ other, n }) => `${other} subit un poison : ${n} PV par tour`,
  anchor: ({ other }) => `rien ne peut plus déplacer ${other}`,
  delayed: ({ other }) => `un coup différé menace ${other}`,
  bonus_power: ({ other, n }) => `${other} : dégâts ${signed(n)} % pour ce tour`,
};

const FRENCH_ENDED: Effects = {
  armour: ({ who }) => `${who} : fin de l'armure`,
  resistance: ({ who, n }) => `${who} : fin de l'effet « résistance ${signed(n)} % »`,
  power: ({ who, n }) => `${who} : fin de l'effet « dégâts ${signed(n)} % »`,
  range: ({ who, n }) => `${who} : fin de l'effet « portée ${signed(n)} »`,
  poison: ({ who }) => `${who} : fin du poison`,
  anchor: ({ who }) => `on peut de nouveau déplacer ${who}`,
  delayed: ({ who }) => `le coup différé frappe ${who}`,
  bonus_power: ({ who, n }) => `${who} : fin de l'effet « dégâts ${signed(n)} % »`,
};

const ENGLISH_TIMED: Effects = {
  armour: ({ other, n }) => `${other} gains ${n} armour`,
  resistance: ({ other, n }) => `${other}: resistance ${signed(n)} %`,
  power: ({ other, n }) => `${other}: damage ${signed(n)} %`,
  range: ({ other, n }) => `${other}: range ${signed(n)}`,
  poison: ({ other, n }) => `${other} is poisoned: ${n} HP a turn`,
  anchor: ({ other }) => `nothing moves ${other} any more`,
  delayed: ({ other }) => `a delayed blow is on its way to ${other}`,
  bonus_power: ({ other, n }) => `${other}: damage ${signed(n)} % this turn`,
};

const ENGLISH_ENDED: Effects = {
  armour: ({ who }) => `${who}: armour ends`,
  resistance: ({ who, n }) => `${who}: resistance ${signed(n)} % ends`,
  power: ({ who, n }) => `${who}: damage ${signed(n)} % ends`,
  range: ({ who, n }) => `${who}: range ${signed(n)} ends`,
  poison: ({ who }) => `${who}: the poison ends`,
  anchor: ({ who }) => `${who} can be moved again`,
  delayed: ({ who }) => `the delayed blow strikes ${who}`,
  bonus_power: ({ who, n }) => `${who}: damage ${signed(n)} % ends`,
};

const FRENCH_ENDS: Record<Termination, string> = {
  knockout: "{camp} est hors combat",
  double_knockout: "les deux camps hors combat",
  forfeit: "{camp} abandonne",
  tour_limit: "limite de tours",
};

const ENGLISH_ENDS: Record<Termination, string> = {
  knockout: "{camp} is out of the fight",
  double_knockout: "both camps are out",
  forfeit: "{camp} gives up",
  tour_limit: "tour limit",
};

function effect(facts: Facts, words: Effects): string {
  return isOneOf(EFFECT_KINDS, facts.what) ? words[facts.what](facts) : facts.event.text;
}

// the camp that a duel's end is about is the one that loses
function reason(facts: Facts, words: Record<Termination, string>, spoken: Language): string {
  if (!isOneOf(TERMINATIONS, facts.what)) return facts.what;
  const [beaten, { own }] = [1 - facts.n, facts.names];
  const called = own === null ? camp(beaten, spoken) : SIDES[spoken][beaten === own ? 0 : 1];
  return fill(words[facts.what], { camp: called }, spoken);
}

function camp(number: number, spoken: Language): string {
  return CAMPS[spoken][number] ?? "";
}

function winner({ n, names }: Facts, spoken: Language): string {
  if (n < 0) return spoken === "fr" ? "match nul" : "a draw";
  if (names.own !== null) return OUTCOMES[spoken][n === names.own ? 0 : 1];
  return `${camp(n, spoken)} ${spoken === "fr" ? "gagne" : "wins"}`;
}

function spell({ event, names }: Facts, unknown: string): string {
  return names.cause(event.cause) ?? unknown;
}

// who casts on oneself is not named twice
function onTarget({ event, other }: Facts, word: string): string {
  return event.target === null || event.target === event.actor ? "" : ` ${word} ${other}`;
}

function isSummon(event: GameEvent): boolean {
  return event.actor_kind?.startsWith("summon:") ?? false;
}

function upTo(cell: string): string {
  return cell && `, jusqu'en ${cell}`;
}

// none lost and none dodged: there was none left to lose, or as many went as one turn may cost (R3)
function frenchLoss({ who, n, m }: Facts, points: string): string {
  if (!n && !m) return `aucun ${points} ne peut être retiré à ${who}`;
  if (!n) return `${who} esquive la perte de ${m} ${points}`;
  return `${who} perd ${n} ${points}${m ? ` (${m} de plus évité${m > 1 ? "s" : ""})` : ""}`;
}

function englishLoss({ who, n, m }: Facts, points: string): string {
  if (!n && !m) return `no ${points} can be taken from ${who}`;
  if (!n) return `${who} dodges the loss of ${m} ${points}`;
  return `${who} loses ${n} ${points}${m ? ` (${m} more dodged)` : ""}`;
}
