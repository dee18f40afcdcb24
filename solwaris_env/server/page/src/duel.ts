// A duel as it is played: the state, what the player chooses, and what he is shown of it.

import type { Seat } from "../../clients/typescript/solwaris.ts";
import { fault, faultOf, forget } from "./api.ts";
import { auctionCard } from "./auction.ts";
import { createBoard, type Board, type Forecast } from "./board.ts";
import { Connection } from "./connection.ts";
import { spellSheet } from "./chips.ts";
import { calledSeats, describeCell, entityAt, entityOf, nameOf } from "./describe.ts";
import { button, h } from "./dom.ts";
import { includes, same } from "./geometry.ts";
import { ClockFace, createOrder, fighterPanel, spellBar, type SpellState } from "./hud.ts";
import { cellName, t } from "./i18n.ts";
import { icon } from "./icons.ts";
import { inviteCard, inviting } from "./invite.ts";
import { listen } from "./keyboard.ts";
import { namesOf, sentence } from "./log.ts";
import { showHelp, askConfirmation } from "./dialogs.ts";
import { forecastsAt, marksAt, spoken, type Prospect } from "./preview.ts";
import { showProblem, wayHome } from "./problem.ts";
import { resultPanel } from "./result.ts";
import { spellOf } from "./sheets.ts";
import type { Action, Catalogue, Cell, Entity, GameEvent, Legal, Marks, Spell, State, Step } from "./types.ts";

