// Spells, effects and points as small signs with numbers: the same in every language.

import { h } from "./dom.ts";
import { described, percent, signed, t } from "./i18n.ts";
import { icon } from "./icons.ts";
import type { Effect, Spell, SpellEffect } from "./types.ts";

/** A sign with a text beside it. */
export function chip(kind: string, text: string, title: string | null = null): HTMLElement {
  return h("span", { class: `chip chip-${kind}`, title }, icon(kind), text);
}

/** What a spell does, in numbers. */
export function deedChips(effects: readonly SpellEffect[]): HTMLElement[] {
  return effects.flatMap((effect) => {
    if (effect.summon) return [chip(effect.summon.id, `${effect.summon.name} · ${effect.summon.hp} ${t("class.hp")}`)];
    if (effect.trap) return [chip("trap", effect.trap.name), ...deedChips(effect.trap.effects)];
    const told = number(effect);
    const shown = chip(effect.kind, told);
    if (effect.turns !== undefined) shown.append(icon("clock", "icon during"), `${effect.turns}`);
    return told === "" && effect.turns === undefined ? [] : [shown];
  });
}

function number(effect: SpellEffect): string {
  const span = effect.min === undefined ? "" : effect.min === effect.max ? `${effect.min}` : `${effect.min}–${effect.max}`;
  const share = effect.percent === undefined ? "" : percent(effect.percent);
  const removed = effect.tries === undefined ? "" : `−${effect.tries} ${t(effect.kind === "remove_ap" ? "entity.ap" : "entity.mp")}`;
  const gained = effect.points === undefined ? "" : `${effect.points}${gainWord(effect.kind)}`;
  const cells = effect.cells === undefined ? "" : `${effect.cells}`;
  return [span, share, removed, gained, cells].filter((part) => part !== "").join(" ");
}

function gainWord(kind: string): string {
  if (kind === "gain_ap") return ` ${t("entity.ap")}`;
  return kind === "gain_mp" ? ` ${t("entity.mp")}` : "";
}

const UNLIMITED = 63; // the longest range a sheet may state, beyond every distance: LONG in content/sheets.py

function rangeText([min, max]: Spell["range"]): string {
  if (max === 0) return t("spell.range.self");
  if (max >= UNLIMITED) return t("spell.range.unlimited");
  return min === max ? t("spell.range.one", { n: max }) : t("spell.range", { min, max });
}

/** On what terms a spell is cast. */
export function termTexts(spell: Spell): string[] {
  return [
    t("spell.cost", { n: spell.cost }),
    spell.hp_cost ? t("spell.hp_cost", { n: spell.hp_cost }) : "",
    rangeText(spell.range),
    spell.line ? t("spell.line") : "",
    spell.range[1] > 1 && !spell.sight ? t("spell.no_sight") : "",
    spell.area ? areaText(spell.area) : "",
    spell.per_turn ? t("spell.per_turn", { n: spell.per_turn }) : "",
    spell.cooldown ? t("spell.cooldown", { n: spell.cooldown }) : "",
  ].filter((text) => text !== "");
}

function areaText({ shape, size }: NonNullable<Spell["area"]>): string {
  return t(`spell.area.${shape}`, { n: size });
}

/** A spell's whole sheet: name, terms, numbers, text. */
export function spellSheet(spell: Spell): HTMLElement {
  return h(
    "div",
    { class: "sheet" },
    h("strong", {}, spell.name),
    h("p", { class: "terms" }, termTexts(spell).join(" · ")),
    h("p", { class: "chips" }, ...deedChips(spell.effects)),
    h("p", { class: "text" }, described(spell)),
  );
}

/** A timed effect in words, with the turns it has left. */
export function effectText(effect: Effect, cause: string | null): string {
  const what = effectWhat(effect);
  const left = effect.until === "own_turn_end" ? t("effect.own_turn_end") : t("effect.turns", { n: effect.turns });
  return [what, left, cause ? t("effect.cause", { cause }) : ""].filter((text) => text !== "").join(", ");
}

function effectWhat({ kind, value, value2 }: Effect): string {
  switch (kind) {
    case "armour":
      return t("effect.armour", { value });
    case "resistance":
      return t("effect.resistance", { value: signed(value) });
    case "power":
      return t("effect.power", { value: signed(value) });
    case "bonus_power":
      return t("effect.bonus_power", { value: signed(value) });
    case "range":
      return t("effect.range", { value: signed(value) });
    case "poison":
      return t("effect.poison", { value });
    case "delayed":
      return t("effect.delayed", { value, value2 });
    default:
      return t("effect.anchor");
  }
}
