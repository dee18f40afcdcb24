// A finished duel again, turn by turn: the board as it was, and what was said of the turn.

import "./replay.css";

import { ServerError } from "../../clients/typescript/solwaris.ts";
import { fault, seatOf } from "./api.ts";
import { createBoard, type Board } from "./board.ts";
import { calledSeats } from "./describe.ts";
import { button, h, reducedMotion, s } from "./dom.ts";
import { t, type Key } from "./i18n.ts";
import { namesOf, sentence, type Names } from "./log.ts";
import { showProblem, wayAgain, wayHome } from "./problem.ts";
import { turnsOf, turnAt, type Turn } from "./replay_turns.ts";
import type { Catalogue, Frame, SeatState, State } from "./types.ts";

export interface ReplayOptions {
  catalogue: Catalogue;
  /** Called when the person wants to leave. */
  leave(): void;
}

export interface OpenReplay {
  close(): void;
}

const AT_ONCE = 100; // frames of one request
const BETWEEN = 600; // milliseconds from one action to the next, at speed 1
const SPEEDS = [0.5, 1, 2, 4, 8];

type Move = "first" | "previous" | "next" | "last" | "step.previous" | "step.next";
const MOVES: readonly Move[] = [
  "first",
  "previous",
  "step.previous",
  "step.next",
  "next",
  "last",
];
const BACK: readonly Move[] = ["first", "previous", "step.previous"];
const BAR = "M5 5v14M19 5 9 12l10 7z";
const TWO = "M12 5 4 12l8 7zM20 5l-8 7 8 7z";
const ONE = "M16 5 7 12l9 7z";
const SIGNS: Record<Move | "play" | "pause", string> = {
  first: BAR,
  last: BAR,
  previous: TWO,
  next: TWO,
  "step.previous": ONE,
  "step.next": ONE,
  play: "M18 4 6 12l12 8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
};
const KEYS: Readonly<Record<string, Move>> = {
  Home: "first",
  ArrowLeft: "previous",
  ",": "step.previous",
  ".": "step.next",
  ArrowRight: "next",
  End: "last",
};

// where each replay was left, for who comes back or changes the language
const left = new Map<string, number>();

/** Show a finished duel inside an element. */
export function openReplay(
  element: HTMLElement,
  duelId: string,
  options: ReplayOptions,
): OpenReplay {
  const replay = new Replay(element, duelId, options);
  void replay.load(null);
  return replay;
}

class Replay implements OpenReplay {
  readonly #element: HTMLElement;
  readonly #duel: string;
  readonly #options: ReplayOptions;
  readonly #root = h("section", { class: "replay", "data-testid": "replay-screen", tabindex: -1 });
  readonly #stage = h("div", { class: "replay-board board", "data-testid": "replay-board" });
  readonly #title = h("h2", { "data-testid": "replay-turn", "aria-live": "polite" });
  readonly #notice = h("p", { class: "replay-notice", role: "status" });
  readonly #lines = h("ol", { class: "replay-log", "data-testid": "replay-log", tabindex: 0 });
  readonly #buttons = new Map<Move, HTMLButtonElement>();
  readonly #play = button({ "data-testid": "replay-play" }, () => this.#toggle());
  readonly #leave = button({ "data-testid": "replay-close" }, () => this.#options.leave());
  readonly #slider = h("input", { type: "range", min: 0, "data-testid": "replay-slider" });
  readonly #speed = h("select", { "data-testid": "replay-speed" });
  readonly #view = h("select", { "data-testid": "replay-view" });
  readonly #hint = h("p", { class: "replay-keys" });
  #board: Board | null = null;
  #frames: Frame[] = [];
  #turns: Turn[] = [];
  #seats: readonly SeatState[] = [];
  #names: Names;
  #position = 0;
  #playing = 0; // the number of the playing under way, 0: none
  #plays = 0;
  #loads = 0;

