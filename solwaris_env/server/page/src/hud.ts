// What stands around the board: turn order, the own hero, spells, details, clock, log.

import { chip, effectText } from "./chips.ts";
import { className, entityOf, nameOf } from "./describe.ts";
import { button, h, picture } from "./dom.ts";
import { CLASS_COLOURS, figure } from "./figures.ts";
import { described, percent, signed, t } from "./i18n.ts";
import { icon, spellSign } from "./icons.ts";
import { causeName, passiveOf } from "./sheets.ts";
import type { Catalogue, Clock, Entity, SeatState, Spell, State, View } from "./types.ts";

type Watched = Pick<State, "seat" | "seats" | "view">;
type Seated = Pick<State, "seats">;

/** A fighter's bust, for cards and panels. */
export function portrait(entity: Pick<Entity, "kind" | "class" | "camp">): SVGSVGElement {
  const box = entity.kind === "hero" ? "-22 -78 44 44" : "-28 -60 56 70";
  return picture(figure(entity.kind, entity.class, entity.camp), "portrait", box);
}

/** The line of all fighters, who acts first of all marked; shown again with every view. */
export function createOrder(element: HTMLElement, catalogue: Catalogue, inspect?: (index: number) => void) {
  element.setAttribute("role", "list");
  element.setAttribute("aria-label", t("turn.order"));
  return {
    show(view: View, seats: readonly SeatState[]): void {
      element.replaceChildren(...inOrder(catalogue, view).map((entity) => card(catalogue, { seats: [...seats] }, view, entity, inspect)));
    },
  };
}

// the camp that begins comes first; a summon follows its hero, and inert ones play no turn
function inOrder(catalogue: Catalogue, view: View): Entity[] {
  const mobile = (kind: string): boolean => catalogue.summons.find((sheet) => sheet.id === kind)?.mobile ?? true;
  const plays = (entity: Entity): boolean => entity.kind === "hero" || (entity.shown.alive && mobile(entity.kind));
  const first = view.first_camp ?? view.auction.bidder ?? view.auction.drawn_camp;
  const place = (entity: Entity): number => {
    const rank = Math.floor(entity.owner / 2) * 2 + (entity.owner % 2 === first ? 0 : 1);
    return rank * 100 + (entity.kind === "hero" ? 0 : 1 + entity.index);
  };
  return view.entities.filter(plays).sort((a, b) => place(a) - place(b));
}

function card(catalogue: Catalogue, seated: Seated, view: View, entity: Entity, inspect?: (index: number) => void): HTMLElement {
  const name = nameOf(catalogue, seated, entity);
  const acting = view.actor === entity.index || (view.actor === null && view.to_act === entity.index);
  const small = entity.kind === "hero" ? "" : " small";
  const content = [
    h("span", { class: "bust" }, portrait(entity)),
    h("span", { class: "who" }, name),
    bar(entity),
    h("span", { class: "hp" }, `${entity.hp}`, entity.shown.armour ? h("i", {}, ` +${entity.shown.armour}`) : null),
  ];
  const label = `${t("entity.label", { name, hp: entity.hp, max: entity.max_hp })}, ${t(entity.camp === 0 ? "camp.0" : "camp.1")}`;
  const press = button({ class: "order-card", "data-fighter": entity.index, "aria-label": label, title: label }, () => inspect?.(entity.index), ...content);
  const classes = `camp-${entity.camp}${small}${acting ? " acting" : ""}${entity.shown.alive ? "" : " dead"}${entity.invisible ? " unseen" : ""}`;
  return h("div", { role: "listitem", class: `order-item ${classes}`, "aria-current": acting ? "true" : null }, press);
}

function bar(entity: Entity): HTMLElement {
  const share = (100 * Math.max(0, entity.hp)) / Math.max(1, entity.max_hp);
  return h("span", { class: "bar" }, h("span", { style: `width:${share}%` }));
}

/** A fighter's figures and effects. */
export function fighterPanel(catalogue: Catalogue, state: Watched, entity: Entity): HTMLElement {
  const { view } = state;
  const origin = entity.kind === "hero" ? className(catalogue, entity.class) : summonerOf(catalogue, state, entity);
  const effects = view.effects
    .filter((effect) => effect.target === entity.index)
    .map((effect) => h("li", {}, icon(effect.kind), effectText(effect, causeName(catalogue, effect.cause))));
  const figures = [
    chip("ap", `${entity.shown.ap} ${t("entity.ap")}`),
    chip("mp", `${entity.shown.mp} ${t("entity.mp")}`),
    entity.shown.armour ? chip("armour", `${entity.shown.armour}`, t("entity.armour")) : null,
    entity.shown.resistance ? chip("resistance", percent(entity.shown.resistance), t("entity.resistance")) : null,
    entity.shown.power ? chip("power", percent(entity.shown.power), t("entity.power")) : null,
    entity.shown.range ? chip("range", signed(entity.shown.range), t("entity.range")) : null,
    entity.invisible ? chip("invisible", t("entity.invisible")) : null,
  ];
  const passive = passiveOf(catalogue, view, entity);
  return h(
    "div",
    { class: `fighter camp-${entity.camp}` },
    h("span", { class: "bust large" }, portrait(entity)),
    h("div", { class: "fighter-text" },
      h("strong", {}, nameOf(catalogue, state, entity)),
      h("span", { class: "terms" }, origin),
      h("span", { class: "hp-line" }, bar(entity), h("b", {}, `${entity.hp} / ${entity.max_hp}`)),
      h("p", { class: "chips" }, ...figures),
      passive ? h("p", { class: "terms", title: described(passive) }, `${t("class.passive")} · ${passive.name}`) : null,
      effects.length ? h("ul", { class: "effects" }, ...effects) : null,
    ),
  );
}

