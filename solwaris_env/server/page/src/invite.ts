// Links for the people whom a duel waits for.

import { inviteLink, invitesOf } from "./api.ts";
import { button, h } from "./dom.ts";
import { t } from "./i18n.ts";
import type { State } from "./types.ts";

/** The awaited seats that this browser can invite to. */
export function inviting(state: State): number[] {
  const secrets = invitesOf(state.duel);
  return state.waiting.filter((seat) => secrets[seat] !== undefined);
}

/** What the card of the links holds. */
export function inviteCard(state: State, seats: readonly number[]): HTMLElement[] {
  const rows = seats.map((seat) => row(seat, state.seats[seat].name, inviteLink(state.duel, invitesOf(state.duel)[seat])));
  return [h("h2", {}, t("setup.invite")), h("p", { class: "text" }, t("setup.invite.hint")), ...rows];
}

function row(seat: number, name: string, link: string): HTMLElement {
  const field = h("input", { type: "text", readonly: true, value: link, "data-testid": `invite-${seat}`, "aria-label": t("setup.invite.for", { name }) });
  field.addEventListener("focus", () => field.select());
  const copy = button({ class: "primary", "data-testid": `copy-${seat}`, "aria-label": `${t("app.copy")}: ${name}` }, () => void copied(field, copy), t("app.copy"));
  return h("div", { class: `invite-row camp-${seat % 2}` }, h("span", { class: "seat-word" }, name), field, copy);
}

// where the clipboard is forbidden the link stands selected, to be copied by hand
async function copied(field: HTMLInputElement, copy: HTMLButtonElement): Promise<void> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    copy.textContent = t("app.copied");
  } catch {
    field.focus();
  }
}
