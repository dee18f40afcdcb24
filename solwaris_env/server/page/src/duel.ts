// The screen of a duel: what the server tells is shown, what the player chooses is sent.

import type { Seat } from "../../clients/typescript/solwaris.ts";
import { Announcements } from "./announcements.ts";
import { fault, faultOf, forget } from "./api.ts";
import { createBoard, type Board } from "./board.ts";
import { Choosing } from "./choosing.ts";
import { Connection } from "./connection.ts";
import { calledSeats, entityOf } from "./describe.ts";
import { askConfirmation, showHelp } from "./dialogs.ts";
import { button, h, keepFocus } from "./dom.ts";
import { t } from "./i18n.ts";
import { icon } from "./icons.ts";
import { listen } from "./keyboard.ts";
import { namesOf } from "./log.ts";
import { Panels } from "./panels.ts";
import { Postponed } from "./postponed.ts";
import { showProblem, wayHome } from "./problem.ts";
import { Situation } from "./situation.ts";
import { StepQueue } from "./steps.ts";
import type { Action, Catalogue, GameEvent, State, Step } from "./types.ts";

const UNAUTHORIZED = 4401;

/** The screen of a duel inside `root`; the answer takes it down. */
export function openDuel(root: HTMLElement, catalogue: Catalogue, seat: Seat): () => void {
  const screen = new DuelScreen(root, catalogue, seat);
  return () => screen.close();
}

class DuelScreen {
  readonly #root: HTMLElement;
  readonly #catalogue: Catalogue;
  readonly #seat: Seat;
  readonly #boardElement = h("div", { class: "board", tabindex: 0, role: "application", "aria-label": t("aria.board"), "data-testid": "board" });
  readonly #told = new Announcements();
  readonly #postponed = new Postponed();
  readonly #steps = new StepQueue({ show: (step, state, pace) => this.#showStep(step, state, pace), rest: () => this.#rest() });
  readonly #board: Board;
  readonly #choosing: Choosing;
  readonly #panels: Panels;
  readonly #connection: Connection;
  readonly #stopKeys: () => void;
  #state: State | null = null;
  #seats: State["seats"] = []; // as the server names them
  #over = false; // as last told, shown or not
  #resigned: Set<number> | null = null; // the seats known to have given up
  #sent = -1; // seq at which an action was sent and not yet answered

