// A screen for what cannot be shown: what is wrong, and the ways on from there.

import { button, h } from "./dom.ts";
import { t } from "./i18n.ts";

/** Say inside `root` what is wrong, read out at once, and offer the ways on. */
export function showProblem(root: HTMLElement, text: string, ...ways: [HTMLElement, ...HTMLElement[]]): void {
  const told = h("div", { role: "alert" }, h("h1", {}, t("error.title")), h("p", {}, text));
  const card = h("section", { class: "card" }, told, h("div", { class: "row" }, ...ways));
  root.replaceChildren(h("main", { class: "problem", "data-testid": "problem" }, card));
  ways[0].focus();
}

/** The way to the set-up. */
export function wayHome(): HTMLElement {
  return button({ class: "primary", "data-testid": "home" }, () => (location.hash = "#/"), t("setup.title"));
}

/** The way to what the network kept from being shown. */
export function wayAgain(again: () => void): HTMLElement {
  return button({ class: "primary", "data-testid": "retry" }, again, t("app.retry"));
}
