// The top line: which tour it is, and whom the duel waits for.

import { nameOf } from "./describe.ts";
import { h } from "./dom.ts";
import { t } from "./i18n.ts";
import type { Situation } from "./situation.ts";

export function statusLine(now: Situation): (Node | string)[] {
  const { view } = now.state;
  const limit = now.catalogue.constants.tour_limit;
  const tour = view.phase === "fight" ? [h("b", {}, t("turn.tour.limit", { n: view.tour, limit }))] : [];
  return [...tour, " ", turnText(now)];
}

function turnText({ catalogue, state, actor }: Situation): string {
  const { view } = state;
  const mine = state.legal !== null; // as the server says, whoever is first in line
  const name = state.seats[view.to_act ?? -1]?.name ?? "";
  if (state.over) return t("result.title");
  if (!mine && state.waiting.includes(view.to_act ?? -1)) return t("turn.waiting", { name });
  if (view.phase === "placement") return mine ? t("placement.yours") : t("placement.others", { name });
  if (view.phase === "auction") return mine ? t("auction.yours") : t("auction.others", { name });
  if (!mine) return t("turn.of", { name: actor ? nameOf(catalogue, state, actor) : name });
  return actor && actor.kind !== "hero" ? t("turn.summon", { name: nameOf(catalogue, state, actor) }) : t("turn.yours");
}