  constructor(root: HTMLElement, catalogue: Catalogue, seat: Seat) {
    this.#root = root;
    this.#catalogue = catalogue;
    this.#seat = seat;
    this.#board = createBoard(this.#boardElement, catalogue, {
      hover: (cell) => this.#choosing.hoverByMouse(cell),
      select: (cell, touch) => this.#choosing.select(cell, touch || matchMedia("(max-width: 640px)").matches),
    });
    this.#choosing = new Choosing(this.#board, this.#boardElement, {
      now: () => this.#now,
      act: (action) => this.#act(action),
      tell: (text) => this.#told.tell(text),
      say: (text) => this.#told.say(text),
      changed: () => this.#refresh(),
      hovered: () => this.#mark(),
      looked: () => this.#describe(),
    });
    this.#panels = new Panels(catalogue, this.#choosing, {
      pass: () => this.#pass(),
      raise: () => this.#raise(),
      giveUp: () => void this.#giveUp(),
    });
    root.replaceChildren(this.#build());
    this.#stopKeys = this.#listen();
    this.#connection = this.#connect();
    this.#told.say(t("connection.connecting"));
  }

  close(): void {
    this.#postponed.forget();
    this.#connection.stop();
    this.#stopKeys();
    this.#panels.clock.stop();
    this.#board.destroy();
  }

  #build(): HTMLElement {
    const { status, clock, order, invite, auction, info, result, own, spells, turnButtons, giveUpButton } = this.#panels;
    const { banner, notice, side, live } = this.#told;
    const tools = h(
      "div",
      { class: "tools" },
      button({ class: "tool", "aria-label": t("board.zoom.out"), title: t("board.zoom.out") }, () => this.#board.zoom(0.8), "−"),
      button({ class: "tool", "aria-label": t("board.zoom.fit"), title: t("board.zoom.fit") }, () => this.#board.zoom(0), icon("fit")),
      button({ class: "tool", "aria-label": t("board.zoom.in"), title: t("board.zoom.in") }, () => this.#board.zoom(1.25), "+"),
      button({ class: "tool wide-no", "aria-label": t("log.title"), title: t("log.title"), "data-testid": "log-toggle" }, () => this.#told.toggleLog(), icon("list")),
      button({ class: "tool", "aria-label": t("help.title"), title: t("help.title"), "data-testid": "help" }, showHelp, "?"),
      giveUpButton,
    );
    return h(
      "main",
      { class: "duel", "aria-label": t("aria.hud") },
      h("header", { class: "duel-head" }, status, clock.root, tools),
      order,
      auction,
      h("section", { class: "stage" }, invite, this.#boardElement, banner, notice, result),
      info,
      side,
      h("footer", { class: "duel-foot" }, own, spells, turnButtons),
      live,
      this.#choosing.cursorText,
    );
  }

  #listen(): () => void {
    this.#boardElement.addEventListener("focus", () => this.#boardElement.matches(":focus-visible") && this.#choosing.move(0, 0));
    return listen({
      move: (down, right) => this.#choosing.move(down, right),
      confirm: () => this.#soon(() => this.#choosing.confirm()),
      cancel: () => this.#cancel(),
      spell: (slot) => this.#soon(() => this.#choosing.choose(slot, true)),
      target: (step) => this.#soon(() => this.#choosing.nextTarget(step)),
      end: () => this.#soon(() => this.#pass()),
      raise: () => this.#raise(),
      log: () => this.#told.toggleLog(this.#boardElement),
      help: showHelp,
    });
  }

  #connect(): Connection {
    return new Connection(this.#seat, {
      state: (state) => this.#onState(this.#heard(state)),
      step: (step, state) => this.#steps.push(step, this.#heard(state)),
      presence: (seats, away) => this.#onPresence(seats, away),
      refused: (code, message) => {
        this.#sent = -1;
        this.#postponed.forget();
        this.#told.tell(faultOf(code, message));
        this.#refresh();
      },
      open: () => {
        this.#told.tell("");
        this.#told.say(t("connection.open"));
      },
      lost: () => this.#told.tell(t("connection.lost"), true),
      closed: (code) => {
        if (code === UNAUTHORIZED) forget(this.#seat.duel);
        if (this.#state) this.#told.tell(closedText(code), true);
        else showProblem(this.#root, closedText(code), wayHome());
      },
    });
  }

  // what the server tells

  #heard(state: State): State {
    this.#over = state.over;
    return this.#called(state);
  }

  #called(state: State): State {
    this.#seats = state.seats;
    return { ...state, seats: calledSeats(this.#catalogue, state.view.heroes, state.seats, state.seat) };
  }

  #onState(state: State): void {
    if (this.#steps.reaches(state)) return;
    const first = this.#state === null;
    this.#take(state);
    this.#board.show(state.view);
    this.#tellResigned(state.seats);
    if (first) void this.#firstLook(state);
  }

  async #firstLook(state: State): Promise<void> {
    const own = entityOf(state.view, state.seat)?.cell;
    const focus = own ?? state.legal?.place[0];
    if (focus) this.#board.reveal(focus);
    if (this.#told.logged || state.seq === 0) return;
    try {
      const { steps } = await this.#seat.events();
      for (const step of steps) this.#write(step.events, false);
    } catch (error) {
      this.#told.tell(fault(error));
    }
  }

  async #showStep(step: Step, state: State, pace: number | null): Promise<void> {
    this.#write(step.events, true);
    this.#told.announceTurn(step.events, this.#catalogue, state);
    this.#board.mark({});
    this.#board.forecast([]);
    if (pace === null) this.#board.show(state.view);
    else {
      this.#board.speed(pace);
      await this.#board.animate(step.events, state.view);
    }
    this.#take(state);
  }

  #rest(): void {
    this.#refresh();
    this.#postponed.catchUp(this.#now);
  }

  #write(events: readonly GameEvent[], aloud: boolean): void {
    this.#told.write(events, namesOf(this.#catalogue, this.#state?.seats ?? [], this.#state?.seat ?? null), aloud);
  }

  #take(state: State): void {
    const before = this.#state;
    const resigned = (seat: number): boolean => this.#resigned?.has(seat) ?? false; // since the step was told, maybe
    this.#state = { ...state, seats: state.seats.map((one) => ({ ...one, resigned: one.resigned || resigned(one.seat) })) };
    this.#welcome(state, before?.waiting ?? []);
    this.#choosing.goOn(before?.view.actor === state.view.actor && before?.view.turn === state.view.turn);
    this.#panels.clock.show(state.clock);
    this.#refresh();
    const acting = this.#now?.actor?.cell;
    if (acting && before?.view.actor !== state.view.actor) this.#board.reveal(acting);
    if (!state.over) return;
    this.#told.tell("");
    this.#board.clear();
    this.#panels.showResult({ ...state, seats: this.#seats });
  }

  #welcome(state: State, awaited: readonly number[]): void {
    const came = awaited.filter((seat) => seat !== state.seat && !state.waiting.includes(seat));
    for (const seat of came) this.#told.tell(t("presence.here", { name: state.seats[seat].name }));
    this.#panels.showInvitations(state);
  }

  #onPresence(seats: State["seats"], away: State["away"]): void {
    if (!this.#state) return;
    this.#state = this.#called({ ...this.#state, seats, away });
    const gone = away?.[0];
    const name = this.#state.seats[gone?.seat ?? -1]?.name;
    if (gone && name && gone.seat !== this.#state.seat) this.#told.tell(t("presence.away", { name, n: Math.ceil(gone.left) }));
    this.#tellResigned(this.#state.seats);
    this.#refresh();
  }

  // once; what was so before this page came is seen without a word
  #tellResigned(seats: State["seats"]): void {
    const now = seats.filter((one) => one.resigned);
    const news = this.#resigned ? now.filter(({ seat }) => !this.#resigned?.has(seat)) : [];
    this.#resigned = new Set([...(this.#resigned ?? []), ...now.map(({ seat }) => seat)]);
    if (this.#over) return;
    for (const { seat, name } of news) {
      this.#told.note(seat === this.#state?.seat ? t("resigned.own") : t("resigned.other", { name }));
    }
  }

  // what the player may do

  get #now(): Situation | null {
    return this.#state && new Situation(this.#catalogue, this.#state, this.#waits ? null : this.#state.legal);
  }

  get #waits(): boolean {
    return this.#steps.busy || this.#sent === this.#state?.seq;
  }

  /** Do what a key asks for, once the own action under way is shown. */
  #soon(act: () => void): void {
    const now = this.#now;
    if (now && this.#waits) this.#postponed.keep(act, now);
    else act();
  }

  #act(action: Action): void {
    if (!this.#state || !this.#now?.legal) return;
    this.#sent = this.#state.seq;
    this.#choosing.drop();
    this.#connection.act(action, this.#state.seq);
    this.#refresh();
  }

  #pass(): void {
    if (this.#now?.legal?.pass) this.#act({ type: "pass" });
  }

  #raise(): void {
    if (this.#now?.legal?.raise) this.#act({ type: "raise" });
  }

  async #giveUp(): Promise<void> {
    if (await askConfirmation(t("turn.forfeit.confirm"), t("turn.forfeit"), "confirm-give-up")) this.#connection.resign();
  }

  #cancel(): void {
    this.#postponed.forget();
    this.#told.closeLog(this.#boardElement);
    this.#choosing.cancel();
  }

  // what is shown

  #refresh(): void {
    const now = this.#now;
    if (!now) return;
    keepFocus(this.#root, this.#boardElement, () => this.#panels.show(now));
    this.#mark();
    document.body.classList.toggle("my-turn", now.legal !== null);
    document.body.dataset["seq"] = String(now.state.seq);
  }

  #mark(): void {
    this.#choosing.mark();
    this.#describe();
  }

  #describe(): void {
    const now = this.#now;
    if (now) this.#panels.describe(now);
  }
}

function closedText(code: number): string {
  const words: Record<number, string> = { [UNAUTHORIZED]: "unauthorized", 4403: "no_spectators", 4404: "not_found" };
  return faultOf(words[code] ?? "closed", "");
}