const HURRY = 3; // steps that wait before animations play faster
const SKIP = 10; // and before they are left out
const MOST_LINES = 400;
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
  readonly #board: Board;
  readonly #connection: Connection;
  readonly #clock = new ClockFace();
  readonly #boardElement = h("div", { class: "board", tabindex: 0, role: "application", "aria-label": t("aria.board"), "data-testid": "board" });
  readonly #orderElement = h("div", { class: "order" });
  readonly #order;
  readonly #status = h("p", { class: "status", "data-testid": "status" });
  readonly #banner = h("div", { class: "banner", "aria-hidden": "true" });
  readonly #notice = h("p", { class: "notice", role: "alert", hidden: true });
  readonly #auction = h("div", { class: "auction card", hidden: true });
  readonly #invite = h("div", { class: "invite card", "data-testid": "invite", hidden: true });
  readonly #info = h("div", { class: "info card", hidden: true });
  readonly #own = h("div", { class: "own" });
  readonly #spells = h("div", { class: "spells", role: "toolbar", "aria-label": t("spell.bar") });
  readonly #turnButtons = h("div", { class: "turn-buttons" });
  readonly #log = h("ol", { class: "log", "data-testid": "log", "aria-label": t("aria.log"), tabindex: 0 });
  readonly #live = h("p", { class: "hidden-text", "aria-live": "polite", "data-testid": "live" });
  readonly #cursorText = h("p", { class: "hidden-text", "aria-live": "assertive", "data-testid": "cursor-text" });
  readonly #result = h("div", { class: "result-place" });
  readonly #side = h("aside", { class: "side", "aria-label": t("aria.log") });
  readonly #giveUpButton = button(
    { class: "tool give-up", "data-testid": "give-up", title: t("turn.forfeit"), "aria-label": t("turn.forfeit"), hidden: true },
    () => void this.#giveUp(),
    icon("flag"),
  );
  readonly #stopKeys: () => void;
  #state: State | null = null;
  #seats: State["seats"] = []; // as the server names them
  #queue: { step: Step; state: State }[] = [];
  #playing = false;
  #sent = -1; // seq at which an action was sent and not yet answered
  #later: { act(): void; actor: number | null; turn: number } | null = null; // the last key pressed while an own action is shown
  #slot: number | null = null;
  #hovered: Cell | null = null;
  #cursor: Cell | null = null;
  #armed: Cell | null = null; // touched once: the next touch confirms
  #inspected: number | null = null;
  #looked: Spell | null = null;
  #noticeTimer = 0;

  constructor(root: HTMLElement, catalogue: Catalogue, seat: Seat) {
    this.#root = root;
    this.#catalogue = catalogue;
    this.#seat = seat;
    this.#order = createOrder(this.#orderElement, catalogue, (index) => this.#inspect(index));
    root.replaceChildren(this.#build());
    this.#board = createBoard(this.#boardElement, catalogue, {
      hover: (cell) => {
        this.#looked = null;
        this.#board.cursor(null); // the mouse leads now
        this.#hover(cell);
      },
      select: (cell, touch) => this.#select(cell, touch || matchMedia("(max-width: 640px)").matches),
    });
    this.#stopKeys = listen({
      move: (down, right) => this.#move(down, right),
      confirm: () => this.#soon(() => this.#cursor && this.#select(this.#cursor, false)),
      cancel: () => this.#cancel(),
      spell: (slot) => this.#soon(() => this.#choose(slot, true)),
      target: (step) => this.#soon(() => this.#nextTarget(step)),
      end: () => this.#soon(() => this.#pass()),
      raise: () => this.#raise(),
      log: () => this.#toggleLog(true),
      help: showHelp,
    });
    this.#boardElement.addEventListener("focus", () => this.#boardElement.matches(":focus-visible") && this.#move(0, 0));
    this.#connection = this.#connect();
    this.#say(t("connection.connecting"));
  }

  close(): void {
    this.#later = null;
    this.#connection.stop();
    this.#stopKeys();
    this.#clock.stop();
    this.#board.destroy();
  }

  #build(): HTMLElement {
    const tools = h(
      "div",
      { class: "tools" },
      button({ class: "tool", "aria-label": t("board.zoom.out"), title: t("board.zoom.out") }, () => this.#board.zoom(0.8), "−"),
      button({ class: "tool", "aria-label": t("board.zoom.fit"), title: t("board.zoom.fit") }, () => this.#board.zoom(0), icon("fit")),
      button({ class: "tool", "aria-label": t("board.zoom.in"), title: t("board.zoom.in") }, () => this.#board.zoom(1.25), "+"),
      button({ class: "tool wide-no", "aria-label": t("log.title"), title: t("log.title"), "data-testid": "log-toggle" }, () => this.#toggleLog(), icon("list")),
      button({ class: "tool", "aria-label": t("help.title"), title: t("help.title"), "data-testid": "help" }, showHelp, "?"),
      this.#giveUpButton,
    );
    this.#side.append(h("h2", {}, t("log.title")), this.#log);
    return h(
      "main",
      { class: "duel", "aria-label": t("aria.hud") },
      h("header", { class: "duel-head" }, this.#status, this.#clock.root, tools),
      this.#orderElement,
      h("section", { class: "stage" }, this.#invite, this.#boardElement, this.#banner, this.#notice, this.#auction, this.#info, this.#result),
      this.#side,
      h("footer", { class: "duel-foot" }, this.#own, this.#spells, this.#turnButtons),
      this.#live,
      this.#cursorText,
    );
  }

  #connect(): Connection {
    return new Connection(this.#seat, {
      state: (state) => this.#onState(this.#called(state)),
      step: (step, state) => this.#onStep(step, this.#called(state)),
      presence: (seats, away) => this.#onPresence(seats, away),
      refused: (code, message) => {
        this.#sent = -1;
        this.#later = null;
        this.#tell(faultOf(code, message));
        this.#refresh();
      },
      open: () => {
        this.#tell("");
        this.#say(t("connection.open"));
      },
      lost: () => this.#tell(t("connection.lost"), true),
      closed: (code) => {
        if (code === UNAUTHORIZED) forget(this.#seat.duel);
        if (this.#state) this.#tell(closedText(code), true);
        else showProblem(this.#root, closedText(code), wayHome());
      },
    });
  }

  // what the server tells

  #onState(state: State): void {
    if (this.#playing || this.#queue.length) {
      const last = this.#queue[this.#queue.length - 1];
      if (!last || last.state.seq >= state.seq) return; // it will be shown once its steps are played
    }
    const first = this.#state === null;
    this.#take(state);
    this.#board.show(state.view);
    if (first) this.#firstLook(state);
  }

  async #firstLook(state: State): Promise<void> {
    const own = entityOf(state.view, state.seat)?.cell;
    const focus = own ?? state.legal?.place[0];
    if (focus) this.#board.reveal(focus);
    if (this.#log.childElementCount || state.seq === 0) return;
    try {
      const { steps } = await this.#seat.events();
      for (const step of steps) this.#writeLog(step.events, false);
    } catch (error) {
      this.#tell(fault(error));
    }
  }

  #called(state: State): State {
    this.#seats = state.seats;
    return { ...state, seats: calledSeats(this.#catalogue, state.view.heroes, state.seats, state.seat) };
  }

  #onStep(step: Step, state: State): void {
    this.#queue.push({ step, state });
    if (!this.#playing) void this.#playQueue();
  }

  async #playQueue(): Promise<void> {
    this.#playing = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const { step, state } = next;
      this.#writeLog(step.events, true);
      this.#announceTurn(step.events, state);
      const behind = this.#queue.length > SKIP || state.seq > step.seq;
      this.#board.speed(this.#queue.length > HURRY ? 3 : 1);
      this.#board.mark({});
      this.#board.forecast([]);
      if (behind) this.#board.show(state.view);
      else await this.#board.animate(step.events, state.view);
      this.#take(state);
    }
    this.#playing = false;
    this.#refresh();
    this.#catchUp();
  }

  #take(state: State): void {
    const before = this.#state;
    this.#state = state;
    this.#welcome(state, before?.waiting ?? []);
    if (before?.view.actor !== state.view.actor || before?.view.turn !== state.view.turn) this.#slot = null;
    this.#armed = null;
    this.#looked = null;
    this.#clock.show(state.clock);
    this.#refresh();
    const acting = this.#actor?.cell;
    if (acting && before?.view.actor !== state.view.actor) this.#board.reveal(acting);
    if (state.over) this.#showResult(state);
  }

  #onPresence(seats: State["seats"], away: State["away"]): void {
    if (!this.#state) return;
    this.#state = this.#called({ ...this.#state, seats, away });
    const gone = away?.[0];
    const name = this.#state.seats[gone?.seat ?? -1]?.name;
    if (gone && name && gone.seat !== this.#state.seat) this.#tell(t("presence.away", { name, n: Math.ceil(gone.left) }));
    this.#refresh();
  }

  // what the player may do

  get #legal(): Legal | null {
    return this.#waits ? null : (this.#state?.legal ?? null);
  }

  get #waits(): boolean {
    return this.#playing || this.#queue.length > 0 || this.#sent === this.#state?.seq;
  }

  /** Do what a key asks for, once the own action under way is shown; the last key counts. */
  #soon(act: () => void): void {
    const view = this.#state?.view;
    if (!view || !this.#waits) act();
    else if (view.phase === "fight" && view.to_act === this.#state?.seat) this.#later = { act, actor: view.actor, turn: view.turn };
  }

  // a key pressed in a turn that is over by now is forgotten
  #catchUp(): void {
    const [later, view] = [this.#later, this.#state?.view];
    this.#later = null;
    if (later && this.#legal && later.actor === view?.actor && later.turn === view.turn) later.act();
  }

  get #actor(): Entity | null {
    return this.#state && entityOf(this.#state.view, this.#state.view.actor ?? this.#state.seat);
  }

  /** The fighter below the board: whoever acts for this seat, else its hero; for who watches whoever acts. */
  get #handed(): Entity | null {
    const actor = this.#actor;
    const own = this.#state?.seat ?? actor?.owner ?? 0;
    if (actor && actor.owner === own) return actor;
    return this.#state && entityOf(this.#state.view, own);
  }

  #spellStates(): SpellState[] {
    const [state, fighter] = [this.#state, this.#handed];
    if (!state || !fighter || state.seat === null) return [];
    const hero = state.view.heroes[fighter.owner];
    const mine = this.#legal !== null && state.view.phase === "fight";
    const ids = fighter.kind === "hero" ? hero.spells : [this.#catalogue.summons.find((sheet) => sheet.id === fighter.kind)?.spell?.id ?? ""];
    return ids.flatMap((id, slot) => {
      const spell = spellOf(this.#catalogue, id);
      if (!spell) return [];
      const wait = fighter.kind === "hero" ? hero.cooldowns[slot] : 0;
      const left = spell.per_turn && fighter.kind === "hero" ? Math.max(0, spell.per_turn - hero.used[slot]) : null;
      const usable = (this.#legal?.cast[slot]?.length ?? 0) > 0;
      return [{ spell, slot, wait, left, usable, why: usable || !mine ? "" : whyNot(spell, fighter, wait, left) }];
    });
  }

  #act(action: Action): void {
    if (!this.#state || !this.#legal) return;
    this.#sent = this.#state.seq;
    this.#slot = null;
    this.#armed = null;
    this.#connection.act(action, this.#state.seq);
    this.#refresh();
  }

  #pass(): void {
    if (this.#legal?.pass) this.#act({ type: "pass" });
  }

  #raise(): void {
    if (this.#legal?.raise) this.#act({ type: "raise" });
  }

  async #giveUp(): Promise<void> {
    if (await askConfirmation(t("turn.forfeit.confirm"), t("turn.forfeit"), "confirm-give-up")) this.#connection.resign();
  }

  #choose(slot: number, keyboard = false): void {
    const found = this.#spellStates().find((one) => one.slot === slot);
    if (!found) return;
    if (!found.usable && found.why !== "") this.#tell(`${found.spell.name} · ${found.why}`);
    // without a target its range is shown; else it can only be read, by a finger in no other way
    if (!found.usable && found.why !== t("spell.no_target")) {
      this.#looked = found.spell;
      this.#refreshInfo();
      return;
    }
    this.#slot = this.#slot === slot ? null : slot;
    this.#armed = null;
    this.#boardElement.focus({ preventScroll: true }); // so that Enter casts rather than presses the spell again
    if (this.#slot !== null) this.#say(t("spell.choose_cell", { name: found.spell.name }));
    this.#refresh();
    if (keyboard && this.#slot !== null) this.#nextTarget(1);
  }

  #cancel(): void {
    this.#later = null;
    this.#slot = null;
    this.#armed = null;
    this.#inspected = null;
    this.#side.classList.remove("open");
    this.#refresh();
  }

  #select(cell: Cell, confirm: boolean): void {
    const action = this.#actionAt(cell);
    if (!action) {
      this.#armed = null;
      if (this.#slot !== null) this.#slot = null;
      this.#inspect(this.#state ? (entityAt(this.#state.view, cell)?.index ?? null) : null);
      return;
    }
    if (confirm && !same(this.#armed, cell)) {
      this.#armed = cell;
      this.#refresh();
      return;
    }
    this.#act(action);
  }

  #actionAt(cell: Cell): Action | null {
    const legal = this.#legal;
    if (!legal) return null;
    if (includes(legal.place, cell)) return { type: "place", cell };
    if (this.#slot !== null) {
      return includes(legal.cast[this.#slot] ?? [], cell) ? { type: "cast", slot: this.#slot, cell } : null;
    }
    return includes(legal.go, cell) ? { type: "go", cell } : null;
  }

  #hover(cell: Cell | null): void {
    this.#hovered = cell;
    this.#refreshMarks();
  }

  #inspect(index: number | null): void {
    this.#inspected = this.#inspected === index ? null : index;
    this.#refresh();
  }

  // the keyboard's cursor

  #move(down: number, right: number): void {
    const state = this.#state;
    if (!state) return;
    const start = this.#cursor ?? this.#handed?.cell ?? state.legal?.place[0] ?? [8, 13];
    const map = this.#map;
    if (!map) return;
    const row = Math.min(map.top + map.height - 1, Math.max(map.top, start[0] + down));
    const column = Math.min(map.left + map.width - 1, Math.max(map.left, start[1] + right));
    this.#setCursor([row, column]);
  }

  #setCursor(cell: Cell): void {
    this.#cursor = cell;
    this.#board.cursor(cell);
    this.#board.reveal(cell);
    this.#hover(cell);
    const text = this.#state ? describeCell(this.#catalogue, this.#state, cell, this.#marks(cell)) : "";
    this.#cursorText.textContent = [text, ...this.#forecasts(cell).filter((one) => one.kind !== "path").map(spoken)].join(". ");
    this.#board.describe(cell, text);
  }

  #nextTarget(step: 1 | -1): void {
    const legal = this.#legal;
    if (!legal) return;
    const cells = this.#slot === null ? (legal.place.length ? legal.place : legal.go) : (legal.cast[this.#slot] ?? []);
    if (!cells.length) return;
    const sorted = [...cells].sort((a, b) => this.#worth(b) - this.#worth(a));
    const now = this.#cursor === null ? -1 : sorted.findIndex((cell) => same(cell, this.#cursor));
    this.#setCursor(sorted[(now + step + sorted.length) % sorted.length]);
  }

  // enemies first among a spell's targets
  #worth(cell: Cell): number {
    const entity = this.#state ? entityAt(this.#state.view, cell) : null;
    if (!entity || this.#slot === null) return 0;
    return entity.camp === (this.#state?.seat ?? 0) % 2 ? 1 : 2;
  }

  // what is shown

  get #map() {
    return this.#catalogue.maps.find((map) => map.id === this.#state?.view.map);
  }

  #refresh(): void {
    const state = this.#state;
    if (!state) return;
    this.#order.show(state.view, state.seats);
    this.#status.replaceChildren(...this.#statusText(state));
    this.#refreshOwn();
    this.#refreshSpells();
    this.#refreshButtons(state);
    this.#refreshAuction(state);
    this.#refreshMarks();
    document.body.classList.toggle("my-turn", this.#legal !== null);
  }

  #statusText(state: State): (Node | string)[] {
    const { view } = state;
    const limit = this.#catalogue.constants.tour_limit;
    const parts = view.phase === "fight" ? [h("b", {}, t("turn.tour.limit", { n: view.tour, limit }))] : [];
    return [...parts, " ", this.#turnText(state)];
  }

  #turnText(state: State): string {
    const { view } = state;
    const mine = state.seat !== null && view.to_act === state.seat;
    const name = state.seats[view.to_act ?? -1]?.name ?? "";
    if (state.over) return t("result.title");
    if (!mine && state.waiting.includes(view.to_act ?? -1)) return t("turn.waiting", { name });
    if (view.phase === "placement") return mine ? t("placement.yours") : t("placement.others", { name });
    if (view.phase === "auction") return mine ? t("auction.yours") : t("auction.others", { name });
    const actor = this.#actor;
    if (!mine) return t("turn.of", { name: actor ? nameOf(this.#catalogue, state, actor) : name });
    return actor && actor.kind !== "hero" ? t("turn.summon", { name: nameOf(this.#catalogue, state, actor) }) : t("turn.yours");
  }

  #refreshOwn(): void {
    const [state, fighter] = [this.#state, this.#handed];
    if (state && fighter) this.#own.replaceChildren(fighterPanel(this.#catalogue, state, fighter));
  }

  #refreshSpells(): void {
    const focused = this.#spells.contains(document.activeElement) ? document.activeElement?.getAttribute("data-slot") : null;
    const bar = spellBar(this.#spellStates(), this.#slot, this.#handed?.class ?? null, {
      choose: (slot) => this.#choose(slot),
      look: (spell) => {
        this.#looked = spell;
        this.#refreshInfo();
      },
    });
    this.#spells.hidden = bar.length === 0;
    this.#spells.replaceChildren(...bar);
    if (focused !== null) this.#spells.querySelector<HTMLElement>(`[data-slot="${focused}"]`)?.focus({ preventScroll: true });
  }

  #refreshButtons(state: State): void {
    this.#giveUpButton.hidden = state.seat === null || state.over;
    if (state.seat === null) {
      this.#turnButtons.replaceChildren(h("p", { class: "watching", "data-testid": "watching" }, icon("eye"), t("turn.spectator")));
      return;
    }
    const legal = this.#legal;
    const summon = state.view.actor !== null && state.view.actor > 3;
    const label = t(summon ? "turn.end.summon" : "turn.end");
    const usable = legal?.pass === true && state.view.phase === "fight";
    const end = button({ class: "end-turn", "data-testid": "end-turn", disabled: !usable }, () => this.#pass(), label);
    const kept = this.#turnButtons.contains(document.activeElement);
    this.#turnButtons.replaceChildren(end);
    if (kept && usable) end.focus();
  }

  #refreshAuction(state: State): void {
    this.#auction.hidden = state.view.phase !== "auction";
    if (this.#auction.hidden) return;
    const handlers = { raise: () => this.#raise(), decline: () => this.#pass() };
    this.#auction.replaceChildren(...auctionCard(state, this.#catalogue.constants.bid_step, this.#legal, handlers));
  }

  // the card stays as it is while the same people are awaited, so that a chosen link stays chosen
  #welcome(state: State, awaited: readonly number[]): void {
    const came = awaited.filter((seat) => seat !== state.seat && !state.waiting.includes(seat));
    for (const seat of came) this.#tell(t("presence.here", { name: state.seats[seat].name }));
    const seats = inviting(state);
    if (seats.join() === this.#invite.dataset["seats"]) return;
    this.#invite.dataset["seats"] = seats.join();
    this.#invite.hidden = seats.length === 0;
    this.#invite.replaceChildren(...(seats.length ? inviteCard(state, seats) : []));
  }

  #spell(): Spell | null {
    return this.#slot === null ? null : (this.#spellStates().find((one) => one.slot === this.#slot)?.spell ?? null);
  }

  get #prospect(): Prospect | null {
    const [catalogue, state, map, legal, actor, spell] = [this.#catalogue, this.#state, this.#map, this.#legal, this.#actor, this.#spell()];
    if (!state || !map || !legal) return null;
    return { catalogue, state, map, legal, actor, spell, targets: legal.cast[this.#slot ?? -1] ?? [] };
  }

  #marks(cell: Cell | null): Partial<Marks> {
    const prospect = this.#prospect;
    return prospect ? marksAt(prospect, cell) : {};
  }

  #forecasts(cell: Cell | null): Forecast[] {
    const prospect = this.#prospect;
    return prospect ? forecastsAt(prospect, cell) : [];
  }

  #refreshMarks(): void {
    const cell = this.#armed ?? this.#hovered;
    this.#board.mark(this.#marks(cell));
    this.#board.forecast(this.#forecasts(cell));
    this.#refreshInfo();
  }

  #refreshInfo(): void {
    const content = this.#infoContent();
    this.#info.hidden = content === null;
    this.#info.classList.toggle("armed", this.#armed !== null);
    this.#info.replaceChildren(...(content ? [content] : []));
  }

  #infoContent(): HTMLElement | null {
    const state = this.#state;
    if (!state) return null;
    const spell = this.#spell() ?? this.#looked;
    if (spell) return this.#spellInfo(spell);
    const shown = entityAt(state.view, this.#hovered) ?? entityOf(state.view, this.#inspected);
    if (shown) return fighterPanel(this.#catalogue, state, shown);
    const text = this.#hovered ? describeCell(this.#catalogue, state, this.#hovered, {}) : "";
    return text.includes(",") ? h("p", { class: "cell-text" }, text) : null;
  }

  #spellInfo(spell: Spell): HTMLElement {
    const found = this.#spellStates().find((one) => one.spell.id === spell.id);
    const sheet = spellSheet(spell);
    if (found?.why) sheet.append(h("p", { class: "why" }, found.why));
    if (this.#armed) sheet.append(h("p", { class: "why" }, t("spell.cast_at", { name: spell.name, cell: cellName(this.#armed) })));
    return sheet;
  }

  // what is told

  #writeLog(events: readonly GameEvent[], aloud: boolean): void {
    const names = namesOf(this.#catalogue, this.#state?.seats ?? [], this.#state?.seat ?? null);
    const lines = events.map((event) => ({ kind: event.kind, text: sentence(event, names) }));
    for (const { kind, text } of lines) this.#log.append(h("li", { class: `line ${kind}` }, text));
    while (this.#log.childElementCount > MOST_LINES) this.#log.firstElementChild?.remove();
    this.#log.scrollTop = this.#log.scrollHeight;
    if (aloud) this.#say(lines.map((line) => line.text).join(" "));
  }

  #announceTurn(events: readonly GameEvent[], state: State): void {
    const begins = events.find((event) => event.kind === "turn_begins");
    if (!begins || state.over) return;
    const entity = entityOf(state.view, begins.actor);
    if (!entity) return;
    const mine = entity.owner === state.seat;
    this.#banner.textContent = mine && entity.kind === "hero" ? t("turn.yours") : nameOf(this.#catalogue, state, entity);
    this.#banner.className = `banner show camp-${entity.camp}`;
    this.#banner.getAnimations().forEach((animation) => animation.cancel());
    void this.#banner.offsetWidth; // begins the animation anew
    this.#banner.addEventListener("animationend", () => this.#banner.classList.remove("show"), { once: true });
  }

  #say(text: string): void {
    this.#live.textContent = text;
  }

  #tell(text: string, lasting = false): void {
    clearTimeout(this.#noticeTimer);
    this.#notice.hidden = text === "";
    this.#notice.textContent = text;
    if (text !== "" && !lasting) this.#noticeTimer = window.setTimeout(() => (this.#notice.hidden = true), 5000);
  }

  #toggleLog(focus = false): void {
    const open = this.#side.classList.toggle("open");
    if (focus) (open ? this.#log : this.#boardElement).focus({ preventScroll: true });
  }

  #showResult(state: State): void {
    if (this.#result.childElementCount) return;
    const panel = resultPanel({ ...state, seats: this.#seats });
    this.#result.replaceChildren(panel);
    panel.querySelector<HTMLElement>("button")?.focus();
  }
}

function whyNot(spell: Spell, fighter: Entity, wait: number, left: number | null): string {
  if (wait > 0) return t("spell.ready_in", { n: wait });
  if (left === 0) return t("spell.used_up");
  if (fighter.shown.ap < spell.cost) return t("spell.no_ap");
  return t("spell.no_target");
}

function closedText(code: number): string {
  const words: Record<number, string> = { [UNAUTHORIZED]: "unauthorized", 4403: "no_spectators", 4404: "not_found" };
  return faultOf(words[code] ?? "closed", "");
}
