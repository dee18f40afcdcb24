// The auction's card: what it has come to, and whether to follow.

import { button, h } from "./dom.ts";
import { t } from "./i18n.ts";
import type { Legal, State } from "./types.ts";

export interface AuctionHandlers {
  raise(): void;
  decline(): void;
}

/** What the card holds; a raise costs `step` coins more, `legal` is null while this browser may not act. */
export function auctionCard(state: State, step: number, legal: Legal | null, handlers: AuctionHandlers): HTMLElement[] {
  const { auction, heroes } = state.view;
  const first = auction.bidder ?? auction.drawn_camp;
  const title = h("h2", {}, t("auction.title"));
  const price = h("p", { class: "price" }, auction.price ? t("auction.price", { n: auction.price }) : t("auction.free"));
  const leads = h("p", {}, t("auction.first", { camp: t(first === 0 ? "auction.blue" : "auction.red") }));
  if (state.seat === null) return [h("div", {}, title, leads), h("div", {}, price)];
  const own = state.seat % 2;
  const camp = h("p", { class: `own-camp camp-${own}`, "data-testid": "own-camp" }, t(own === 0 ? "auction.camp.0" : "auction.camp.1"));
  return [
    h("div", {}, title, leads),
    h("div", {}, price, h("p", {}, t("auction.purse", { n: heroes[state.seat].purse })), camp),
    h(
      "div",
      { class: "row" },
      button({ class: "primary", "data-testid": "raise", disabled: !legal?.raise }, handlers.raise, t(auction.price ? "auction.raise.to" : "auction.bid", { n: auction.price + step })),
      button({ "data-testid": "decline", disabled: !legal?.pass }, handlers.decline, t(auction.price ? "auction.decline" : "auction.no_bid")),
    ),
  ];
}
