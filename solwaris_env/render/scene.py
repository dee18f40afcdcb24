"""Puts the picture together: a head line, the board, the log, the cards."""

from PIL import Image

from ..duel.content.schema import CAMP_NAME
from . import ground, lettering, tokens
from .board import banner, draw_board, plate, put
from .palette import CAMP, CAMP_PALE, FAINT, GOLD, INK, MUTED, PANEL, choice_words
from .panel import Pane, hero_card, initiative_card, log_card

DESIGN = (1440, 900)
_HEAD, _SIDE, _FOOT, _GAP = 54, 454, 150, 10


def draw_scene(view: dict, size: tuple[int, int]) -> Image.Image:
    """The picture of a view, mode RGB, `size` as (width, height) in pixels."""
    wide, high = size
    unit = min(wide / DESIGN[0], high / DESIGN[1])
    head, side, foot, gap = (round(length * unit) for length in (_HEAD, _SIDE, _FOOT, _GAP))
    terrain = tuple(view["terrain"])
    board_wide, board_high = wide - side, high - head - foot - gap
    grid = ground.lay_out(terrain, gap, head, board_wide - 2 * gap, board_high)
    picture = ground.ground(terrain, size, grid).copy()
    draw_board(picture, view, grid)
    put(picture, plate(side, high, 1, PANEL), board_wide, 0)
    _head(Pane(picture, 0, 0, board_wide, head, unit), view)
    _seen_by(Pane(picture, board_wide, 0, side, head, unit), view)
    _cards(picture, view, (board_wide + gap, head, side - 2 * gap, high - head - gap), unit, gap)
    low = high - foot - gap // 2
    right = round(250 * unit)
    log_card(Pane(picture, gap, low, board_wide - right - 3 * gap, foot - gap // 2, unit), view)
    initiative_card(
        Pane(picture, board_wide - right - gap, low, right, foot - gap // 2, unit), view
    )
    middle = (board_wide // 2, head + board_high // 2)
    around = [grid.centre(*one["cell"]) for one in view["entities"] if one["cell"] is not None]
    _signs(picture, view, unit, middle, around)
    return picture


def _cards(
    picture: Image.Image, view: dict, room: tuple[int, int, int, int], unit: float, gap: int
) -> None:
    heroes = view["heroes"]
    if not heroes:
        return
    x, y, wide, high = room
    fighters = {one["index"]: one for one in view["entities"]}
    each = (high - gap * (len(heroes) - 1)) // len(heroes)
    for place, hero in enumerate(heroes):
        pane = Pane(picture, x, y + place * (each + gap), wide, each, unit)
        hero_card(pane, view, hero, fighters[hero["seat"]], len(heroes) <= 2)


def _head(pane: Pane, view: dict) -> None:
    """Map, tour, phase, and who is to act."""
    middle = pane.high * 0.55
    x = pane.px(20) + pane.write(pane.px(20), middle, view["map"]["name"], 23, INK, bold=True)
    words = {
        "placement": "Placement",
        "auction": "Auction",
        "fight": f"Tour {view['tour']}",
        "over": f"Over in tour {view['tour']}",
    }.get(view["phase"], view["phase"])
    chip = round(lettering.width(words, pane.size(15)) + pane.px(24))
    high = pane.px(28)
    x += pane.px(18)
    put(pane.picture, plate(chip, high, high // 2, (58, 64, 94)), x, middle - high / 2)
    x += pane.px(12)
    pane.write(x, middle, words, 15, GOLD)
    x += chip + pane.px(4)
    pane.write(x, middle, f"{view['team_size']} against {view['team_size']}", 13, MUTED)
    if view["phase"] == "fight":
        pane.write(x + pane.px(110), middle, f"turn {view['turn']}", 13, MUTED)
    acting = next((one for one in view["entities"] if one["index"] == view["actor"]), None)
    if acting is None:
        acting = next((one for one in view["entities"] if one["index"] == view["to_act"]), None)
    if acting is None:
        return
    right = pane.wide - pane.px(20)
    words = f"{acting['name']} is to act"
    used = pane.write(right, middle, words, 16, CAMP_PALE[acting["camp"]], anchor="rm")
    side = pane.px(36)
    if acting["kind"] == "hero":
        sprite = tokens.fighter(acting["class"], acting["camp"], side)
    else:
        sprite = tokens.summon(acting["kind"], acting["camp"], side)
    put(pane.picture, sprite, right - used - side - pane.px(6), middle - side * 0.52)


def _seen_by(pane: Pane, view: dict) -> None:
    middle = pane.high * 0.55
    left = pane.x + pane.px(16)
    words = f"Seen by player_{view['viewer']}"
    used = pane.write(left, middle, words, 14, MUTED)
    dot = pane.px(10)
    x = left + used + pane.px(10)
    put(pane.picture, plate(dot, dot, dot // 2, CAMP[view["camp"]]), x, middle - dot / 2)
    pane.write(x + pane.px(16), middle, CAMP_NAME[view["camp"]], 14, CAMP_PALE[view["camp"]])
    right = pane.x + pane.wide - pane.px(16)
    pane.write(right, middle, f"rules {str(view['rules'])[:12]}", 11, FAINT, anchor="rm")


def _signs(
    picture: Image.Image,
    view: dict,
    unit: float,
    middle: tuple[int, int],
    around: list[tuple[float, float]],
) -> None:
    """The auction and the outcome, written large over the board."""
    if view["phase"] == "auction":
        auction = view["auction"]
        bidder = auction["bidder"]
        if bidder is None:
            first = f"{CAMP_NAME[auction['drawn']]} was drawn to play first"
        else:
            first = f"{CAMP_NAME[bidder]} leads at {auction['price']} coins"
        purses = ", ".join(str(purse) for purse in auction["purses"])
        lines = [first, f"Purses: {purses}"]
        if view["actions"] is not None:
            lines.append(choice_words(view))
        banner(picture, "Initiative auction", lines, GOLD, unit, middle, around)
    outcome = view["outcome"]
    if outcome is not None:
        winner = outcome["winner"]
        title = "A draw" if winner is None else f"{CAMP_NAME[winner]} wins"
        lines = [str(outcome["termination"]).replace("_", " ")]
        for key, name in (("rewards", "Rewards"), ("price_paid", "Price paid")):
            if outcome.get(key) is not None:
                lines.append(f"{name}: " + ", ".join(f"{value:g}" for value in outcome[key]))
        colour = INK if winner is None else CAMP_PALE[winner]
        banner(picture, title, lines, colour, unit, middle, around)
