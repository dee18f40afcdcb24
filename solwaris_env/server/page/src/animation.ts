// One event of a step in motion, on a board.

import { raise, reducedMotion, s } from "./dom.ts";
import type { Piece } from "./board.ts";
import { at, diamond } from "./figures.ts";
import { percent, signed, t } from "./i18n.ts";
import type { Cell, GameEvent, View } from "./types.ts";

/** What an animation needs of a board. */
export interface Stage {
  readonly effects: SVGGElement;
  piece(number: number | null): Piece | null;
  put(number: number, cell: Cell): Piece | null;
  bring(number: number, view: View): Piece | null;
}

interface Scene {
  stage: Stage;
  event: GameEvent;
  view: View;
  pause(milliseconds: number): number;
}

type Act = (scene: Scene) => Promise<void> | void;

const ACTS: Record<string, Act> = {
  placed: appear,
  step: (scene) => travel(scene, scene.event.actor, 170, 3),
  moved: (scene) => travel(scene, scene.event.actor, 320, 34),
  pushed: (scene) => travel(scene, scene.event.target, 240, 0),
  pulled: (scene) => travel(scene, scene.event.target, 240, 0),
  blocked: (scene) => bump(scene, scene.event.actor),
  collides: (scene) => bump(scene, scene.event.actor),
  cast,
  damage: hurt,
  costs_hp: hurt,
  heal,
  critical: (scene) => float(scene, scene.event.actor, "✦", "critical"),
  loses_ap: (scene) => points(scene, "−", "entity.ap"),
  loses_mp: (scene) => points(scene, "−", "entity.mp"),
  gains_ap: (scene) => points(scene, "+", "entity.ap"),
  gains_mp: (scene) => points(scene, "+", "entity.mp"),
  timed: (scene) => float(scene, scene.event.target, effectWord(scene.event), "effect"),
  trap_laid: (scene) => ring(scene, "trap"),
  trap_sprung: (scene) => ring(scene, "blast"),
  explodes: (scene) => ring(scene, "blast"),
  fails: (scene) => ring(scene, "trap"),
  summoned: appear,
  appears: appear,
  vanishes_from_sight: (scene) => fade(scene, scene.event.actor, 250),
  dies: (scene) => fade(scene, scene.event.actor, 600),
  collects: (scene) => float(scene, scene.event.actor, "★", "heal"),
};

/** Play one event; `speed` 2 takes half the time. With reduced motion only numbers are shown. */
export async function play(stage: Stage, event: GameEvent, view: View, speed: number): Promise<void> {
  const act = ACTS[event.kind];
  if (!act || document.hidden) return;
  await act({ stage, event, view, pause: (milliseconds) => (reducedMotion() ? 0 : milliseconds / speed) });
}

function wait(milliseconds: number): Promise<void> {
  return milliseconds <= 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, milliseconds));
}

async function run(element: Element, frames: Keyframe[], duration: number, easing = "ease-in-out"): Promise<void> {
  if (duration <= 0) return;
  await element.animate(frames, { duration, easing }).finished.catch(() => undefined);
}

async function travel({ stage, event, pause }: Scene, number: number | null, time: number, hop: number): Promise<void> {
  const from = stage.piece(number)?.cell;
  if (number === null || !event.cell) return;
  const piece = stage.put(number, event.cell);
  if (!piece || !from) return;
  const [start, end] = [at(from), at(event.cell)];
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - hop };
  const frames = [start, middle, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  await run(piece.root, frames, pause(time), "linear");
}

async function appear({ stage, event, view, pause }: Scene): Promise<void> {
  const number = event.kind === "summoned" ? event.target : event.actor;
  if (number === null || !event.cell || !stage.bring(number, view)) return;
  const piece = stage.put(number, event.cell);
  if (piece) await run(piece.root, [{ opacity: 0 }, { opacity: 1 }], pause(260));
}

async function fade({ stage, pause }: Scene, number: number | null, time: number): Promise<void> {
  const piece = stage.piece(number);
  if (!piece) return;
  const body = piece.root.firstElementChild;
  if (body && time > 300) void run(body, [{ transform: "none" }, { transform: "translateY(10px) scale(1.1, .3)" }], pause(time), "ease-in");
  await run(piece.root, [{ opacity: 1 }, { opacity: 0 }], pause(time));
  piece.root.remove();
}

