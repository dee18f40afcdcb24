"""The colours of the picture, and the words shown for the view's codes."""

Colour = tuple[int, int, int]

NIGHT: Colour = (17, 20, 33)
ABYSS: Colour = (25, 30, 48)
PANEL: Colour = (27, 31, 48)
CARD: Colour = (37, 42, 63)
CARD_EDGE: Colour = (55, 61, 88)
INK: Colour = (236, 236, 228)
MUTED: Colour = (151, 158, 184)
FAINT: Colour = (98, 105, 132)
GOLD: Colour = (246, 200, 95)
DARK: Colour = (14, 16, 27)
WHITE: Colour = (255, 255, 255)

CAMP: tuple[Colour, Colour] = ((64, 134, 244), (236, 92, 72))
CAMP_DEEP: tuple[Colour, Colour] = ((28, 66, 140), (132, 38, 34))
CAMP_PALE: tuple[Colour, Colour] = ((150, 192, 255), (255, 168, 148))

AP: Colour = (74, 144, 226)
MP: Colour = (82, 178, 103)
HP_HIGH: Colour = (102, 200, 110)
HP_MIDDLE: Colour = (240, 190, 74)
HP_LOW: Colour = (230, 82, 76)
ARMOUR: Colour = (172, 192, 222)
REACH: Colour = (72, 214, 178)

# Floor tiles, light and dark, and the earth below their edge, by the obstacle that
# is most frequent on the map, so that each arena has a mood of its own.
GROUND: dict[str, tuple[Colour, Colour, Colour]] = {
    "W": ((206, 192, 160), (196, 181, 148), (120, 101, 80)),
    "H": ((163, 188, 124), (153, 179, 114), (104, 86, 62)),
    "C": ((196, 166, 126), (186, 155, 115), (104, 76, 54)),
    "R": ((212, 178, 132), (203, 167, 121), (128, 88, 60)),
    "V": ((170, 172, 186), (159, 161, 177), (84, 84, 104)),
    "": ((182, 198, 134), (173, 190, 125), (112, 90, 62)),
}

EFFECT: dict[str, Colour] = {
    "armour": ARMOUR,
    "resistance": (122, 162, 214),
    "power": (240, 128, 72),
    "bonus_power": (240, 128, 72),
    "range": (186, 140, 238),
    "poison": (142, 204, 76),
    "anchor": (224, 196, 120),
    "delayed": (222, 112, 178),
}
EFFECT_NAME: dict[str, str] = {
    "armour": "Armour",
    "resistance": "Resist",
    "power": "Damage",
    "bonus_power": "Bonus damage",
    "range": "Range",
    "poison": "Poison",
    "anchor": "Anchored",
    "delayed": "Delayed hit",
}
PERCENT = frozenset({"resistance", "power", "bonus_power"})
SIGNED = frozenset({"resistance", "power", "bonus_power", "range"})

BONUS: dict[str, Colour] = {
    "ap": AP,
    "mp": MP,
    "heal": (232, 88, 108),
    "armour": (132, 154, 190),
    "power": (240, 128, 72),
    "range": (164, 114, 226),
}


def effect_colour(kind: str) -> Colour:
    """The colour of an effect kind; kinds without one of their own are grey."""
    return EFFECT.get(kind, MUTED)


def effect_words(effect: dict, heroes: list[dict]) -> str:
    """`Damage +30%, 2 turns, from Guerrier` for one entry of an entity's effects."""
    kind, value = str(effect["kind"]), effect["value"]
    words = EFFECT_NAME.get(kind, kind.replace("_", " ").capitalize())
    if value:
        words += f" {value:+d}" if kind in SIGNED else f" {value}"
        words += "%" if kind in PERCENT else ""
    return f"{words}, {turn_words(effect['turns'])}{_source(effect.get('source'), heroes)}"


def turn_words(turns: int) -> str:
    """`1 turn`, `3 turns`, and `until its turn ends` for effects that do not count."""
    if turns <= 0:
        return "until its turn ends"
    return f"{turns} turn" if turns == 1 else f"{turns} turns"


def _source(source: object, heroes: list[dict]) -> str:
    if source is None or source == -1:
        return ""
    if isinstance(source, int):
        for hero in heroes:
            if hero["seat"] == source:
                return f", from {hero['class_name']} {source}"
    return f", from {source}"


def choice_words(view: dict) -> str:
    """What the viewer may do besides moving and casting: `You may pass, give up.`"""
    actions = view["actions"]
    if actions is None:
        return ""
    names = (("pass", "pass"), ("raise", "raise the bid"), ("forfeit", "give up"))
    words = [word for name, word in names if actions[name]]
    return f"You may {', '.join(words)}." if words else ""


def cell_name(cell: list[int] | tuple[int, int]) -> str:
    """`h12` for row 7, column 11: rows are letters, columns count from 1."""
    return f"{chr(97 + cell[0])}{cell[1] + 1}"


def blend(one: Colour, other: Colour, share: float) -> Colour:
    """`one` mixed with `share` (0 to 1) of `other`."""
    mixed = [round(a + (b - a) * share) for a, b in zip(one, other, strict=True)]
    return (mixed[0], mixed[1], mixed[2])
