// The moments of a replay in turns: the placement and the auction first, then every turn.

import type { Frame, GameEvent } from "./types.ts";

export interface Line {
  frame: number;
  event: GameEvent;
}

/** A turn: its first moment, the event that began it (null: before the fight), what was told. */
export interface Turn {
  first: number;
  begun: GameEvent | null;
  lines: Line[];
}

/** The turns of a replay; what ends a turn and begins the next is told in each. */
export function turnsOf(frames: readonly Frame[]): Turn[] {
  const turns: Turn[] = [{ first: 0, begun: null, lines: [] }];
  frames.forEach((frame, number) => {
    for (const event of frame.events) {
      if (event.kind === "turn_begins") turns.push({ first: number, begun: event, lines: [] });
      turns[turns.length - 1].lines.push({ frame: number, event });
    }
  });
  return turns.filter((turn, number) => number === 0 || turn.first !== turns[number + 1]?.first);
}

/** Number of the turn that a moment belongs to. */
export function turnAt(turns: readonly Turn[], frame: number): number {
  const later = turns.findIndex((turn) => turn.first > frame);
  return Math.max(0, (later < 0 ? turns.length : later) - 1);
}
