// What the server's catalogue holds, and the client's types under one roof.

import type { Cell, Opponent } from "../../clients/typescript/solwaris.ts";

export type {
  Action,
  Cell,
  Clock,
  Effect,
  Entity,
  Frame,
  GameEvent,
  Hero,
  Legal,
  Opponent,
  Outcome,
  SeatState,
  State,
  Step,
  Trap,
  View,
} from "../../clients/typescript/solwaris.ts";

export interface Described {
  text: string;
  texte: string;
}

export interface Area {
  shape: "circle" | "cross" | "line" | "diagonal";
  size: number;
}

export interface SpellEffect {
  kind: string;
  on: "target" | "caster" | "area" | "others" | "enemies" | "allies";
  min?: number;
  max?: number;
  points?: number;
  percent?: number;
  cells?: number;
  collision?: number;
  tries?: number;
  radius?: number;
  turns?: number;
  bonus?: number;
  below?: number;
  steal?: number;
  per_loss?: number;
  pierce?: boolean;
  summon?: SummonSheet;
  trap?: TrapSheet;
}

export interface Spell extends Described {
  id: string;
  name: string;
  slot: number; // from 1 on
  version: "original" | "variant";
  cost: number;
  hp_cost: number;
  range: [least: number, greatest: number];
  line: boolean;
  sight: boolean;
  target: string;
  area: Area | null;
  from_departure: boolean;
  per_turn: number; // 0: no limit
  cooldown: number;
  effects: SpellEffect[];
  sentence: string;
}

export interface Passive extends Described {
  id: string;
  name: string;
  version: "original" | "variant";
  kind: string;
  value: number;
  value2: number;
}

export interface ClassSheet {
  id: string;
  name: string;
  idea: string;
  idee: string;
  hints: string[];
  hp: number;
  ap: number;
  mp: number;
  ap_resist: number;
  mp_resist: number;
  passives: Passive[];
  spells: Spell[];
}

export interface SummonSheet extends Described {
  id: string;
  name: string;
  group: string;
  limit: number;
  hp: number;
  ap: number;
  mp: number;
  mobile: boolean;
  charge: boolean;
  spell: Spell | null;
  aura: { kind: string; percent: number; radius: number } | null;
  area: Area | null;
  effects: SpellEffect[];
}

export interface TrapSheet extends Described {
  id: string;
  name: string;
  turns: number;
  area: Area;
  effects: SpellEffect[];
}

export interface BonusSheet extends Described {
  id: string;
  name: string;
  value: number;
  turns: number;
}

export interface MapSheet {
  id: string;
  name: string;
  idea: string;
  playable: number;
  height: number;
  width: number;
  top: number;
  left: number;
  terrain: string[]; // the canvas: " " void, "." floor, else an obstacle
  zones: string[]; // the canvas: "1" and "2" where a camp starts
}

/** Numbers of the rules that no sheet has. */
export interface Constants {
  tour_limit: number; // E3
  bid_step: number; // coins (A2)
  critical_chance: number; // %, of who has no passive for it (D2)
  most_resistance: number; // % (D3)
  collision: number; // HP a cell not travelled (F2)
}

export interface Catalogue {
  opponents: Opponent[];
  rules: string;
  canvas: { height: number; width: number };
  classes: ClassSheet[];
  summons: SummonSheet[];
  traps: TrapSheet[];
  bonuses: BonusSheet[];
  maps: MapSheet[];
  clocks: Record<string, number>;
  constants: Constants;
}

/** Cells that the board marks, by what they mean. */
export interface Marks {
  reach: readonly Cell[];
  path: readonly Cell[];
  range: readonly Cell[];
  targets: readonly Cell[];
  area: readonly Cell[];
  zone: readonly Cell[];
}
