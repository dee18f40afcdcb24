// Figures, scenery and ground as SVG markup, around the centre of an isometric tile at 0, 0.

import { sign } from "./icons.ts";
import type { Cell } from "./types.ts";

export const TILE = { halfWidth: 32, halfHeight: 17 };

/** Where a cell's centre lies in the drawing. */
export function at([row, column]: Cell): { x: number; y: number } {
  return { x: (column - row) * TILE.halfWidth, y: (column + row) * TILE.halfHeight };
}

export const CAMP_COLOURS = ["#58b4f2", "#f2665a"] as const;

export const CLASS_COLOURS: Record<string, string> = {
  guerrier: "#b9c4d6",
  brute: "#c8643f",
  arcaniste: "#a884ff",
  ombre: "#4fbf9c",
  horloger: "#e0b04c",
  artificier: "#ef8b3c",
};

interface Palette {
  floor: readonly [string, string];
  left: string;
  right: string;
}

const STONE: Palette = { floor: ["#4b4460", "#453e59"], left: "#2a2539", right: "#221e30" };
const PALETTES: Record<string, Palette> = {
  caveau: STONE,
  grande_plaine: { floor: ["#5a6a3c", "#536338"], left: "#3d3322", right: "#322a1c" },
  gouffre: { floor: ["#7a5f46", "#715740"], left: "#443326", right: "#38291e" },
  anneau: { floor: ["#47586b", "#415163"], left: "#283341", right: "#202a36" },
  haies: { floor: ["#6b6a48", "#636242"], left: "#3d3a26", right: "#322f1f" },
  entrepot: { floor: ["#6b5540", "#634e3a"], left: "#3d2f22", right: "#31261b" },
  carriere: { floor: ["#7d6f5c", "#746755"], left: "#463d31", right: "#3a3228" },
  temple: { floor: ["#75706a", "#6c6761"], left: "#413d3a", right: "#353230" },
  canal: { floor: ["#5f6670", "#575e68"], left: "#333a44", right: "#2a3039" },
};

export function palette(map: string): Palette {
  return PALETTES[map] ?? STONE;
}

/** The points of a tile's top, shrunk by `inset` and lifted by `lift`. */
export function diamond(inset = 0, lift = 0): string {
  const [w, h] = [TILE.halfWidth - inset, TILE.halfHeight - inset * (TILE.halfHeight / TILE.halfWidth)];
  return `0,${-h - lift} ${w},${-lift} 0,${h - lift} ${-w},${-lift}`;
}

/** A block on a tile: its two visible sides and its top. */
function block(height: number, inset: number, top: string, left: string, right: string): string {
  const [w, h] = [TILE.halfWidth - inset, TILE.halfHeight - inset * (TILE.halfHeight / TILE.halfWidth)];
  return (
    `<path fill="${left}" d="M${-w} 0V${-height}L0 ${h - height}V${h}z"/>` +
    `<path fill="${right}" d="M${w} 0V${-height}L0 ${h - height}V${h}z"/>` +
    `<polygon fill="${top}" points="${diamond(inset, height)}"/>`
  );
}

/** The side of the ground where it falls into the void: "left" or "right". */
export function cliff(side: "left" | "right", fill: string): string {
  const w = side === "left" ? -TILE.halfWidth : TILE.halfWidth;
  return `<path fill="${fill}" d="M${w} 0v12L0 ${TILE.halfHeight + 12}V${TILE.halfHeight}z"/>`;
}

const SCENERY: Record<string, () => string> = {
  W: () =>
    block(26, 0, "#8d8798", "#5d5769", "#494454") +
    '<path fill="none" stroke="#00000038" stroke-width="1.3" d="M-32 -13 0 4 32 -13M-32 -26 0 -9 32 -26M-16 -17.500v-12.500M-22 -7.500v11.500M-8 13v-12M16 -17.500v-12.500M22 -7.500v11.500M8 13v-12"/>' +
    `<polygon fill="none" stroke="#ffffff26" points="${diamond(0.5, 26)}"/>`,
  H: () =>
    block(18, 2, "#4f8a45", "#2f5a30", "#264a28") +
    '<g fill="#5f9c50"><circle cx="-14" cy="-18" r="7"/><circle cx="2" cy="-24" r="8"/><circle cx="14" cy="-17" r="7"/></g>' +
    '<g fill="#78b562"><circle cx="-3" cy="-14" r="6"/><circle cx="-12" cy="-21" r="3.5"/><circle cx="9" cy="-24" r="4"/></g>' +
    '<g fill="#3d7038"><circle cx="-20" cy="-6" r="4"/><circle cx="-8" cy="4" r="4"/><circle cx="12" cy="2" r="4"/><circle cx="22" cy="-7" r="4"/></g>',
  C: () =>
    block(20, 5, "#b98a53", "#8a6038", "#6f4c2c") +
    '<path fill="none" stroke="#4a3019" stroke-width="2" d="M-26 -2V-18M0 12V-5M26 -2V-18M-25 -16 -2 11M2 11 25 -16"/>' +
    `<polygon fill="none" stroke="#4a3019" stroke-width="1.6" points="${diamond(8, 20)}"/>`,
  R: () =>
    '<path fill="#5a5550" d="M-27 2-20-16-6-6 0 15z"/><path fill="#746d66" d="M-20-16-8-32 8-28-6-6z"/>' +
    '<path fill="#948c83" d="M-8-32 8-28 20-14-6-6z" opacity=".9"/><path fill="#655f58" d="M-6-6 20-14 28 0 0 15z"/><path fill="#4c4742" d="M28 0 20-14 10 10z"/>' +
    '<path fill="#6f9150" d="M-8-32 0-30-6-24z" opacity=".7"/>',
  V: () =>
    block(24, 1, "#756a8c", "#4b4260", "#3d3550") +
    '<path fill="#1b1628" d="M-24 4V-7c0-6 5-8 9-5s6 7 6 12V11z"/><path fill="#ffb45a" opacity=".55" d="M-20 5v-9c0-4 3-5 5-3s3 5 3 8v6z"/>' +
    `<polygon fill="none" stroke="#a99ac4" stroke-opacity=".4" points="${diamond(7, 24)}"/>`,
};

