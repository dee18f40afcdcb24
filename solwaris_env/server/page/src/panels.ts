// What stands around the board of a duel: top line, turn order, fighter, spells, cards.

import { auctionCard } from "./auction.ts";
import { spellSheet } from "./chips.ts";
import type { Choosing } from "./choosing.ts";
import { describeCell, entityAt, entityOf } from "./describe.ts";
import { button, h } from "./dom.ts";
import { ClockFace, createOrder, fighterPanel, spellBar } from "./hud.ts";
import { cellName, t } from "./i18n.ts";
import { icon } from "./icons.ts";
import { inviteCard, inviting } from "./invite.ts";
import { resultPanel } from "./result.ts";
import type { Situation } from "./situation.ts";
import { statusLine } from "./status.ts";
import type { Catalogue, Spell, State } from "./types.ts";

export interface PanelHandlers {
  pass(): void;
  raise(): void;
  giveUp(): void;
}

export class Panels {
  readonly clock = new ClockFace();
  readonly order = h("div", { class: "order" });
  readonly status = h("p", { class: "status", "data-testid": "status" });
  readonly auction = h("div", { class: "auction card", hidden: true });
  readonly invite = h("div", { class: "invite card", "data-testid": "invite", hidden: true });
  readonly info = h("div", { class: "info card", hidden: true });
  readonly own = h("div", { class: "own" });
  readonly spells = h("div", { class: "spells", role: "toolbar", "aria-label": t("spell.bar") });
  readonly turnButtons = h("div", { class: "turn-buttons" });
  readonly result = h("div", { class: "result-place" });
  readonly giveUpButton = button(
    { class: "tool give-up", "data-testid": "give-up", title: t("turn.forfeit"), "aria-label": t("turn.forfeit"), hidden: true },
    () => this.#handlers.giveUp(),
    icon("flag"),
  );
  readonly #choosing: Choosing;
  readonly #handlers: PanelHandlers;
  readonly #fighters;

  constructor(catalogue: Catalogue, choosing: Choosing, handlers: PanelHandlers) {
    this.#choosing = choosing;
    this.#handlers = handlers;
    this.#fighters = createOrder(this.order, catalogue, (index) => choosing.inspect(index));
  }

  /** Show the duel as it stands; what is chosen is described by `describe`. */
  show(now: Situation): void {
    this.#fighters.show(now.state.view, now.state.seats);
    this.status.replaceChildren(...statusLine(now));
    if (now.handed) this.own.replaceChildren(fighterPanel(now.catalogue, now.state, now.handed));
    this.#showSpells(now);
    this.#showButtons(now);
    this.#showAuction(now);
  }

  #showSpells(now: Situation): void {
    const bar = spellBar(now.spells, this.#choosing.slot, now.handed?.class ?? null, {
      choose: (slot) => this.#choosing.choose(slot),
      look: (spell) => this.#choosing.look(spell),
    });
    this.spells.hidden = bar.length === 0;
    this.spells.replaceChildren(...bar);
  }

  #showButtons({ state, legal }: Situation): void {
    const resigned = state.seats[state.seat ?? -1]?.resigned ?? false;
    this.giveUpButton.hidden = state.seat === null || state.over || resigned;
    if (state.seat === null) {
      this.turnButtons.replaceChildren(h("p", { class: "watching", "data-testid": "watching" }, icon("eye"), t("turn.spectator")));
      return;
    }
    if (resigned && !state.over) {
      this.turnButtons.replaceChildren(h("p", { class: "watching", "data-testid": "resigned" }, icon("flag"), t("resigned.own")));
      return;
    }
    const summon = state.view.actor !== null && state.view.actor > 3;
    const label = t(summon ? "turn.end.summon" : "turn.end");
    const usable = legal?.pass === true && state.view.phase === "fight";
    const end = button({ class: "end-turn", "data-testid": "end-turn", disabled: !usable }, () => this.#handlers.pass(), label);
    this.turnButtons.replaceChildren(end);
  }

  #showAuction({ catalogue, state, legal }: Situation): void {
    this.auction.hidden = state.view.phase !== "auction";
    if (this.auction.hidden) return;
    const handlers = { raise: () => this.#handlers.raise(), decline: () => this.#handlers.pass() };
    this.auction.replaceChildren(...auctionCard(state, catalogue.constants.bid_step, legal, handlers));
  }

  /** Show the links for who is awaited; the card stays while they are the same, so that a chosen link stays chosen. */
  showInvitations(state: State): void {
    const seats = inviting(state);
    if (seats.join() === this.invite.dataset["seats"]) return;
    this.invite.dataset["seats"] = seats.join();
    this.invite.hidden = seats.length === 0;
    this.invite.replaceChildren(...(seats.length ? inviteCard(state, seats) : []));
  }

  /** Describe what is chosen or hovered over. */
  describe(now: Situation): void {
    const content = this.#described(now);
    this.info.hidden = content === null;
    this.info.classList.toggle("armed", this.#choosing.armed !== null);
    this.info.replaceChildren(...(content ? [content] : []));
  }

  #described(now: Situation): HTMLElement | null {
    const { catalogue, state } = now;
    const { shownSpell, hovered, inspected } = this.#choosing;
    if (shownSpell) return this.#spellCard(shownSpell, now);
    const shown = entityAt(state.view, hovered) ?? entityOf(state.view, inspected);
    if (shown) return fighterPanel(catalogue, state, shown);
    const text = hovered ? describeCell(catalogue, state, hovered, {}) : "";
    return text.includes(",") ? h("p", { class: "cell-text" }, text) : null;
  }

  #spellCard(spell: Spell, now: Situation): HTMLElement {
    const { armed } = this.#choosing;
    const found = now.spells.find((one) => one.spell.id === spell.id);
    const sheet = spellSheet(spell);
    if (found?.why) sheet.append(h("p", { class: "why" }, found.why));
    if (armed) sheet.append(h("p", { class: "why" }, t("spell.cast_at", { name: spell.name, cell: cellName(armed) })));
    return sheet;
  }

  /** Show once how the duel ended; the state's seats are named as the server does. */
  showResult(state: State): void {
    if (this.result.childElementCount) return;
    const panel = resultPanel(state);
    this.result.replaceChildren(panel);
    panel.querySelector<HTMLElement>("button")?.focus();
  }
}
