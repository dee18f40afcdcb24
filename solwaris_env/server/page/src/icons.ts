// Emblems and signs, drawn on a square of 24 by 24.

import { picture } from "./dom.ts";

const FILLED = 'fill="currentColor" stroke="none"';
const LINE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';

const SIGNS: Record<string, string> = {
  guerrier: `<path ${FILLED} d="M12 2 4 5v6c0 5.2 3.4 9 8 11 4.6-2 8-5.8 8-11V5z" opacity=".35"/><path ${LINE} d="M12 2 4 5v6c0 5.2 3.4 9 8 11 4.6-2 8-5.8 8-11V5z M12 6v11 M8.5 13.5h7"/>`,
  brute: `<path ${FILLED} d="M5 12c0-3.5 3-6 7-6s7 2.5 7 6c0 2.5-1.3 4-2.5 5v3h-9v-3C6.3 16 5 14.5 5 12z" opacity=".35"/><path ${LINE} d="M5 10C2.5 8.5 2 5 3 2.5 4 5 6 6.5 8.3 6.7 M19 10c2.5-1.5 3-5 2-7.5-1 2.5-3 4-5.3 4.2 M5 12c0-3.5 3-6 7-6s7 2.5 7 6c0 2.5-1.3 4-2.5 5v3h-9v-3C6.3 16 5 14.5 5 12z M9 12l1.5 1.5 M15 12l-1.5 1.5"/>`,
  arcaniste: `<path ${FILLED} d="M12 2l2.4 6.6L21 11l-6.6 2.4L12 20l-2.4-6.6L3 11l6.6-2.4z" opacity=".4"/><path ${LINE} d="M12 2l2.4 6.6L21 11l-6.6 2.4L12 20l-2.4-6.6L3 11l6.6-2.4z M19 17v4 M17 19h4"/>`,
  ombre: `<path ${FILLED} d="M15 2.5A9.5 9.5 0 1 0 15 21.5 7.5 9.5 0 0 1 15 2.5z" opacity=".4"/><path ${LINE} d="M15 2.5A9.5 9.5 0 1 0 15 21.5 7.5 9.5 0 0 1 15 2.5z M20 8l-6.5 6.5 M13 12l3.5 3.5"/>`,
  horloger: `<circle cx="12" cy="12" r="7" ${FILLED} opacity=".3"/><circle cx="12" cy="12" r="7" ${LINE}/><path ${LINE} d="M12 8v4l3 2 M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.4 1.4 M17.6 17.6 19 19 M5 19l1.4-1.4 M17.6 6.4 19 5"/>`,
  artificier: `<circle cx="10.5" cy="14.5" r="7" ${FILLED} opacity=".4"/><circle cx="10.5" cy="14.5" r="7" ${LINE}/><path ${LINE} d="M15 9.5l2-2c1.2-1.2 1-3 3-3.5 M20.5 7.5h1.5 M18 2.5V1 M7 13a4 4 0 0 1 3-2.5"/>`,
  damage: `<path ${LINE} d="M20 3 9 14 M20 3v4.5L11.5 16 M20 3h-4.5L7 11.5 M5.5 12.5l6 6 M7.5 15.5 4 19 M3 18l3 3"/>`,
  heal: `<path ${FILLED} d="M12 20.5C6 16 3 12.8 3 9a4.7 4.7 0 0 1 9-2 4.7 4.7 0 0 1 9 2c0 3.8-3 7-9 11.5z" opacity=".3"/><path ${LINE} d="M12 20.5C6 16 3 12.8 3 9a4.7 4.7 0 0 1 9-2 4.7 4.7 0 0 1 9 2c0 3.8-3 7-9 11.5z M12 9v6 M9 12h6"/>`,
  armour: `<path ${FILLED} d="M12 3 5 5.5V11c0 4.5 3 8 7 10 4-2 7-5.5 7-10V5.5z" opacity=".3"/><path ${LINE} d="M12 3 5 5.5V11c0 4.5 3 8 7 10 4-2 7-5.5 7-10V5.5z"/>`,
  resistance: `<path ${LINE} d="M12 3 5 5.5V11c0 4.5 3 8 7 10 4-2 7-5.5 7-10V5.5z M8.5 15l7-7 M9 8.5h.01 M15 14.5h.01"/>`,
  power: `<path ${FILLED} d="M12 2c1 4 6 6.5 6 12a6 6 0 0 1-12 0c0-3 1.5-4.5 2.5-6 .5 2 1.5 3 2.5 3 .5-3-.5-6 1-9z" opacity=".35"/><path ${LINE} d="M12 2c1 4 6 6.5 6 12a6 6 0 0 1-12 0c0-3 1.5-4.5 2.5-6 .5 2 1.5 3 2.5 3 .5-3-.5-6 1-9z"/>`,
  range: `<circle cx="12" cy="12" r="8" ${LINE}/><circle cx="12" cy="12" r="3" ${LINE}/><path ${LINE} d="M12 1v4 M12 19v4 M1 12h4 M19 12h4"/>`,
  push: `<path ${LINE} d="M4 5v14 M8 12h12 M15 7l5 5-5 5"/>`,
  pull: `<path ${LINE} d="M4 5v14 M20 12H8 M13 7l-5 5 5 5"/>`,
  swap: `<path ${LINE} d="M4 9h14 M14 5l4 4-4 4 M20 15H6 M10 11l-4 4 4 4"/>`,
  teleport: `<path ${LINE} d="M3 18c2-9 12-12 17-5 M20 7v6h-6"/><circle cx="3.5" cy="19" r="1.5" ${FILLED}/>`,
  dash: `<path ${LINE} d="M3 7h7 M2 12h9 M3 17h7 M13 6l6 6-6 6"/>`,
  return: `<path ${LINE} d="M4 10h10a5 5 0 0 1 0 10h-4 M8 6l-4 4 4 4"/>`,
  summon: `<path ${FILLED} d="M12 2l7 7-7 13L5 9z" opacity=".3"/><path ${LINE} d="M12 2l7 7-7 13L5 9z M5 9h14 M9 9l3 13 3-13"/>`,
  trap: `<path ${LINE} d="M3 18a9 9 0 0 1 18 0 M3 18h18 M6.5 18l1.5-4 2 4 2-4 2 4 2-4 1.5 4"/>`,
  poison: `<path ${FILLED} d="M12 3c3 4.5 6 7.5 6 11.5a6 6 0 0 1-12 0C6 10.5 9 7.5 12 3z" opacity=".35"/><path ${LINE} d="M12 3c3 4.5 6 7.5 6 11.5a6 6 0 0 1-12 0C6 10.5 9 7.5 12 3z M10 14h.01 M14 14h.01 M10.5 17.5h3"/>`,
  invisible: `<path ${LINE} d="M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7z M4 20 20 4"/>`,
  eye: `<path ${LINE} d="M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7z"/><circle cx="12" cy="12" r="3" ${LINE}/>`,
  anchor: `<path ${LINE} d="M12 8v13 M8 11h8 M4 14c0 4 3.5 7 8 7s8-3 8-7"/><circle cx="12" cy="5" r="2.5" ${LINE}/>`,
  detonate: `<path ${FILLED} d="M12 1l2.5 6L21 4l-3 6.5 5 2.5-5.5 2 1.5 6-5.5-3L12 23l-2.5-5L4 20l2-5.5L1 12l5.5-2L4 4l5.5 3z" opacity=".3"/><path ${LINE} d="M12 1l2.5 6L21 4l-3 6.5 5 2.5-5.5 2 1.5 6-5.5-3L12 23l-2.5-5L4 20l2-5.5L1 12l5.5-2L4 4l5.5 3z"/>`,
  cooldown: `<path ${LINE} d="M6 3h12 M6 21h12 M7 3c0 5 5 6 5 9s-5 4-5 9 M17 3c0 5-5 6-5 9s5 4 5 9"/>`,
  chain: `<path ${LINE} d="M13 2 5 13h6l-2 9 9-12h-6z"/>`,
  ap: `<path ${FILLED} d="M12 2l2.7 6.5 7 .6-5.3 4.6 1.6 6.9L12 17l-6 3.6 1.6-6.9L2.3 9.1l7-.6z"/>`,
  mp: `<path ${FILLED} d="M7 2h6l.5 9 6 3.5c1.5 1 2 2 2 4.5H7z"/><path d="M7 22h15" ${LINE}/>`,
  remove_ap: `<path ${LINE} d="M12 3l2.4 5.8 6.2.5-4.7 4 1.4 6.2-5.3-3.2-5.3 3.2 1.4-6.2-4.7-4 6.2-.5z M8.5 11.5h7"/>`,
  remove_mp: `<path ${LINE} d="M7 3h5l.5 8 6 3.5c1.3.8 1.5 1.5 1.5 3.5H7z M3 21 21 9"/>`,
  flag: `<path ${LINE} d="M6 22V3 M6 4c5-2 7 2 13 0v9c-6 2-8-2-13 0"/>`,
  barricade: `<path ${LINE} d="M3 9h18 M3 15h18 M6 5v14 M12 5v14 M18 5v14"/>`,
  automate: `<rect x="6" y="8" width="12" height="10" rx="2" ${LINE}/><path ${LINE} d="M12 8V4 M9.5 12.5h.01 M14.5 12.5h.01 M9 18v3 M15 18v3 M10 3h4"/>`,
  dice: `<rect x="4" y="4" width="16" height="16" rx="3" ${LINE}/><path d="M8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/>`,
  person: `<circle cx="12" cy="7.5" r="4" ${FILLED} opacity=".35"/><circle cx="12" cy="7.5" r="4" ${LINE}/><path ${LINE} d="M4 21c0-4.5 3.5-7 8-7s8 2.5 8 7"/>`,
  clock: `<circle cx="12" cy="12" r="9" ${LINE}/><path ${LINE} d="M12 7v5l3.5 2"/>`,
  fit: `<path ${LINE} d="M4 9V4h5 M20 15v5h-5 M15 4h5v5 M9 20H4v-5"/>`,
  list: `<path ${LINE} d="M4 6h16 M4 12h16 M4 18h16"/>`,
};