  constructor(element: HTMLElement, duel: string, options: ReplayOptions) {
    this.#element = element;
    this.#duel = duel;
    this.#options = options;
    this.#names = namesOf(options.catalogue);
    this.#position = left.get(duel) ?? 0;
    this.#build();
    element.replaceChildren(this.#root);
    document.addEventListener("keydown", this.#press);
    this.#root.focus({ preventScroll: true });
  }

  close(): void {
    this.#playing = 0;
    this.#loads += 1;
    document.removeEventListener("keydown", this.#press);
    this.#board?.destroy();
    this.#root.remove();
  }

  /** Fetch the duel: everything, or as a seat saw it. */
  async load(seat: number | null): Promise<void> {
    this.#loads += 1;
    const mine = this.#loads;
    this.#pause();
    this.#notice.textContent = t("replay.loading");
    try {
      const state = await seatOf(this.#duel).state();
      const frames = await this.#fetch(seat, () => mine === this.#loads);
      if (mine === this.#loads) this.#take(state, frames);
    } catch (error) {
      if (mine === this.#loads) this.#fail(error);
    }
  }

  // who only wanted another point of view keeps the one there is
  #fail(error: unknown): void {
    if (this.#frames.length) this.#notice.textContent = fault(error);
    else if (error instanceof ServerError) showProblem(this.#element, fault(error), wayHome());
    else showProblem(this.#element, fault(error), wayAgain(() => this.#retry()), wayHome());
  }

  #retry(): void {
    this.#element.replaceChildren(this.#root);
    void this.load(null);
  }

  async #fetch(seat: number | null, wanted: () => boolean): Promise<Frame[]> {
    const frames: Frame[] = [];
    let total = 1;
    while (frames.length < total && wanted()) {
      const part = await seatOf(this.#duel).frames(frames.length, AT_ONCE, seat ?? undefined);
      frames.push(...part.frames);
      total = part.frames.length ? part.total : 0;
      this.#notice.textContent = `${t("replay.loading")} ${frames.length}/${part.total}`;
    }
    return frames;
  }

  #take(state: State, frames: Frame[]): void {
    const { catalogue } = this.#options;
    const seats = calledSeats(catalogue, state.view.heroes, state.seats, state.seat);
    this.#notice.textContent = "";
    this.#seats = seats;
    this.#names = namesOf(catalogue, seats, state.seat);
    this.#frames = frames;
    this.#turns = turnsOf(frames);
    this.#slider.max = String(frames.length - 1);
    this.#board ??= createBoard(this.#stage, catalogue);
    this.#board.zoom(0); // all of it: nothing here has to be hit by a finger
    this.#root.dataset["ready"] = "true";
    this.#position = Math.min(this.#position, frames.length - 1);
    this.#fillViews();
    void this.#show(false);
  }

  // -- what is seen ------------------------------------------------------------------------

  #build(): void {
    for (const move of MOVES) this.#addMove(move);
    this.#label(this.#leave, "replay.close");
    this.#label(this.#slider, "replay.position");
    this.#label(this.#speed, "replay.speed");
    this.#label(this.#view, "replay.view");
    this.#label(this.#lines, "replay.log");
    this.#label(this.#root, "replay.title");
    this.#leave.append("✕");
    this.#slider.addEventListener("input", () => this.#choose(Number(this.#slider.value)));
    this.#speed.addEventListener("change", () => this.#board?.speed(this.#pace()));
    this.#view.addEventListener("change", () => void this.load(this.#seat()));
    this.#fillSpeeds();
    const moves = [...this.#buttons.values()];
    const bar = h("div", { class: "replay-bar", role: "group" }, ...moves);
    moves[BACK.length - 1].after(this.#play);
    this.#label(bar, "aria.replay.controls");
    const choices = h("div", { class: "replay-choices" }, this.#speed, this.#view);
    const head = h("header", {}, this.#title, this.#leave);
    const controls = h("div", { class: "replay-controls" }, this.#slider, bar, choices);
    const side = h("div", { class: "replay-side" }, this.#lines, this.#hint);
    this.#hint.textContent = t("replay.keys");
    this.#fillViews();
    this.#showPlaying();
    this.#root.append(head, this.#notice, this.#stage, controls, side);
  }

  #addMove(move: Move): void {
    const name = move.replace(".", "-");
    const made = button({ "data-testid": `replay-${name}` }, () => this.#go(move), glyph(move));
    this.#buttons.set(move, made);
    this.#label(made, `replay.${move}`);
  }

  #label(element: HTMLElement, key: PlainKey): void {
    element.setAttribute("aria-label", t(key));
    if (element instanceof HTMLButtonElement) element.title = t(key);
  }

  #fillSpeeds(): void {
    for (const speed of SPEEDS) {
      const chosen = speed === 1;
      this.#speed.append(new Option(`× ${speed}`, String(speed), chosen, chosen));
    }
  }

  #fillViews(): void {
    const chosen = this.#view.value;
    const seats = this.#seats.map(
      ({ seat, name }) => new Option(t("replay.view.seat", { name }), String(seat)),
    );
    this.#view.replaceChildren(new Option(t("replay.view.open"), ""), ...seats);
    this.#view.value = chosen;
  }

  /** Show the moment; `moving` plays what led to it. Ends when that is over. */
  async #show(moving: boolean): Promise<void> {
    const frame = this.#frames[this.#position];
    if (!frame) return;
    const number = turnAt(this.#turns, this.#position);
    this.#title.textContent = this.#titleOf(number);
    left.set(this.#duel, this.#position);
    this.#root.dataset["position"] = String(this.#position);
    this.#slider.value = String(this.#position);
    this.#slider.setAttribute("aria-valuetext", this.#title.textContent);
    this.#fillLog(number);
    this.#allow();
    if (moving && !reducedMotion()) await this.#board?.animate(frame.events, frame.view);
    else this.#board?.show(frame.view);
  }

  #titleOf(number: number): string {
    const begun = this.#turns[number]?.begun;
    const turn = begun ? sentence(begun, this.#names) : t("replay.begin");
    return t("replay.turn", { turn, n: number + 1, total: this.#turns.length });
  }

  #fillLog(number: number): void {
    const lines = (this.#turns[number]?.lines ?? []).map(({ frame, event }) => {
      const yet = frame > this.#position;
      const current = frame === this.#position;
      const attributes = { class: yet ? "to-come" : null, "aria-current": current ? "step" : null };
      return h("li", attributes, sentence(event, this.#names));
    });
    this.#lines.replaceChildren(...lines);
    const now = this.#lines.querySelector<HTMLElement>("[aria-current]");
    if (now) this.#lines.scrollTop = now.offsetTop - this.#lines.clientHeight / 2;
  }

  /** Controls that lead nowhere are told so, but keep the focus. */
  #allow(): void {
    const [first, last] = [this.#position === 0, this.#position === this.#frames.length - 1];
    for (const [move, made] of this.#buttons) {
      const stuck = BACK.includes(move) ? first : last;
      made.setAttribute("aria-disabled", String(stuck));
    }
  }

  // -- moving ------------------------------------------------------------------------------

  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target;
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return;
    const move = KEYS[event.key];
    const plays = event.key === " " && !(target instanceof HTMLButtonElement);
    if (!move && !plays && event.key !== "Escape") return;
    event.preventDefault();
    if (move) this.#go(move);
    else if (plays) this.#toggle();
    else this.#options.leave();
  };

  #go(move: Move): void {
    const number = turnAt(this.#turns, this.#position);
    const starts = this.#turns.map((turn) => turn.first);
    const last = this.#frames.length - 1;
    const targets: Record<Move, number> = {
      first: 0,
      previous: starts[number - 1] ?? 0,
      "step.previous": this.#position - 1,
      "step.next": this.#position + 1,
      next: starts[number + 1] ?? last,
      last,
    };
    this.#choose(targets[move]);
  }

  #choose(position: number): void {
    this.#pause();
    this.#position = Math.max(0, Math.min(position, this.#frames.length - 1));
    void this.#show(false);
  }

  #toggle(): void {
    if (this.#playing) this.#pause();
    else void this.#run();
  }

  #pause(): void {
    this.#playing = 0;
    this.#showPlaying();
  }

  async #run(): Promise<void> {
    if (this.#position >= this.#frames.length - 1) this.#position = 0;
    this.#plays += 1;
    const mine = (this.#playing = this.#plays);
    this.#showPlaying();
    this.#board?.speed(this.#pace());
    while (this.#playing === mine && this.#position < this.#frames.length - 1) {
      this.#position += 1;
      await this.#show(true);
      await pause(BETWEEN / this.#pace());
    }
    if (this.#playing === mine) this.#pause();
  }

  #showPlaying(): void {
    const now = this.#playing ? "pause" : "play";
    const words = t(`replay.${now}`);
    this.#play.replaceChildren(glyph(now));
    this.#play.setAttribute("aria-label", words);
    this.#play.title = words;
  }

  #pace(): number {
    return Number(this.#speed.value);
  }

  #seat(): number | null {
    return this.#view.value === "" ? null : Number(this.#view.value);
  }
}

type PlainKey = Extract<Key, `replay.${Move | Plain}` | "aria.replay.controls">;
type Plain = "close" | "position" | "speed" | "view" | "log" | "title";

/** A button's sign; those that lead on are those that lead back, mirrored. */
function glyph(name: keyof typeof SIGNS): SVGSVGElement {
  const mirrored = ["play", "step.next", "next", "last"].includes(name);
  const transform = mirrored ? "matrix(-1 0 0 1 24 0)" : null;
  const path = s("path", { d: SIGNS[name], transform });
  return s("svg", { class: "replay-sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