function summonerOf(catalogue: Catalogue, state: Watched, { owner }: Entity): string {
  if (owner === state.seat) return t("entity.summon_own");
  const summoner = entityOf(state.view, owner);
  return t("entity.summon_of", { name: summoner ? nameOf(catalogue, state, summoner) : "" });
}

export interface SpellState {
  spell: Spell;
  slot: number;
  usable: boolean;
  why: string; // why it cannot be cast now, or ""
  wait: number; // turns until it is ready again
  left: number | null; // casts left this turn, null without a limit
}

/** The spell bar of a fighter. */
export function spellBar(
  spells: readonly SpellState[],
  selected: number | null,
  owner: string | null,
  handlers: { choose(slot: number): void; look(spell: Spell | null): void },
): HTMLElement[] {
  return spells.map(({ spell, slot, usable, why, wait, left }) => {
    const label = `${t("spell.slot", { slot: slot + 1, name: spell.name, cost: spell.cost })}${why ? `. ${why}` : ""}`;
    const press = button(
      {
        class: `spell${usable ? "" : " off"}`,
        "data-slot": slot,
        "data-testid": "spell",
        "aria-label": label,
        "aria-pressed": String(slot === selected),
        "aria-disabled": usable ? null : "true",
        style: `--class:${CLASS_COLOURS[owner ?? ""] ?? "#d9c7a0"}`,
      },
      () => handlers.choose(slot),
      icon(spellSign(spell), "spell-sign"),
      h("span", { class: "cost" }, `${spell.cost}`),
      h("kbd", {}, `${slot + 1}`),
      h("span", { class: "spell-name", lang: "fr" }, hyphenated(spell.name)),
      wait ? h("span", { class: "wait" }, `${wait}`) : null,
      left !== null && !wait ? h("span", { class: "left" }, "●".repeat(left)) : null,
    );
    press.addEventListener("pointerenter", () => handlers.look(spell));
    press.addEventListener("pointerleave", () => handlers.look(null));
    press.addEventListener("focus", () => handlers.look(spell));
    press.addEventListener("blur", () => handlers.look(null));
    return press;
  });
}

const LONG_WORD = 14; // letters that a spell's button has room for

/** A name whose longest words may be broken after a syllable near their middle. */
function hyphenated(name: string): string {
  return name.replace(/\p{L}+/gu, (word) => {
    if (word.length <= LONG_WORD) return word;
    const ends = [...word.matchAll(/[aeiouyà-ü](?=[^aeiouyà-ü][aeiouyà-ü])/gi)].map(({ index }) => index + 1);
    const middle = ends.reduce((best, end) => (Math.abs(end - word.length / 2) < Math.abs(best - word.length / 2) ? end : best), 0);
    return middle ? `${word.slice(0, middle)}\u00ad${word.slice(middle)}` : word;
  });
}

/** The clock that runs: what the server said was left, less the time since. */
export class ClockFace {
  readonly root = h("div", { class: "clock", role: "timer", "data-testid": "clock" });
  readonly #hand = h("span", { class: "clock-hand" });
  readonly #digits = h("b", {});
  readonly #timer: number;
  #clock: Clock | null = null;
  #since = 0;

  constructor() {
    this.root.append(icon("clock"), this.#digits, h("span", { class: "clock-track" }, this.#hand));
    this.#timer = window.setInterval(() => this.#tick(), 200);
  }

  show(clock: Clock | null): void {
    this.#clock = clock;
    this.#since = performance.now();
    this.#tick();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.root.hidden = this.#clock === null;
    if (!this.#clock) return;
    const left = Math.max(0, this.#clock.left - (performance.now() - this.#since) / 1000);
    this.#digits.textContent = String(Math.ceil(left));
    this.#hand.style.width = `${(100 * left) / this.#clock.limit}%`;
    this.root.classList.toggle("late", left <= 5);
    this.root.setAttribute("aria-label", `${t(`clock.${this.#clock.kind}`)}: ${t("clock.left", { n: Math.ceil(left) })}`);
  }
}
