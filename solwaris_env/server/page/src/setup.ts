// Setting up a duel: class and grimoire, opponents, map, clocks.

import { begin, fault, keepSettings, lastSettings } from "./api.ts";
import { chip, deedChips, termTexts } from "./chips.ts";
import { button, h, s } from "./dom.ts";
import { CAMP_COLOURS, CLASS_COLOURS, palette } from "./figures.ts";
import { cellsWhere, terrain } from "./geometry.ts";
import { portrait } from "./hud.ts";
import { described, inLanguage, language, t } from "./i18n.ts";
import { icon, spellSign } from "./icons.ts";
import type { NewDuel, NewSeat } from "../../clients/typescript/solwaris.ts";
import type { Catalogue, ClassSheet, MapSheet, Opponent, Passive, Spell } from "./types.ts";

const SLOTS = 8;

const HUMAN = "human";
const LONGEST_NAME = 40;

interface Choices {
  class: string;
  loadout: boolean[];
  opponent: string;
  ally: string;
  classes: Record<number, string>; // of the other seats; "" by chance
  names: Record<number, string>; // of people, where one plays besides the own person
  map: string; // "" by chance
  clocks: boolean;
  teams: 1 | 2;
}

/** The set-up inside `root`; the answer takes it down. */
export function openSetup(root: HTMLElement, catalogue: Catalogue): () => void {
  new Setup(root, catalogue).show();
  return () => root.replaceChildren();
}

class Setup {
  readonly #root: HTMLElement;
  readonly #catalogue: Catalogue;
  readonly #choices: Choices;
  readonly #scroller = h("div", { class: "setup-scroll" });
  readonly #problem = h("p", { class: "why", role: "alert" });

  constructor(root: HTMLElement, catalogue: Catalogue) {
    this.#root = root;
    this.#catalogue = catalogue;
    this.#choices = this.#remembered(lastSettings());
  }