async function bump({ stage, pause }: Scene, number: number | null): Promise<void> {
  const body = stage.piece(number)?.root.firstElementChild;
  if (body) await run(body, [{ transform: "none" }, { transform: "translateX(5px)" }, { transform: "translateX(-4px)" }, { transform: "none" }], pause(160));
}

async function cast({ stage, event, pause }: Scene): Promise<void> {
  const caster = stage.piece(event.actor);
  if (!caster || !event.cell) return;
  const body = caster.root.firstElementChild;
  if (body) void run(body, [{ filter: "none" }, { filter: "brightness(1.9) drop-shadow(0 0 6px #ffd79a)" }, { filter: "none" }], pause(360));
  if (!caster.cell) return;
  const [start, end] = [at(caster.cell), at(event.cell)];
  const bolt = s("circle", { r: 6, class: "bolt" });
  stage.effects.append(bolt);
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const frames = [start, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y - 28}px)` }));
  await run(bolt, frames, pause(length < 1 ? 0 : 120 + length * 0.45), "ease-in");
  bolt.remove();
}

async function hurt(scene: Scene): Promise<void> {
  const { stage, event, pause } = scene;
  const piece = stage.piece(event.actor);
  const lost = event.value ?? 0;
  if (event.value2) float(scene, event.actor, `−${event.value2}`, "armour");
  float(scene, event.actor, `−${lost}`, "damage");
  if (!piece) return;
  piece.hp -= lost;
  const body = piece.root.firstElementChild;
  if (body) await run(body, [{ filter: "none" }, { filter: "brightness(2.2) saturate(.3)" }, { filter: "none" }], pause(200));
}

async function heal(scene: Scene): Promise<void> {
  const piece = scene.stage.piece(scene.event.actor);
  float(scene, scene.event.actor, `+${scene.event.value ?? 0}`, "heal");
  if (piece) piece.hp += scene.event.value ?? 0;
  await wait(scene.pause(160));
}

async function points(scene: Scene, mark: string, word: "entity.ap" | "entity.mp"): Promise<void> {
  if (!scene.event.value) return;
  float(scene, scene.event.actor, `${mark}${scene.event.value} ${t(word)}`, "points");
  await wait(scene.pause(140));
}

// what rises where an effect is laid: its word, and how its value is written
const EFFECTS = {
  armour: ["entity.armour", signed],
  resistance: ["entity.resistance", percent],
  power: ["entity.power", percent],
  bonus_power: ["entity.power", percent],
  range: ["entity.range", signed],
} as const;

function effectWord({ what, value }: GameEvent): string {
  if (!what || !value || !Object.hasOwn(EFFECTS, what)) return "";
  const [word, written] = EFFECTS[what as keyof typeof EFFECTS];
  return `${t(word)} ${written(value)}`;
}

// a number rises above those that are there rather than over them
function float({ stage, pause }: Scene, number: number | null, text: string, kind: string): void {
  const cell = stage.piece(number)?.cell;
  if (!cell || text === "") return;
  const { x, y } = at(cell);
  const others = [...stage.effects.querySelectorAll<SVGTextElement>(".float")];
  const label = s("text", { class: `float ${kind}`, x, y: y - 58 }, text);
  stage.effects.append(label);
  raise(label, others);
  const time = Math.max(pause(1100), 700);
  const still = [{ opacity: 1 }, { opacity: 1 }, { opacity: 0 }];
  const rising = [
    { opacity: 0, transform: "translateY(14px)" },
    { opacity: 1, transform: "translateY(0)", offset: 0.15 },
    { opacity: 1, transform: "translateY(-12px)", offset: 0.7 },
    { opacity: 0, transform: "translateY(-26px)" },
  ];
  void run(label, pause(1) === 0 ? still : rising, time, "ease-out").then(() => label.remove());
}

async function ring({ stage, event, pause }: Scene, kind: string): Promise<void> {
  if (!event.cell) return;
  const { x, y } = at(event.cell);
  const shape = s("polygon", { class: `ring ${kind}`, points: diamond() });
  stage.effects.append(shape);
  const frames = [0.3, 2.2].map((scale, n) => ({ transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 1 - n }));
  await run(shape, frames, pause(320), "ease-out");
  shape.remove();
}
