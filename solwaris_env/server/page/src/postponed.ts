// What a key asks for while the own action under way is still shown; the last key counts.

import type { Situation } from "./situation.ts";

export class Postponed {
  #later: { act(): void; actor: number | null; turn: number } | null = null;

  /** Keep what was asked for, as far as it is this browser's turn in the fight. */
  keep(act: () => void, { state }: Situation): void {
    const { view } = state;
    if (view.phase === "fight" && view.to_act === state.seat) this.#later = { act, actor: view.actor, turn: view.turn };
  }

  forget(): void {
    this.#later = null;
  }

  /** Do it; what was asked for in a turn that is over by now is forgotten. */
  catchUp(now: Situation | null): void {
    const [later, view] = [this.#later, now?.state.view];
    this.#later = null;
    if (later && now?.legal && later.actor === view?.actor && later.turn === view.turn) later.act();
  }
}
