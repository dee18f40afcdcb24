// Following a duel over a socket that comes back by itself, and catches up.

import type { Seat, Socket } from "../../clients/typescript/solwaris.ts";
import type { Action, SeatState, State, Step } from "./types.ts";

export interface ConnectionHandlers {
  state(state: State): void;
  step(step: Step, state: State): void;
  presence(seats: SeatState[], away: State["away"]): void;
  refused(code: string, message: string): void;
  open(): void;
  lost(seconds: number): void;
  closed(code: number): void; // for good
}

const FOR_GOOD = [4400, 4401, 4403, 4404];
const LONGEST_WAIT = 8; // seconds
const BEAT = 20_000; // milliseconds between two signs of life

export class Connection {
  readonly #seat: Seat;
  readonly #handlers: ConnectionHandlers;
  #socket: Socket | null = null;
  #seq: number | undefined;
  #tries = 0;
  #retry = 0;
  #beat = 0;
  #stopped = false;
  #open = false;
  #pending: { action: Action; seq: number } | null = null; // sent, not answered yet

  constructor(seat: Seat, handlers: ConnectionHandlers) {
    this.#seat = seat;
    this.#handlers = handlers;
    this.#connect();
  }

  act(action: Action, seq: number): void {
    this.#pending = { action, seq };
    if (this.#open) this.#socket?.act(action, seq);
  }

  resign(): void {
    if (this.#open) this.#socket?.resign();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearInterval(this.#beat);
    this.#socket?.close();
  }

  #connect(): void {
    const socket = this.#seat.follow(
      (message) => {
        if (this.#stopped) return;
        if (message.type === "ack" || message.type === "error") this.#pending = null;
        if (message.type === "error") this.#handlers.refused(message.error.code, message.error.message);
        if (message.type === "presence") this.#handlers.presence(message.seats, message.away);
        if (message.type === "step") this.#step(message.step, message.state);
        if (message.type === "state") this.#state(message.state);
      },
      (code) => this.#closed(code),
      this.#seq,
    );
    this.#socket = socket;
    clearInterval(this.#beat);
    this.#beat = window.setInterval(() => this.#tries === 0 && socket.ping(), BEAT);
  }

  #step(step: Step, state: State): void {
    this.#seq = step.seq;
    this.#handlers.step(step, state);
  }

  #state(state: State): void {
    const anew = !this.#open;
    this.#seq = state.seq;
    this.#tries = 0;
    this.#open = true;
    if (anew) this.#handlers.open();
    this.#handlers.state(state);
    if (anew) this.#sendAgain(state.seq);
  }

  // what was lost with the last socket; its seq keeps it from being done twice
  #sendAgain(seq: number): void {
    if (this.#pending?.seq === seq) this.act(this.#pending.action, seq);
    else this.#pending = null;
  }

  #closed(code: number): void {
    this.#open = false;
    if (this.#stopped) return;
    if (FOR_GOOD.includes(code)) {
      this.stop();
      this.#handlers.closed(code);
      return;
    }
    const seconds = Math.min(LONGEST_WAIT, 2 ** this.#tries / 2);
    this.#tries += 1;
    this.#handlers.lost(seconds);
    this.#retry = window.setTimeout(() => this.#connect(), seconds * 1000);
  }
}
