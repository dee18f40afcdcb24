// How a duel ended, and what can be done next.

import { begin, fault, lastSettings } from "./api.ts";
import { button, h } from "./dom.ts";
import { t } from "./i18n.ts";
import type { State } from "./types.ts";

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
  const lostAll = state.seat !== null && reason === "knockout" && kindOf(state) === "lost";
  const shares = outcome?.hp_share.map((share) => Math.round(100 * share)) ?? [0, 0];
  const price = Math.max(0, ...(outcome?.price_paid ?? []));
  const problem = h("p", { class: "why", role: "alert" });
  const facts = [
    lostAll ? t("result.winner", { camp: t(camp === 0 ? "camp.1" : "camp.0") }) : reason ? t(REASONS[reason]) : "",
    outcome ? t("result.tours", { n: outcome.tours }) : "",
    t("result.hp_share", { own: shares[camp], other: shares[1 - camp] }),
    price ? t("result.price", { n: price }) : "",
    view.stakes ? `${t("setup.stakes")} : ${t("setup.coins", { n: view.stakes })}` : "",
  ];
  return h(
    "section",
    { class: `result card ${kindOf(state)}`, "data-testid": "result", "aria-label": t("aria.result"), role: "dialog" },
    h("h1", {}, titleOf(state)),
    ...facts.filter((text) => text !== "").map((text) => h("p", {}, text)),
    problem,
    h(
      "div",
      { class: "row" },
      state.seat === null ? null : button({ class: "primary", "data-testid": "rematch" }, () => void rematch(problem), t("result.again")),
      replayable(state) ? button({ "data-testid": "replay" }, () => go(`#/replay/${state.duel}`), t("result.replay")) : null,
      button({ "data-testid": "new-duel" }, () => go("#/"), t("result.new")),
    ),
  );
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

async function rematch(problem: HTMLElement): Promise<void> {
  const settings = lastSettings();
  if (!settings) return go("#/");
  try {
    go(`#/duel/${await begin(settings)}`);
  } catch (error) {
    problem.textContent = fault(error);
  }
}

function go(route: string): void {
  location.hash = route;
}