// spells are known by their deed: the first of these that one of its effects does
const TELLING = [
  "summon", "trap", "detonate_all", "detonate", "invisible", "return", "teleport", "dash", "swap", "anchor",
  "chain", "delayed", "cooldown", "poison", "pull", "push", "remove_ap", "remove_mp", "armour", "power",
  "range", "resistance", "heal", "heal_lost", "gain_ap", "gain_mp", "damage",
];
const ALIKE: Record<string, string> = {
  detonate_all: "detonate", delayed: "cooldown", heal_lost: "heal", gain_ap: "ap", gain_mp: "mp",
  banniere: "flag", etendard: "flag", elementaire_flamme: "power", elementaire_givre: "arcaniste",
  automate_gardien: "automate", charge_explosive: "artificier", charge_fumante: "artificier",
  charge_de_recul: "artificier", bonus_power: "power", fosse: "trap", piege_a_pointes: "trap",
  mauvais_oeil: "invisible", piege_de_glu: "poison", piege_a_ressort: "push",
};

/** The markup of a sign; unknown ones get the summon's gem. */
export function sign(name: string): string {
  return SIGNS[name] ?? SIGNS[ALIKE[name] ?? "summon"];
}

/** An inline picture of a sign. */
export function icon(name: string, className = "icon"): SVGSVGElement {
  return picture(sign(name), className, "0 0 24 24");
}

/** The sign of a spell, by what it does. */
export function spellSign(spell: { effects: { kind: string }[] }): string {
  const deeds = new Set(spell.effects.map((effect) => effect.kind));
  return TELLING.find((kind) => deeds.has(kind)) ?? "damage";
}