/** An obstacle by its sign in the map's drawing. */
export function scenery(mark: string): string {
  return (SCENERY[mark] ?? SCENERY["W"])();
}

// what each class wears on its head, over the common figure
const HEADS: Record<string, string> = {
  guerrier:
    '<path fill="#d7deea" d="M-8-48c0-6 3.5-10 8-10s8 4 8 10v5H3v-5H-3v5h-5z"/><path fill="#d8584a" d="M-1.5-64c5-1 9 2 8 8-2-3-5-3-8-1z"/>',
  brute:
    '<path fill="#e8ddc8" d="M-7-53c-6 0-9-4-8-10 2 4 5 5 9 5zM7-53c6 0 9-4 8-10-2 4-5 5-9 5z"/><path fill="#6d3423" d="M-8-50c0-5 3-8 8-8s8 3 8 8l-3 2h-10z"/>',
  arcaniste: '<path fill="#6f4fd0" d="M-14-50c6-3 22-3 28 0-4 2-24 2-28 0zM-8-51 2-74l-1 6 5 4 2 13z"/><circle cx="1" cy="-56" r="1.8" fill="#ffe08a"/>',
  ombre: '<path fill="#1f3f3a" d="M-10-41c-1-12 4-19 10-19s11 7 10 19c-3-8-6-10-10-10s-7 2-10 10z"/><path fill="#8ff5d2" d="M-4.5-48h3v1.800h-3zM1.5-48h3v1.800h-3z"/>',
  horloger: '<path fill="#5a3d22" d="M-12-52h24v3h-24zM-7-66H7v14H-7z"/><path fill="#e0b04c" d="M-7-56H7v3H-7z"/><circle cx="3.5" cy="-46" r="3" fill="#fff4c8" stroke="#8a6420" stroke-width="1.2"/>',
  artificier: '<path fill="#8a4a1e" d="M-9-49c0-6 4-10 9-10s9 4 9 10z"/><g fill="#bfe7f2" stroke="#3b2a1c" stroke-width="1.5"><circle cx="-4" cy="-49" r="3.5"/><circle cx="4" cy="-49" r="3.5"/></g>',
};

function heroFigure(name: string, camp: number): string {
  const colour = CLASS_COLOURS[name] ?? "#cccccc";
  return (
    `<path fill="${CAMP_COLOURS[camp]}" d="M-13 4C-15-14-12-34-8-40H8C12-34 15-14 13 4 5 8-5 8-13 4z"/>` +
    '<path fill="#000" opacity=".28" d="M0-40H8C12-34 15-14 13 4 8 6.5 4 7 0 7z"/>' +
    `<path fill="${colour}" d="M-9-36C-7-41 7-41 9-36L6-27C2-25-2-25-6-27z"/>` +
    '<circle cx="0" cy="-47" r="8" fill="#e9c39b"/><path fill="#000" opacity=".14" d="M0-55a8 8 0 0 1 0 16z"/>' +
    '<path fill="#2b1d14" d="M-4-48.500h2v3h-2zM2-48.500h2v3H2z"/>' +
    (HEADS[name] ?? "") +
    `<circle cx="0" cy="-14" r="9.5" fill="#17131f" opacity=".82"/><g color="${colour}" transform="translate(-7.2 -21.2) scale(.6)">${sign(name)}</g>`
  );
}

