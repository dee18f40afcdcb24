// The steps that the server tells of, shown one after the other.

import type { State, Step } from "./types.ts";

const HURRY = 3; // steps that wait before animations play faster
const SKIP = 10; // and before they are left out

export interface StepHandlers {
  /** Show a step, and the state that it led to, so many times faster; at once where `pace` is null. */
  show(step: Step, state: State, pace: number | null): Promise<void>;
  /** All are shown. */
  rest(): void;
}

export class StepQueue {
  readonly #handlers: StepHandlers;
  #waiting: { step: Step; state: State }[] = [];
  #playing = false;

  constructor(handlers: StepHandlers) {
    this.#handlers = handlers;
  }

  get busy(): boolean {
    return this.#playing || this.#waiting.length > 0;
  }

  /** Whether a state will have been shown once all steps are. */
  reaches(state: State): boolean {
    if (!this.busy) return false;
    const last = this.#waiting[this.#waiting.length - 1];
    return !last || last.state.seq >= state.seq;
  }

  push(step: Step, state: State): void {
    this.#waiting.push({ step, state });
    if (!this.#playing) void this.#play();
  }

  async #play(): Promise<void> {
    this.#playing = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#handlers.show(next.step, next.state, this.#pace(next.step, next.state));
    }
    this.#playing = false;
    this.#handlers.rest();
  }

  #pace(step: Step, state: State): number | null {
    if (this.#waiting.length > SKIP || state.seq > step.seq) return null;
    return this.#waiting.length > HURRY ? 3 : 1;
  }
}
