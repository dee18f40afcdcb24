// How a duel ended, and what can be done next.

import { begin, fault } from "./api.ts";
import { button, h } from "./dom.ts";
import { t } from "./i18n.ts";
import type { NewDuel, NewSeat } from "../../clients/typescript/solwaris.ts";
import type { SeatState, State } from "./types.ts";

const REASONS = {
  knockout: "result.knockout",
  double_knockout: "result.double_knockout",
  forfeit: "result.forfeit",
  tour_limit: "result.tour_limit",
} as const;

export function resultPanel(state: State): HTMLElement {
  const { outcome, view } = state;
  const camp = (state.seat ?? 0) % 2;
  const reason = outcome?.termination as keyof typeof REASONS | undefined;
  const shares = outcome?.hp_share.map((share) => Math.round(100 * share)) ?? [0, 0];
  const again = settingsOf(state);
  const problem = h("p", { class: "why", role: "alert" });
  const facts = [
    reason ? reasonOf(state, reason) : "",
    outcome ? t("result.tours", { n: outcome.tours }) : "",
    t("result.hp_share", { own: shares[camp], other: shares[1 - camp] }),
    outcome ? priceOf(outcome.price_paid, state.seat) : "",
    view.stakes ? t("result.stakes", { n: view.stakes }) : "",
  ];
  return h(
    "section",
    { class: `result card ${state.seat === null ? "" : kindOf(state)}`, "data-testid": "result", "aria-label": t("aria.result"), role: "dialog" },
    h("h1", {}, titleOf(state)),
    ...facts.filter((text) => text !== "").map((text) => h("p", {}, text)),
    problem,
    h(
      "div",
      { class: "row" },
      again ? button({ class: "primary", "data-testid": "rematch" }, () => void rematch(again, state.seat ?? 0, problem), t("result.again")) : null,
      replayable(state) ? button({ "data-testid": "replay" }, () => go(`#/replay/${state.duel}`), t("result.replay")) : null,
      button({ "data-testid": "new-duel" }, () => go("#/"), t("result.new")),
    ),
  );
}

// who won and why, from the reader's side
function reasonOf(state: State, reason: keyof typeof REASONS): string {
  const kind = kindOf(state);
  const sided = state.seat !== null && kind !== "draw" && (reason === "knockout" || reason === "forfeit");
  return t(sided ? `result.${reason}.${kind}` : REASONS[reason]);
}

// one seat at most has paid
function priceOf(paid: readonly number[], own: number | null): string {
  const payer = paid.findIndex((price) => price > 0);
  if (payer < 0) return "";
  const n = paid[payer];
  if (own === null) return t(payer % 2 === 0 ? "result.price.0" : "result.price.1", { n });
  if (own === payer) return t("result.price.you", { n });
  return t(own % 2 === payer % 2 ? "result.price.own" : "result.price.other", { n });
}

function kindOf(state: State): "won" | "lost" | "draw" {
  if (state.view.winner === null) return "draw";
  return state.view.winner === (state.seat ?? 0) % 2 ? "won" : "lost";
}

function titleOf(state: State): string {
  if (state.seat === null && state.view.winner !== null) {
    return t("result.winner", { camp: t(state.view.winner === 0 ? "camp.0" : "camp.1") });
  }
  return t(`result.${kindOf(state)}`);
}

// a duel that ended before everybody was placed has no replay
function replayable(state: State): boolean {
  return state.view.heroes.every((hero) => hero.placed);
}

// a duel's settings, to play it again; null where another person would have to come too
function settingsOf({ seat: own, seats, clocks, spectators, view, outcome }: State): NewDuel | null {
  if (own === null || seats.some(({ seat, player }) => seat !== own && player === "human")) return null;
  const again = ({ seat, player, name }: SeatState): NewSeat => {
    const { class: played, variants, purse } = view.heroes[seat];
    return { player, name, class: played, loadout: variants, purse: purse + (outcome?.price_paid[seat] ?? 0) };
  };
  return { seats: seats.map(again), map: view.map, stakes: view.stakes, clocks, spectators };
}

async function rematch(settings: NewDuel, seat: number, problem: HTMLElement): Promise<void> {
  try {
    go(`#/duel/${await begin(settings, seat)}`);
  } catch (error) {
    problem.textContent = fault(error);
  }
}

function go(route: string): void {
  location.hash = route;
}