const SUMMONS: Record<string, (colour: string) => string> = {
  banniere: (colour) => flag(colour),
  etendard: (colour) => flag(colour, "power"),
  elementaire_flamme: () => spirit("#ff9a3d", "#ffe08a"),
  elementaire_givre: () => spirit("#6fc8ff", "#e8fbff"),
  automate: (colour) => robot(colour, "#d0a24c"),
  automate_gardien: (colour) => robot(colour, "#93a7b8"),
  charge_explosive: (colour) => bomb(colour, "#3a3442"),
  charge_fumante: (colour) => bomb(colour, "#6b7d6a"),
  charge_de_recul: (colour) => bomb(colour, "#77583a"),
  barricade: () => block(20, 6, "#a87a46", "#7c5630", "#644424") + '<path stroke="#3d2814" stroke-width="2" d="M-25-9 -1 5M1 5 25-9"/>',
};

function flag(colour: string, mark = "armour"): string {
  return `<path fill="#6d5236" d="M-2 4V-56h3V4z"/><path fill="${colour}" d="M1-55c9-4 14 4 24 0v22c-10 4-15-4-24 0z"/><g color="#fff" transform="translate(5 -52) scale(.66)">${sign(mark)}</g>`;
}

function spirit(colour: string, core: string): string {
  return `<path fill="${colour}" opacity=".9" d="M0 2c-12 0-15-10-12-19 2-6 6-8 6-16 5 3 6 7 6 11 2-3 3-6 2-11 8 6 12 14 10 22C11-3 8 2 0 2z"/><path fill="${core}" d="M0-1c-6 0-8-5-6-10s4-5 4-9c5 4 9 8 8 13C5-3 4-1 0-1z"/><path fill="#2b1d14" d="M-4-9h2.500v3h-2.500zM2-9h2.500v3H2z"/>`;
}

function robot(colour: string, metal: string): string {
  return `<rect x="-11" y="-10" width="8" height="13" rx="2" fill="#4b4038"/><rect x="3" y="-10" width="8" height="13" rx="2" fill="#4b4038"/><rect x="-14" y="-33" width="28" height="24" rx="5" fill="${metal}"/><rect x="0" y="-33" width="14" height="24" rx="5" fill="#000" opacity=".18"/><rect x="-9" y="-47" width="18" height="13" rx="4" fill="${metal}"/><path fill="${colour}" d="M-6-43h4v4h-4zM2-43h4v4H2z"/><circle cx="0" cy="-21" r="5.5" fill="#2a221c"/><circle cx="0" cy="-21" r="3" fill="${colour}"/>`;
}

function bomb(colour: string, body: string): string {
  return `<circle cx="0" cy="-10" r="13" fill="${body}"/><path fill="#fff" opacity=".25" d="M-8-15a9 9 0 0 1 7-6 12 12 0 0 0-5 8z"/><path fill="none" stroke="${colour}" stroke-width="3" d="M-12.5-8C-6-3 6-3 12.5-8"/><path fill="none" stroke="#c9a46a" stroke-width="2" d="M4-22c2-5 6-3 7-7"/><circle class="spark" cx="11" cy="-30" r="2.8" fill="#ffd35a"/>`;
}

/** Height of a figure, where its bars go. */
export function figureHeight(kind: string): number {
  if (kind === "hero") return 74;
  if (kind.startsWith("charge") || kind === "barricade") return 38;
  return kind.startsWith("elementaire") ? 42 : 62;
}

/** A fighter's figure: "hero" with its class, or a summon's id. */
export function figure(kind: string, heroClass: string | null, camp: number): string {
  const colour = CAMP_COLOURS[camp];
  const body = kind === "hero" ? heroFigure(heroClass ?? "", camp) : (SUMMONS[kind] ?? flag)(colour);
  return (
    '<ellipse cx="0" cy="3" rx="21" ry="11" fill="#000" opacity=".35"/>' +
    `<ellipse class="base" cx="0" cy="2" rx="20" ry="10.5" fill="${colour}" fill-opacity=".22" stroke="${colour}" stroke-width="2.2"/>` +
    `<g class="body">${body}</g>`
  );
}

export const BONUS_COLOURS: Record<string, string> = {
  ap: "#6fb7ff",
  mp: "#7ddc86",
  heal: "#ff8fa0",
  armour: "#d5dbe6",
  power: "#ffae4d",
  range: "#d9a6ff",
};

/** A terrain bonus, floating over its cell. */
export function bonus(kind: string): string {
  const colour = BONUS_COLOURS[kind] ?? "#ffffff";
  return (
    `<ellipse cx="0" cy="2" rx="13" ry="6.5" fill="${colour}" opacity=".3"/>` +
    `<g class="floating"><circle cx="0" cy="-13" r="10.5" fill="#1a1522" stroke="${colour}" stroke-width="2"/><g color="${colour}" transform="translate(-6.6 -19.6) scale(.55)">${sign(kind)}</g></g>`
  );
}

/** The centre of an own trap. */
export function trap(kind: string, camp: number): string {
  const colour = CAMP_COLOURS[camp];
  return `<ellipse cx="0" cy="0" rx="15" ry="8" fill="#120e18" opacity=".7" stroke="${colour}" stroke-dasharray="3 2"/><g color="${colour}" transform="translate(-8.4 -9.5) scale(.7 .62)">${sign(kind)}</g>`;
}
