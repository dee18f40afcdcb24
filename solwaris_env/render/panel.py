"""The cards beside the board: one per hero, the log, the initiative."""

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw

from ..duel.content.schema import CAMP_NAME
from . import icons, lettering, tokens
from .board import bar, plate, put
from .palette import (
    AP,
    ARMOUR,
    CAMP,
    CAMP_PALE,
    CARD,
    CARD_EDGE,
    DARK,
    EFFECT_NAME,
    FAINT,
    GOLD,
    HP_LOW,
    INK,
    MP,
    MUTED,
    PERCENT,
    REACH,
    SIGNED,
    Colour,
    blend,
    cell_name,
    choice_words,
    effect_colour,
)


@dataclass
class Pane:
    """A rectangle of the picture with a pen, and a unit that scales all lengths."""

    picture: Image.Image
    x: int
    y: int
    wide: int
    high: int
    unit: float

    def __post_init__(self) -> None:
        self.draw = ImageDraw.Draw(self.picture)

    def px(self, length: float) -> int:
        """Pixels of a length in design units, one at least."""
        return max(1, round(length * self.unit))

    def size(self, points: float) -> int:
        """A legible font size in pixels."""
        return max(6, round(points * self.unit))

    def card(self, fill: Colour = CARD, edge: Colour = CARD_EDGE) -> None:
        """Draw the plate that the pane lies on."""
        put(self.picture, plate(self.wide, self.high, self.px(9), fill, edge), self.x, self.y)

    def write(self, x: float, y: float, text: str, points: float, fill: Colour, **more) -> float:
        """Write a line of text; returns its width in pixels."""
        return lettering.write(self.draw, (x, y), text, self.size(points), fill, **more)


def _relation(view: dict, hero: dict) -> str:
    if hero["seat"] == view["viewer"]:
        return "you"
    return "ally" if hero["camp"] == view["camp"] else "enemy"


def hero_card(pane: Pane, view: dict, hero: dict, entity: dict, roomy: bool) -> None:
    """All that is known of one hero, its summons and its own traps."""
    camp = hero["camp"]
    acts = view["to_act"] == hero["seat"]
    alive = entity["alive"]
    pane.card(CARD if alive else blend(CARD, DARK, 0.4), GOLD if acts else CARD_EDGE)
    put(
        pane.picture,
        plate(pane.px(5), pane.high - pane.px(18), pane.px(2), CAMP[camp]),
        pane.x + pane.px(5),
        pane.y + pane.px(9),
    )
    left, right = pane.x + pane.px(18), pane.x + pane.wide - pane.px(12)
    y = _title(pane, view, hero, entity, left, right, roomy)
    y = _life(pane, entity, left, right, y, roomy)
    y = _badges(pane, entity, left, right, y, roomy)
    y = _spells(pane, view, hero, left, right, y, roomy)
    y = _effects(pane, view, entity, left, right, y, roomy)
    _belongings(pane, view, hero, left, right, y, roomy)


def _title(
    pane: Pane, view: dict, hero: dict, entity: dict, left: int, right: int, roomy: bool
) -> int:
    side = pane.px(54 if roomy else 32)
    top = pane.y + pane.px(9 if roomy else 4)
    put(pane.picture, tokens.fighter(hero["class"], hero["camp"], side), left - pane.px(4), top)
    x = left + side + pane.px(6)
    words = f"player_{hero['seat']}, {_relation(view, hero)}, {CAMP_NAME[hero['camp']]}"
    state = _state(view, hero, entity)
    points = 21 if roomy else 15
    name_y = top + side * (0.32 if roomy else 0.5)
    ink = INK if entity["alive"] else MUTED
    used = pane.write(x, name_y, hero["class_name"], points, ink, bold=True)
    where = (x, top + side * 0.78) if roomy else (x + used + pane.px(10), name_y)
    used = pane.write(*where, words, 13 if roomy else 11, CAMP_PALE[hero["camp"]])
    pane.write(where[0] + used + pane.px(10), where[1], state, 13 if roomy else 11, GOLD)
    coin = pane.px(16 if roomy else 13)
    used = pane.write(right, name_y, str(hero["purse"]), 14 if roomy else 11, GOLD, anchor="rm")
    put(
        pane.picture,
        icons.icon("coin", coin, GOLD),
        right - used - coin - pane.px(4),
        name_y - coin / 2,
    )
    return top + side + pane.px(6 if roomy else 2)


