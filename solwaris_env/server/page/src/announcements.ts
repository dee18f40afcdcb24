// What a duel tells: the log, notices, the banner of a turn, and what is only read out.

import { entityOf, nameOf } from "./describe.ts";
import { h } from "./dom.ts";
import { t } from "./i18n.ts";
import { sentence, type Names } from "./log.ts";
import type { Catalogue, GameEvent, State } from "./types.ts";

const MOST_LINES = 400;
const NOTICE = 5000; // milliseconds

export class Announcements {
  readonly banner = h("div", { class: "banner", "aria-hidden": "true" });
  readonly notice = h("p", { class: "notice", role: "alert", hidden: true });
  readonly live = h("p", { class: "hidden-text", "aria-live": "polite", "data-testid": "live" });
  readonly side = h("aside", { class: "side", "aria-label": t("aria.log") });
  readonly #log = h("ol", { class: "log", "data-testid": "log", "aria-label": t("aria.log"), tabindex: 0 });
  #timer = 0;

  constructor() {
    this.side.append(h("h2", {}, t("log.title")), this.#log);
  }

  get logged(): boolean {
    return this.#log.childElementCount > 0;
  }

  /** Write events into the log; read them out if `aloud`. */
  write(events: readonly GameEvent[], names: Names, aloud: boolean): void {
    const lines = events.map((event) => ({ kind: event.kind, text: sentence(event, names) }));
    this.#add(lines);
    if (aloud) this.say(lines.map((line) => line.text).join(" "));
  }

  /** Write a line that no event tells of, read it out and show it for a while. */
  note(text: string): void {
    this.#add([{ kind: "noted", text }]);
    this.say(text);
    this.tell(text);
  }

  #add(lines: readonly { kind: string; text: string }[]): void {
    for (const { kind, text } of lines) this.#log.append(h("li", { class: `line ${kind}` }, text));
    while (this.#log.childElementCount > MOST_LINES) this.#log.firstElementChild?.remove();
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** Say across the board whose turn begins with the events, if one does. */
  announceTurn(events: readonly GameEvent[], catalogue: Catalogue, state: State): void {
    const begins = events.find((event) => event.kind === "turn_begins");
    if (!begins || state.over) return;
    const entity = entityOf(state.view, begins.actor);
    if (!entity) return;
    const mine = entity.owner === state.seat;
    this.banner.textContent = mine && entity.kind === "hero" ? t("turn.yours") : nameOf(catalogue, state, entity);
    this.banner.className = `banner show camp-${entity.camp}`;
    this.banner.getAnimations().forEach((animation) => animation.cancel());
    void this.banner.offsetWidth; // begins the animation anew
    this.banner.addEventListener("animationend", () => this.banner.classList.remove("show"), { once: true });
  }

  /** Only for who listens. */
  say(text: string): void {
    this.live.textContent = text;
  }

  /** A notice over the board, for a while or until the next one. */
  tell(text: string, lasting = false): void {
    clearTimeout(this.#timer);
    this.notice.hidden = text === "";
    this.notice.textContent = text;
    if (text !== "" && !lasting) this.#timer = window.setTimeout(() => (this.notice.hidden = true), NOTICE);
  }

  /** Open or close the log where the screen is narrow; the focus goes there, or to `back`. */
  toggleLog(back: HTMLElement | null = null): void {
    const open = this.side.classList.toggle("open");
    if (back) (open ? this.#log : back).focus({ preventScroll: true });
  }

  /** Close it; the focus goes `back` if it was there. */
  closeLog(back: HTMLElement): void {
    this.side.classList.remove("open");
    if (this.side.contains(document.activeElement)) back.focus({ preventScroll: true });
  }
}