  show(): void {
    const focused = document.activeElement?.getAttribute("data-testid");
    const top = this.#scroller.scrollTop;
    this.#scroller.replaceChildren(
      h(
        "main",
        { class: "setup", "aria-label": t("aria.setup") },
        h("header", { class: "setup-head" }, h("h1", {}, t("setup.title")), h("p", {}, t("app.tagline"))),
        this.#classes(),
        this.#grimoire(),
        this.#others(),
        this.#maps(),
      ),
    );
    this.#root.replaceChildren(h("div", { class: "setup-screen" }, this.#scroller, this.#startBar()));
    this.#scroller.scrollTop = top;
    if (focused) this.#root.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus({ preventScroll: true });
  }

  // the last duel's settings, as far as this server still knows them
  #remembered(wish: NewDuel | null): Choices {
    const [own, enemy, ally] = wish?.seats ?? [];
    const known = (name: string | undefined): string =>
      name === HUMAN || this.#catalogue.opponents.some((one) => one.name === name) ? (name ?? "") : this.#usualOpponent();
    const sheet = this.#catalogue.classes.find((one) => one.id === own?.class) ?? this.#catalogue.classes[0];
    return {
      class: sheet.id,
      loadout: own?.loadout ?? Array<boolean>(SLOTS + 1).fill(false),
      opponent: known(enemy?.player),
      ally: known(ally?.player),
      classes: Object.fromEntries((wish?.seats ?? []).map((seat, number) => [number, seat.class ?? ""])),
      names: Object.fromEntries((wish?.wait ? wish.seats : []).map((seat, number) => [number, seat.name ?? ""])),
      map: this.#catalogue.maps.find((map) => map.id === wish?.map)?.id ?? "",
      clocks: wish?.clocks ?? true,
      teams: wish?.seats.length === 4 ? 2 : 1,
    };
  }

  #usualOpponent(): string {
    const { opponents } = this.#catalogue;
    return (opponents.find((one) => one.name === "greedy") ?? opponents[0])?.name ?? "";
  }

  #set(change: Partial<Choices>): void {
    Object.assign(this.#choices, change);
    this.show();
  }

  get #sheet(): ClassSheet {
    return this.#catalogue.classes.find((sheet) => sheet.id === this.#choices.class) ?? this.#catalogue.classes[0];
  }

  #classes(): HTMLElement {
    const cards = this.#catalogue.classes.map((sheet) =>
      button(
        {
          class: "class-card",
          "data-testid": `class-${sheet.id}`,
          "aria-pressed": String(sheet.id === this.#choices.class),
          style: `--class:${CLASS_COLOURS[sheet.id]}`,
        },
        () => this.#set({ class: sheet.id, loadout: Array<boolean>(SLOTS + 1).fill(false) }),
        portrait({ kind: "hero", class: sheet.id, camp: 0 }),
        h("strong", {}, sheet.name),
        h("span", { class: "idea" }, language() === "fr" ? sheet.idee : sheet.idea),
      ),
    );
    return section(t("setup.class"), "classes", h("div", { class: "class-cards" }, ...cards));
  }

  #grimoire(): HTMLElement {
    const sheet = this.#sheet;
    const figures = h(
      "p",
      { class: "chips" },
      chip("heal", `${sheet.hp} ${t("class.hp")}`),
      chip("ap", `${sheet.ap} ${t("class.ap")}`),
      chip("mp", `${sheet.mp} ${t("class.mp")}`),
      chip("remove_ap", t("class.resist", { n: sheet.ap_resist }), t("class.ap_resist")),
      chip("remove_mp", t("class.resist", { n: sheet.mp_resist }), t("class.mp_resist")),
    );
    const rows = Array.from({ length: SLOTS + 1 }, (_, slot) => this.#versions(sheet, slot));
    return section(t("setup.class.sheet", { name: sheet.name }), "grimoire", figures, h("div", { class: "slots" }, ...rows));
  }

  #versions(sheet: ClassSheet, slot: number): HTMLElement {
    const title = slot === SLOTS ? t("setup.loadout.passive") : `${slot + 1}`;
    const of: readonly (Spell | Passive)[] =
      slot === SLOTS ? sheet.passives : sheet.spells.filter((spell) => spell.slot === slot + 1);
    const label = slot === SLOTS ? title : t("setup.loadout.slot", { n: slot + 1 });
    const cards = of.map((one) => this.#version(one, slot));
    return h("div", { class: "slot", role: "group", "aria-label": label }, h("span", { class: "slot-number" }, title), ...cards);
  }

  #version(one: Spell | Passive, slot: number): HTMLElement {
    const variant = one.version === "variant";
    const loadout = this.#choices.loadout.map((taken, number) => (number === slot ? variant : taken));
    const spell = "effects" in one ? one : null;
    return button(
      {
        class: "version",
        "data-testid": `variant-${slot}-${one.version}`,
        "aria-pressed": String(this.#choices.loadout[slot] === variant),
        style: `--class:${CLASS_COLOURS[this.#choices.class]}`,
      },
      () => this.#set({ loadout }),
      h(
        "span",
        { class: "version-head" },
        icon(spell ? spellSign(spell) : this.#choices.class),
        h("strong", {}, one.name),
        h("em", {}, t(variant ? "setup.loadout.variant" : "setup.loadout.original")),
      ),
      spell ? h("span", { class: "terms" }, termTexts(spell).join(" · ")) : null,
      spell ? h("span", { class: "chips" }, ...deedChips(spell.effects)) : null,
      h("span", { class: "text" }, described(one)),
    );
  }

  #others(): HTMLElement {
    const { teams } = this.#choices;
    const modes = ([1, 2] as const).map((size) =>
      button(
        { class: "toggle", "data-testid": `mode-${size}v${size}`, "aria-pressed": String(size === teams) },
        () => this.#set({ teams: size }),
        t(size === 1 ? "setup.mode.1v1" : "setup.mode.2v2"),
      ),
    );
    const cards = this.#catalogue.opponents.map((one) => this.#opponentCard(one));
    const rows = [...(this.#people.length ? [0] : []), ...(teams === 1 ? [1] : [2, 1, 3])].map((seat) => this.#seatRow(seat));
    return section(
      t("setup.seat.enemy"),
      "others",
      h("div", { class: "row", role: "group", "aria-label": t("setup.mode") }, ...modes),
      h("div", { class: "opponents" }, ...cards, this.#personCard()),
      ...rows,
    );
  }

  #opponentCard(one: Opponent): HTMLElement {
    const rating = one.rating === null ? "" : t("setup.player.rating", { rating: Math.round(one.rating) });
    const sign = { scripted: "dice", search: "range", policy: "arcaniste" }[one.kind];
    return this.#card(one.name, sign, inLanguage(one.title), rating, inLanguage(one.about));
  }

  #personCard(): HTMLElement {
    return this.#card(HUMAN, "person", t("setup.player.human"), "", t("opponent.human"));
  }

  #card(name: string, sign: string, title: string, rating: string, text: string): HTMLElement {
    return button(
      { class: "opponent", "data-testid": `opponent-${name}`, "aria-pressed": String(name === this.#choices.opponent) },
      () => this.#set({ opponent: name }),
      icon(sign),
      h("strong", {}, title),
      h("span", { class: "rating" }, rating),
      h("span", { class: "text" }, text),
    );
  }

  /** Who plays each seat. */
  get #players(): string[] {
    const { teams, opponent, ally } = this.#choices;
    return teams === 1 ? [HUMAN, opponent] : [HUMAN, opponent, ally, opponent];
  }

  /** Seats of other people. */
  get #people(): number[] {
    return this.#players.flatMap((player, seat) => (seat > 0 && player === HUMAN ? [seat] : []));
  }

  #seatRow(seat: number): HTMLElement {
    const word = this.#seatWord(seat);
    const classes: [string, string][] = [["", t("setup.class.random")], ...this.#catalogue.classes.map((sheet): [string, string] => [sheet.id, sheet.name])];
    const players: [string, string][] = [...this.#catalogue.opponents.map((one): [string, string] => [one.name, inLanguage(one.title)]), [HUMAN, t("setup.player.human")]];
    return h(
      "div",
      { class: `seat-row camp-${seat % 2}` },
      h("span", { class: "seat-word" }, word),
      seat === 2 ? select(t("setup.player"), "ally", players, this.#choices.ally, (value) => this.#set({ ally: value })) : null,
      this.#players[seat] === HUMAN ? this.#nameField(seat, word) : null,
      seat > 0 ? select(`${t("setup.class")}, ${word}`, `class-of-${seat}`, classes, this.#choices.classes[seat] ?? "", (value) => (this.#choices.classes[seat] = value)) : null,
    );
  }

  #seatWord(seat: number): string {
    if (seat === 0) return t("setup.seat.you");
    if (seat === 2) return t("setup.seat.ally");
    return this.#choices.teams === 1 ? t("setup.seat.enemy") : t("setup.seat.enemy.number", { n: (seat + 1) / 2 });
  }

  #nameField(seat: number, word: string): HTMLElement {
    const label = t(seat === 0 ? "setup.name.placeholder" : "setup.name");
    const value = this.#choices.names[seat] ?? "";
    const field = h("input", { type: "text", maxlength: LONGEST_NAME, value, placeholder: label, "aria-label": seat === 0 ? label : `${label}, ${word}`, "data-testid": `name-of-${seat}` });
    field.addEventListener("input", () => (this.#choices.names[seat] = field.value));
    return field;
  }

  #maps(): HTMLElement {
    const chance = this.#mapCard("", t("setup.map.random"), icon("dice", "map-preview"));
    const cards = this.#catalogue.maps.map((map) => this.#mapCard(map.id, map.name, preview(map)));
    const found = this.#catalogue.maps.find((map) => map.id === this.#choices.map);
    const idea = found ? `${language() === "en" ? `${found.idea} ` : ""}${t("setup.map.cells", { n: found.playable })}` : "";
    return section(t("setup.map"), "maps", h("div", { class: "map-cards" }, chance, ...cards), h("p", { class: "text" }, idea));
  }

  #mapCard(id: string, name: string, picture: SVGElement): HTMLElement {
    return button(
      { class: "map-card", "data-testid": `map-${id || "random"}`, "aria-pressed": String(id === this.#choices.map) },
      () => this.#set({ map: id }),
      picture,
      h("strong", {}, name),
    );
  }

  #startBar(): HTMLElement {
    const clocks = h("input", { type: "checkbox", "data-testid": "clocks", checked: this.#choices.clocks });
    clocks.addEventListener("change", () => (this.#choices.clocks = clocks.checked));
    const start = button({ class: "primary start", "data-testid": "start" }, () => void this.#start(start), t("setup.start"));
    return h("div", { class: "start-bar" }, h("label", { class: "check" }, clocks, t("setup.clocks")), this.#problem, start);
  }

  async #start(press: HTMLButtonElement): Promise<void> {
    press.disabled = true;
    press.textContent = t("setup.starting");
    const wish = this.#wish();
    try {
      const duel = await begin(wish, 0);
      keepSettings(wish);
      location.hash = `#/duel/${duel}`;
    } catch (error) {
      this.#problem.textContent = fault(error);
      press.disabled = false;
      press.textContent = t("setup.start");
    }
  }

  #wish(): NewDuel {
    const { class: own, loadout, classes, names, map, clocks } = this.#choices;
    const wait = this.#people.length > 0;
    const named = (seat: number): string | undefined => names[seat]?.trim() || undefined; // each page has a word for who has none
    const seats = this.#players.map((player, seat): NewSeat => {
      if (seat === 0) return { player, name: wait ? named(0) : undefined, class: own, loadout };
      return { player, name: player === HUMAN ? named(seat) : undefined, class: classes[seat] || undefined };
    });
    return { seats, map: map || undefined, clocks, wait };
  }
}

function section(title: string, className: string, ...children: HTMLElement[]): HTMLElement {
  return h("section", { class: `card ${className}`, "aria-label": title }, h("h2", {}, title), ...children);
}

function select(label: string, testId: string, options: [string, string][], chosen: string, change: (value: string) => void): HTMLElement {
  const field = h("select", { "data-testid": testId, "aria-label": label }, ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  field.addEventListener("change", () => change(field.value));
  return field;
}

/** A map from above, a square a cell. */
function preview(map: MapSheet): SVGSVGElement {
  const colours = palette(map.id);
  const squares = cellsWhere((cell) => terrain(map, cell) !== " ").map(([row, column]) => {
    const zone = map.zones[row][column];
    const sign = terrain(map, [row, column]);
    const fill = zone !== "." ? CAMP_COLOURS[Number(zone) - 1] : sign === "." ? colours.floor[0] : OBSTACLES[sign];
    return s("rect", { x: column, y: row, width: 1.02, height: 1.02, fill });
  });
  const box = `${map.left - 0.5} ${map.top - 0.5} ${map.width + 1} ${map.height + 1}`;
  return s("svg", { viewBox: box, class: "map-preview", role: "img", "aria-label": t("setup.map.preview", { name: map.name }) }, ...squares);
}

const OBSTACLES: Record<string, string> = { W: "#a49db0", H: "#5f9c50", C: "#b98a53", R: "#9a9187", V: "#8a7ca8" };
