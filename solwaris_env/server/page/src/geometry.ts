// The canvas' geometry as the rules have it: distances, areas, sight, paths.

import type { Area, Cell, MapSheet, Spell, View } from "./types.ts";

export const HEIGHT = 18;
export const WIDTH = 28;
const NEIGHBOURS: readonly Cell[] = [[-1, 0], [0, -1], [0, 1], [1, 0]]; // the rules' path order

export function index(cell: Cell): number {
  return cell[0] * WIDTH + cell[1];
}

export function same(a: Cell | null, b: Cell | null): boolean {
  return a !== null && b !== null && a[0] === b[0] && a[1] === b[1];
}

export function includes(cells: readonly Cell[], cell: Cell): boolean {
  return cells.some((other) => same(other, cell));
}

export function distance(a: Cell, b: Cell): number {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
}

/** The step along the larger offset from a cell to another, rows first if equal; null if they are one (F7). */
export function direction(from: Cell, to: Cell): Cell | null {
  const [down, right] = [to[0] - from[0], to[1] - from[1]];
  if (down === 0 && right === 0) return null;
  return Math.abs(down) >= Math.abs(right) ? [Math.sign(down), 0] : [0, Math.sign(right)];
}

/** The cell one step on. */
export function onward(cell: Cell, step: Cell): Cell {
  return [cell[0] + step[0], cell[1] + step[1]];
}

/** The terrain's sign at a cell: " " void, "." floor, else an obstacle. */
export function terrain(map: MapSheet, [row, column]: Cell): string {
  return map.terrain[row]?.[column] ?? " ";
}

export function isFloor(map: MapSheet, cell: Cell): boolean {
  return terrain(map, cell) === ".";
}

export function isObstacle(map: MapSheet, cell: Cell): boolean {
  const sign = terrain(map, cell);
  return sign !== " " && sign !== ".";
}

/** All cells of the canvas that a test holds for, row by row. */
export function cellsWhere(holds: (cell: Cell) => boolean): Cell[] {
  const found: Cell[] = [];
  for (let row = 0; row < HEIGHT; row += 1) {
    for (let column = 0; column < WIDTH; column += 1) {
      if (holds([row, column])) found.push([row, column]);
    }
  }
  return found;
}

/** Whether the segment between two cells' centres is free (S4, S5). */
export function sees(map: MapSheet, from: Cell, to: Cell): boolean {
  const [top, bottom] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
  const [left, right] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      const cell: Cell = [row, column];
      if (same(cell, from) || same(cell, to)) continue;
      if (isObstacle(map, cell) && crosses(from, to, cell)) return false;
      if (row < bottom && column < right && cutsCorner(map, from, to, cell)) return false;
    }
  }
  return true;
}

