"""How agents bid for the first turn: how often they raise and buy, by class and by map."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..duel.content.loader import content


@dataclass(frozen=True)
class Bids:
    """One agent's bidding in duels of one kind.

    Attributes:
        asked: duels in which it had to answer in the auction at least once.
        raised: duels among them in which it raised at least once.
        bought: duels in which it bought the first turn.
        price: coins it paid for that on average, 0 where it never bought.
    """

    asked: int
    raised: int
    bought: int
    price: float

    @classmethod
    def of(cls, rows: np.ndarray, camps: np.ndarray) -> "Bids":
        """Count the bids of the camps (n,) in (n,) FINISHED."""
        n = np.arange(len(rows))
        bought = rows["buyer"] == camps
        return cls(
            int((rows["asked"][n, camps] > 0).sum()),
            int((rows["raises"][n, camps] > 0).sum()),
            int(bought.sum()),
            float(rows["price"][bought].mean()) if bought.any() else 0.0,
        )


@dataclass(frozen=True)
class Auction:
    """How two agents bid: `with_class` and `on_map` give the Bids of `a` and `b` for each id.

    A class is counted where a hero of that agent's camp has it.
    """

    with_class: dict[str, dict[str, Bids]]
    on_map: dict[str, dict[str, Bids]]

    @classmethod
    def of(cls, rows: np.ndarray, sides: np.ndarray) -> "Auction":
        """Count the bids in (n,) FINISHED; sides: bool (2, classes, n), `tables.class_masks`."""
        camps = rows["camp_of_a"].astype(np.int64)
        hands = (("a", camps), ("b", 1 - camps))
        with_class = {
            sheet.id: {
                hand: Bids.of(rows[sides[place, number]], of_hand[sides[place, number]])
                for place, (hand, of_hand) in enumerate(hands)
            }
            for number, sheet in enumerate(content().classes)
            if sides[:, number].any()
        }
        on_map = {
            sheet.id: {hand: Bids.of(rows[there], of_hand[there]) for hand, of_hand in hands}
            for number, sheet in enumerate(content().maps)
            if (there := rows["map"] == number).any()
        }
        return cls(with_class, on_map)

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def raised_shares(
    agents: Sequence[tuple[str, Auction, str]], part: str, names: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """How often agents raise where they are asked, in percent: cells by agent and by name.

    Args:
        agents: name, auction and hand, `a` or `b`.
        part: `with_class` or `on_map`.
        names: of classes and maps, by their ids.
    """
    ids = dict.fromkeys(key for _, told, _ in agents for key in getattr(told, part))
    return {
        agent: {names[key]: _share(getattr(told, part).get(key, {}).get(hand)) for key in ids}
        for agent, told, hand in agents
    }


def _share(bids: Bids | None) -> str:
    """How often it was raised, for a table's cell."""
    return f"{100 * bids.raised / bids.asked:.1f}" if bids is not None and bids.asked else "-"