def _state(view: dict, hero: dict, entity: dict) -> str:
    if not entity["alive"]:
        return "fallen"
    if view["phase"] == "placement" and not hero["placed"]:
        return "choosing a cell"
    if entity["invisible"]:
        return "invisible" if entity["cell"] else "unseen"
    return "to act" if view["to_act"] == hero["seat"] else ""


def _life(pane: Pane, entity: dict, left: int, right: int, y: int, roomy: bool) -> int:
    high = pane.px(18 if roomy else 14)
    bar(pane.picture, left, y, right - left, high, entity)
    words = f"{entity['hp']} / {entity['max_hp']}"
    points = 13 if roomy else 11
    middle = (left + right) / 2
    plinth = round(lettering.width(words, pane.size(points)) + pane.px(16))
    at = (middle - plinth / 2, y + 1)
    put(pane.picture, plate(plinth, high - 2, high // 2 - 1, DARK, None, 150), *at)
    pane.write(middle, y + high / 2, words, points, INK, anchor="mm", bold=True)
    return y + high + pane.px(7 if roomy else 4)


def _badges(pane: Pane, entity: dict, left: int, right: int, y: int, roomy: bool) -> int:
    high = pane.px(24 if roomy else 18)
    points = 14 if roomy else 11
    badges: list[tuple[str, str, Colour]] = [
        ("ap", f"{entity['ap']} AP" + _lost(entity["ap_lost"]), AP),
        ("mp", f"{entity['mp']} MP" + _lost(entity["mp_lost"]), MP),
    ]
    if entity["armour"]:
        badges.append(("armour", str(entity["armour"]), ARMOUR))
    if entity["resistance"]:
        badges.append(("resistance", f"{entity['resistance']:+d}%", effect_colour("resistance")))
    if entity["power"]:
        badges.append(("power", f"{entity['power']:+d}%", effect_colour("power")))
    if entity["range_bonus"]:
        badges.append(("range", f"{entity['range_bonus']:+d}", effect_colour("range")))
    x = left
    for kind, words, colour in badges:
        wide = round(lettering.width(words, pane.size(points)) + high * 1.35)
        if x + wide > right:
            break
        put(pane.picture, plate(wide, high, high // 2, blend(colour, DARK, 0.62), colour), x, y)
        mark = round(high * 0.66)
        put(pane.picture, icons.icon(kind, mark, colour), x + high * 0.26, y + (high - mark) / 2)
        pane.write(x + high * 1.02, y + high / 2, words, points, INK)
        x += wide + pane.px(6)
    return y + high + pane.px(8 if roomy else 4)


def _lost(points: int) -> str:
    return f" (-{points})" if points else ""


def _spells(pane: Pane, view: dict, hero: dict, left: int, right: int, y: int, roomy: bool) -> int:
    step = pane.px(31 if roomy else 16)
    half = (right - left) // 2
    aims = None
    if view["actions"] is not None and view["actor"] == view["viewer"] == hero["seat"]:
        aims = view["actions"]["aims"]
    for spell in hero["spells"]:
        column, row = divmod(spell["slot"], 4)
        ready = None if aims is None else bool(aims[spell["slot"]])
        x = left + column * half
        variant = hero["variants"][spell["slot"]]
        _spell(pane, spell, variant, ready, x, y + row * step, half - pane.px(10), step, roomy)
    y += 4 * step + pane.px(3)
    points = 13 if roomy else 11
    x = left + pane.write(left, y + pane.px(8), "Passive ", points, FAINT)
    x += pane.write(x, y + pane.px(8), hero["passive_name"], points, INK)
    if hero["variants"][8]:
        _diamond(pane, x + pane.px(5), y + pane.px(8))
    return y + pane.px(23 if roomy else 16)


def _diamond(pane: Pane, x: float, y: float) -> None:
    side = pane.px(9)
    put(pane.picture, icons.icon("variant", side, GOLD), x, y - side / 2)


def _spell(
    pane: Pane,
    spell: dict,
    variant: bool,
    ready: bool | None,
    x: int,
    y: int,
    wide: int,
    step: int,
    roomy: bool,
) -> None:
    """One spell: cost, name, range, casts, turns until it may be cast again."""
    middle = y + step / 2
    points = 14 if roomy else 11
    blocked = spell["cooldown"] > 0
    side = step - pane.px(7 if roomy else 2)
    fill = blend(AP, DARK, 0.62 if blocked or ready is False else 0.15)
    put(pane.picture, plate(side, side, side // 2, fill), x, middle - side / 2)
    pane.write(x + side / 2, middle, str(spell["cost"]), points - 1, INK, anchor="mm", bold=True)
    if ready:
        dot = pane.px(7)
        put(pane.picture, plate(dot, dot, dot // 2, REACH, DARK), x + side - dot * 0.7, y + 1)
    low, high = spell["range"]
    tail = f"{low}-{high}" if high != low else str(low)
    if spell["per_turn"]:
        tail = f"{spell['used']}/{spell['per_turn']}  {tail}"
    elif spell["used"]:
        tail = f"{spell['used']}x  {tail}"
    used = pane.write(x + wide, middle, tail, 12 if roomy else 10, MUTED, anchor="rm") + pane.px(5)
    if blocked:
        word = str(spell["cooldown"])
        used += pane.write(x + wide - used, middle, word, points, HP_LOW, anchor="rm", bold=True)
        glass = pane.px(12 if roomy else 9)
        used += glass + pane.px(3)
        icon = icons.icon("delayed", glass, HP_LOW)
        put(pane.picture, icon, x + wide - used, middle - glass / 2)
    start = x + side + pane.px(6)
    room = wide - used - side - pane.px(10) - (pane.px(13) if variant else 0)
    while points > 10 and lettering.width(spell["name"], pane.size(points)) > room:
        points -= 1
    name = lettering.fit(spell["name"], pane.size(points), room)
    ink = MUTED if blocked or ready is False else INK
    long = pane.write(start, middle, name, points, ink)
    if variant:
        _diamond(pane, start + long + pane.px(4), middle)


def _effects(
    pane: Pane, view: dict, entity: dict, left: int, right: int, y: int, roomy: bool
) -> int:
    """Timed effects in a row, each with its marker, value and remaining turns."""
    if not entity["effects"]:
        return y
    side = pane.px(17 if roomy else 13)
    points = 13 if roomy else 11
    x = left
    if not roomy:
        # A small card has no room to spare: the row of the passive is half empty.
        x, y = (left + right) // 2, y - pane.px(15)
    for effect in entity["effects"]:
        words = _effect(view, effect, roomy)
        wide = side + pane.px(4) + lettering.width(words, pane.size(points)) + pane.px(12)
        if x + wide > right + pane.px(12) and x > left:
            x, y = left, y + side + pane.px(4 if roomy else 1)
        put(pane.picture, icons.pip(effect["kind"], side), x, y)
        ink = effect_colour(effect["kind"])
        pane.write(x + side + pane.px(4), y + side / 2, words, points, blend(ink, INK, 0.4))
        x += round(wide)
    return y + side + pane.px(6 if roomy else 2)


def _effect(view: dict, effect: dict, roomy: bool) -> str:
    kind, value = effect["kind"], effect["value"]
    words = EFFECT_NAME.get(kind, kind.replace("_", " ")) + " " if roomy or not value else ""
    if value:
        words += f"{value:+d}" if kind in SIGNED else str(value)
        words += "% " if kind in PERCENT else " "
    words += f"{effect['turns']}t" if effect["turns"] > 0 else "this turn"
    source = effect.get("source")
    if isinstance(source, int):
        source = next((one["class_name"] for one in view["heroes"] if one["seat"] == source), None)
    if source is None:
        return words
    return f"{words} ({source})" if roomy else f"{words} {str(source)[:3]}."


def _belongings(
    pane: Pane, view: dict, hero: dict, left: int, right: int, y: int, roomy: bool
) -> None:
    """A hero's summons with their points, and the traps its camp may see, in rows."""
    points = 13 if roomy else 11
    step = pane.px(23 if roomy else 15)
    side = pane.px(20 if roomy else 14)
    low = pane.y + pane.high - pane.px(3)
    things = list(_things(view, hero, side))
    x = left
    for place, (sprite, words) in enumerate(things):
        words = lettering.fit(words, pane.size(points), right - left - side - pane.px(4))
        wide = side + pane.px(4) + round(lettering.width(words, pane.size(points)))
        if x > left and x + wide > right:
            x, y = left, y + step
        if y + step > low:
            more = f"+{len(things) - place}"
            pane.write(right, low - step / 2, more, points, GOLD, anchor="rm", bold=True)
            return
        put(pane.picture, sprite, x, y + (step - side) / 2)
        pane.write(x + side + pane.px(4), y + step / 2, words, points, INK)
        x += wide + pane.px(12)


def _things(view: dict, hero: dict, side: int) -> Iterator[tuple[Image.Image, str]]:
    """A sprite and words for each summon and each known trap of a hero."""
    for one in view["entities"]:
        if one["kind"] != "hero" and one["owner"] == hero["seat"] and one["alive"]:
            words = f"{one['name']} {one['hp']}/{one['max_hp']}"
            words += f" {one['ap']} AP" if one["ap"] else ""
            words += f" {one['mp']} MP" if one["mp"] else ""
            words += f" armour {one['armour']}" if one["armour"] else ""
            words += f" {cell_name(one['cell'])}" if one["cell"] else ""
            words += "".join(", " + _effect(view, effect, False) for effect in one["effects"])
            words += ", acts" if one["index"] == view["actor"] else ""
            yield tokens.summon(one["kind"], one["camp"], side), words
    for one in view["traps"]:
        if one["owner"] == hero["seat"]:
            words = f"{one['name']} {cell_name(one['cell'])} {one['turns']}t"
            yield icons.trap(one["camp"], side), words


def log_card(pane: Pane, view: dict) -> None:
    """The last action in words, newest sentences last."""
    pane.card()
    left = pane.x + pane.px(14)
    pane.write(left, pane.y + pane.px(17), "Last action", 12, FAINT)
    right = pane.x + pane.wide - pane.px(14)
    pane.write(right, pane.y + pane.px(17), choice_words(view), 12, REACH, anchor="rm")
    size = pane.size(14)
    lines = [
        line
        for sentence in view["log"]
        for line in lettering.wrap(sentence, size, pane.wide - pane.px(28))
    ]
    step = pane.px(20)
    room = max(1, (pane.high - pane.px(34)) // step)
    y = pane.y + pane.px(38)
    for line in lines[-room:]:
        pane.write(left, y, line, 14, INK)
        y += step


def initiative_card(pane: Pane, view: dict) -> None:
    """Who plays first, and what was bid for it."""
    auction = view["auction"]
    pane.card()
    left, right = pane.x + pane.px(14), pane.x + pane.wide - pane.px(14)
    pane.write(left, pane.y + pane.px(17), "Initiative", 12, FAINT)
    rows = [("Drawn first", auction["drawn"]), ("Last bid by", auction["bidder"])]
    if view["phase"] in ("fight", "over"):
        rows.append(("Plays first", view["first_camp"]))
    y = pane.y + pane.px(38)
    for words, camp in rows:
        pane.write(left, y, words, 13, MUTED)
        name = "nobody" if camp is None else CAMP_NAME[camp]
        pane.write(right, y, name, 13, FAINT if camp is None else CAMP_PALE[camp], anchor="rm")
        y += pane.px(20)
    for words, coins in (("Price", auction["price"]), ("Stakes", view["stakes"])):
        pane.write(left, y, words, 13, MUTED)
        pane.write(right, y, str(coins), 13, GOLD if coins else FAINT, anchor="rm")
        y += pane.px(20)