// the stretch of the segment inside the cell's open square, by clipping
function crosses(from: Cell, to: Cell, cell: Cell): boolean {
  let [enter, leave] = [0, 1];
  for (const axis of [0, 1] as const) {
    const step = to[axis] - from[axis];
    const offset = cell[axis] - from[axis];
    if (step === 0) {
      if (offset !== 0) return false;
      continue;
    }
    const [a, b] = [(offset - 0.5) / step, (offset + 0.5) / step];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return leave - enter > 1e-9;
}

// two obstacles that touch where the segment passes, at the lower right corner of `cell`
function cutsCorner(map: MapSheet, from: Cell, to: Cell, [row, column]: Cell): boolean {
  const across = (to[0] - from[0]) * (2 * (column - from[1]) + 1);
  const along = (to[1] - from[1]) * (2 * (row - from[0]) + 1);
  if (across !== along) return false;
  const falling = isObstacle(map, [row, column]) && isObstacle(map, [row + 1, column + 1]);
  const rising = isObstacle(map, [row, column + 1]) && isObstacle(map, [row + 1, column]);
  return falling || rising;
}

/** Playable cells that a spell could reach from a cell, whatever stands there (S1 to S6). */
export function spellRange(map: MapSheet, spell: Spell, from: Cell, further: number): Cell[] {
  const [least, greatest] = spell.range;
  const most = greatest > 1 ? Math.max(1, greatest + further) : greatest; // N12
  return cellsWhere((cell) => {
    const far = distance(from, cell);
    if (far < least || far > most || !isFloor(map, cell)) return false;
    if (spell.line && cell[0] !== from[0] && cell[1] !== from[1]) return false;
    return !spell.sight || sees(map, from, cell);
  });
}

/** Playable cells that a spell's area covers when it is aimed at a cell. */
export function spellArea(map: MapSheet, spell: Spell, from: Cell, aim: Cell): Cell[] {
  if (spell.area === null) return [aim];
  const centre = spell.from_departure ? from : aim;
  if (spell.area.shape === "line") return lineArea(map, spell, from, aim);
  return areaAround(map, spell.area, centre);
}

/** Playable cells of an area around a centre. */
export function areaAround(map: MapSheet, area: Area, centre: Cell): Cell[] {
  return cellsWhere((cell) => isFloor(map, cell) && covers(area, cell, centre));
}

function covers(area: Area, cell: Cell, centre: Cell): boolean {
  const [down, right] = [Math.abs(cell[0] - centre[0]), Math.abs(cell[1] - centre[1])];
  if (area.shape === "circle") return down + right <= area.size;
  if (area.shape === "cross") return (down === 0 || right === 0) && down + right <= area.size;
  return down === right && down <= area.size;
}

// away from the caster; the first obstacle ends it unless sight is ignored (N7)
function lineArea(map: MapSheet, spell: Spell, from: Cell, aim: Cell): Cell[] {
  const step: Cell = [Math.sign(aim[0] - from[0]), Math.sign(aim[1] - from[1])];
  const found: Cell[] = [];
  for (let n = 0; n < (spell.area?.size ?? 0); n += 1) {
    const cell: Cell = [aim[0] + n * step[0], aim[1] + n * step[1]];
    if (isObstacle(map, cell) && spell.sight) break;
    if (isFloor(map, cell)) found.push(cell);
  }
  return found;
}

/** The walk to a cell that the rules choose, both ends included; null if there is none (M3). */
export function path(view: View, map: MapSheet, from: Cell, to: Cell): Cell[] | null {
  const blocked = new Set(view.entities.flatMap((e) => (e.cell && e.shown.alive ? [index(e.cell)] : [])));
  const trapped = new Set(view.traps.flatMap((trap) => trap.area.map(index)));
  const price = (cell: Cell): number => 1000 + (trapped.has(index(cell)) ? 1 : 0);
  const left = pricesTo(to, (cell) => isFloor(map, cell) && (same(cell, from) || !blocked.has(index(cell))), price);
  if (!left.has(index(from))) return null;
  const walk: Cell[] = [from];
  while (!same(walk[walk.length - 1], to)) walk.push(nextStep(walk[walk.length - 1], left, price));
  return walk;
}

// a step costs 1000, and 1 more where a known trap lies: fewest steps first, then fewest traps
function pricesTo(to: Cell, free: (cell: Cell) => boolean, price: (cell: Cell) => number): Map<number, number> {
  const left = new Map([[index(to), 0]]);
  let edge: Cell[] = [to];
  while (edge.length) {
    const next = new Map<number, Cell>();
    for (const cell of edge) {
      const total = (left.get(index(cell)) ?? 0) + price(cell);
      for (const beside of neighbours(cell)) {
        if (!free(beside) || (left.get(index(beside)) ?? Infinity) <= total) continue;
        left.set(index(beside), total);
        next.set(index(beside), beside);
      }
    }
    edge = [...next.values()];
  }
  return left;
}

function nextStep(cell: Cell, left: Map<number, number>, price: (cell: Cell) => number): Cell {
  const rest = (beside: Cell): number => (left.get(index(beside)) ?? Infinity) + price(beside);
  return neighbours(cell).reduce((best, beside) => (rest(beside) < rest(best) ? beside : best));
}

export function neighbours([row, column]: Cell): Cell[] {
  return NEIGHBOURS.map(([down, right]) => [row + down, column + right]);
}
