"""A duel in a terminal, from the JSON view alone.

Every cell is three signs wide, so a column's number stands above it. In a cell:
  `[O]` `(A)`  a hero of camp Blue or Red by its class's letter, `[b]` a summon,
  `[O~`        an invisible one, seen by its own camp,
  `!` `:`      before the middle: centre and area of an own trap,
  `+` `*`      behind the middle: a cell to reach or to start on, a highlighted one.
"""

from ..duel.content.schema import CAMP_NAME
from .palette import cell_name, choice_words, effect_words

_LETTER = {
    "guerrier": "G",
    "brute": "B",
    "arcaniste": "A",
    "ombre": "O",
    "horloger": "H",
    "artificier": "F",
}
_TERRAIN = {" ": "   ", "W": "###", "H": "%%%", "C": "xxx", "R": "^^^", "V": "MMM"}
_TERRAIN_NAME = {"W": "wall", "H": "hedge", "C": "crate", "R": "rock", "V": "vault"}
_BONUS = {"ap": "P", "mp": "M", "heal": "H", "armour": "S", "power": "D", "range": "R"}
_BONUS_NAME = {
    "ap": "AP",
    "mp": "MP",
    "heal": "healing",
    "armour": "armour",
    "power": "damage",
    "range": "range",
}
_PAINT = {
    "blue": "34;1",
    "red": "31;1",
    "green": "32",
    "yellow": "33;1",
    "cyan": "36",
    "magenta": "35;1",
    "dim": "2",
    "bold": "1",
    "wall": "37",
    "hedge": "32",
    "crate": "33",
    "rock": "90",
    "vault": "35",
}
_CAMP_PAINT = ("blue", "red")
_BAR = 20
_WIDTH = 90
_EDGES = ("[]", "()")

Cell = tuple[int, int]


def render_text(view: dict, *, highlight: set[Cell] | None = None, color: bool = False) -> str:
    """Draws what one seat knows as lines of text.

    `view` is the JSON view of a duel; `highlight` holds (row, column) cells to mark, for
    instance those a spell may be aimed at; `color` adds ANSI colours. The lines are at
    most 90 signs wide, lists and the log's sentences excepted. Equal views give equal texts.
    """
    paint = _Paint(color)
    lines = [*_head(view, paint), "", *_board(view, highlight or set(), paint), ""]
    lines += [line for hero in view["heroes"] for line in _hero(view, hero, paint)]
    lines += _lying(view, paint)
    lines += _initiative(view, paint)
    lines += [f"> {sentence}" for sentence in view["log"]]
    lines += _outcome(view, paint)
    return "\n".join(line.rstrip() for line in lines) + "\n"


class _Paint:
    """Wraps words in a colour, where colours are wanted."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, words: str, colour: str) -> str:
        return f"\x1b[{_PAINT[colour]}m{words}\x1b[0m" if self.on and words.strip() else words


def _head(view: dict, paint: _Paint) -> list[str]:
    phase = view["phase"]
    when = f", tour {view['tour']}, turn {view['turn']}" if phase in ("fight", "over") else ""
    size = view["team_size"]
    title = f"{view['map']['name']} ({view['map']['id']}), {size} against {size}, {phase}{when}"
    you = f"You are player_{view['viewer']} of {CAMP_NAME[view['camp']]}."
    acting = _acting(view)
    if acting is not None:
        whose = " (you)" if view["to_act"] == view["viewer"] else ""
        you += f" {acting['name']} of player_{acting['owner']} is to act{whose}."
    you += f" {choice_words(view)}"
    return [paint(title, "bold"), you]


def _acting(view: dict) -> dict | None:
    for wanted in (view["actor"], view["to_act"]):
        for one in view["entities"]:
            if wanted is not None and one["index"] == wanted:
                return one
    return None


def letter(entity: dict) -> str:
    """The sign of an entity: a capital for a class, a small letter for a summon."""
    if entity["kind"] == "hero":
        return _LETTER.get(entity["class"], (entity["name"] or "?")[0].upper())
    return entity["kind"][0].lower()


def _board(view: dict, highlight: set[Cell], paint: _Paint) -> list[str]:
    terrain = view["terrain"]
    rows = [row for row, line in enumerate(terrain) if line.strip()]
    columns = [column for line in terrain for column, sign in enumerate(line) if sign != " "]
    if not rows:
        return []
    cells = _cells(view, highlight, paint)
    across = range(min(columns), max(columns) + 1)
    ruler = "  " + "".join(f"{column + 1:>3}" for column in across)
    lines = [paint(ruler, "dim")]
    for row in range(rows[0], rows[-1] + 1):
        name = paint(chr(97 + row), "dim")
        lines.append(f"{name}  " + "".join(cells[row, column] for column in across) + f" {name}")
    lines.append(paint(ruler, "dim"))
    return lines + [paint(line.rstrip(), "dim") for line in _legend(view)]


def _cells(view: dict, highlight: set[Cell], paint: _Paint) -> dict[Cell, str]:
    """The three signs of every cell of the canvas."""
    around = {tuple(cell) for trap in view["traps"] for cell in trap["area"]}
    centres = {tuple(trap["cell"]) for trap in view["traps"]}
    bonuses = {tuple(one["cell"]): one["kind"] for one in view["bonuses"]}
    standing = {tuple(one["cell"]): one for one in view["entities"] if one["cell"] is not None}
    actions = view["actions"] or {"reach": [], "place": []}
    reach = {tuple(cell) for cell in [*actions["reach"], *actions["place"]]}
    cells = {}
    for row, line in enumerate(view["terrain"]):
        for column, sign in enumerate(line):
            cell = (row, column)
            if cell in standing:
                cells[cell] = _entity(standing[cell], cell in highlight, paint)
                continue
            if sign in _TERRAIN:
                cells[cell] = paint(_TERRAIN[sign], _TERRAIN_NAME.get(sign, "dim"))
                continue
            middle = paint(".", "dim")
            zone = view["zones"][row][column]
            if cell in bonuses:
                kind = bonuses[cell]
                middle = paint(_BONUS.get(kind, kind[:1].upper()), "magenta")
            elif view["phase"] == "placement" and zone in "12":
                middle = paint(zone, _CAMP_PAINT[int(zone) - 1])
            before = "!" if cell in centres else ":" if cell in around else " "
            behind = "*" if cell in highlight else "+" if cell in reach else " "
            cells[cell] = (
                paint(before, _CAMP_PAINT[view["camp"]])
                + middle
                + paint(behind, "yellow" if behind == "*" else "cyan")
            )
    return cells


def _entity(one: dict, marked: bool, paint: _Paint) -> str:
    left, right = _EDGES[one["camp"]]
    right = "*" if marked else "~" if one["invisible"] else right
    return paint(left + letter(one) + right, _CAMP_PAINT[one["camp"]])


def _legend(view: dict) -> list[str]:
    """What the signs on this board mean, as far as they occur."""
    signs = set("".join(view["terrain"]))
    words = [f"{_TERRAIN[sign]} {name}" for sign, name in _TERRAIN_NAME.items() if sign in signs]
    words += [
        f"{left}x{right} {name}, camp {camp + 1}"
        for camp, ((left, right), name) in enumerate(zip(_EDGES, CAMP_NAME, strict=True))
    ]
    actions = view["actions"]
    if actions is not None and (actions["reach"] or actions["place"]):
        words.append("+ to reach" if actions["reach"] else "+ to start on")
    if view["traps"]:
        words.append("! own trap, : its area")
    words += [
        f"{_BONUS.get(one['kind'], one['kind'][:1].upper())} "
        f"{_BONUS_NAME.get(one['kind'], one['kind'])}"
        for one in view["bonuses"]
    ]
    lines = ["  "]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > _WIDTH:
            lines.append("  ")
        lines[-1] += f" {word} "
    return lines


def gauge(hp: int, full: int) -> str:
    """A bar of hit points: `[########------------]`."""
    filled = 0 if hp <= 0 or full <= 0 else max(1, min(_BAR, hp * _BAR // full))
    return "[" + "#" * filled + "-" * (_BAR - filled) + "]"


def _points(one: dict) -> str:
    """HP, AP, MP and whatever else is not zero, of one entity."""
    words = f"{one['hp']}/{one['max_hp']} HP"
    for name in ("ap", "mp"):
        if one["kind"] == "hero" or one[name] or one[f"{name}_lost"]:
            words += f"  {one[name]} {name.upper()}"
            words += f" (lost {one[f'{name}_lost']})" if one[f"{name}_lost"] else ""
    words += f"  armour {one['armour']}" if one["armour"] else ""
    words += f"  resistance {one['resistance']:+d}%" if one["resistance"] else ""
    words += f"  damage {one['power']:+d}%" if one["power"] else ""
    words += f"  range {one['range_bonus']:+d}" if one["range_bonus"] else ""
    return words


def _where(view: dict, one: dict) -> str:
    if not one["alive"]:
        return "fallen"
    if one["cell"] is not None:
        return cell_name(one["cell"]) + (", invisible" if one["invisible"] else "")
    if view["phase"] == "placement":
        hero = next((hero for hero in view["heroes"] if hero["seat"] == one["index"]), None)
        return "placed, hidden" if hero is not None and hero["placed"] else "not placed yet"
    return "unseen"


def _health(one: dict) -> str:
    share = one["hp"] / one["max_hp"] if one["max_hp"] > 0 else 0
    return "green" if share > 0.6 else "yellow" if share > 0.3 else "red"


def _hero(view: dict, hero: dict, paint: _Paint) -> list[str]:
    one = next(entity for entity in view["entities"] if entity["index"] == hero["seat"])
    left, right = _EDGES[hero["camp"]]
    side = "you" if hero["seat"] == view["viewer"] else CAMP_NAME[hero["camp"]]
    mark = ">" if view["to_act"] == hero["seat"] else " "
    name = paint(f"{left}{letter(one)}{right} {hero['class_name']}", _CAMP_PAINT[hero["camp"]])
    lines = [
        f"{mark}{name}  player_{hero['seat']}, {side}  {_where(view, one)}  {hero['purse']} coins",
        f"    {paint(gauge(one['hp'], one['max_hp']), _health(one))} {_points(one)}",
    ]
    lines += _effects(view, one, "    ")
    lines += _spells(view, hero)
    for entity in view["entities"]:
        if entity["kind"] != "hero" and entity["owner"] == hero["seat"] and entity["alive"]:
            lines += _summon(view, entity, paint)
    return lines


def _effects(view: dict, one: dict, indent: str) -> list[str]:
    return [f"{indent}{effect_words(effect, view['heroes'])}" for effect in one["effects"]]


def _aims(view: dict, index: int) -> list[list] | None:
    """Per slot the cells that entity `index` may aim at, when the viewer is to say so."""
    if view["actions"] is None or view["actor"] != index:
        return None
    return view["actions"]["aims"]


def _spells(view: dict, hero: dict) -> list[str]:
    """A table of the eight spells in hand, two to a line, and the passive."""
    aims = _aims(view, hero["seat"])
    cells = [_spell(hero, spell, aims) for spell in hero["spells"]]
    half = (len(cells) + 1) // 2
    title = f"{'#':>2} {'spell':<21}{'AP':>2}{'range':>6}{'cast':>5}{'wait':>5}"
    lines = [f"   {title}  {title}"]
    for place in range(half):
        second = cells[place + half] if place + half < len(cells) else ""
        lines.append(f"   {cells[place]}  {second}")
    passive = f"passive {hero['passive_name']}" + ("*" if hero["variants"][8] else "")
    notes = ["* variant"] if any(hero["variants"]) else []
    notes += ["+ can be cast now"] if aims is not None and any(aims) else []
    return [*lines, f"     {passive}" + (f"  ({', '.join(notes)})" if notes else "")]


def _spell(hero: dict, spell: dict, aims: list[list] | None) -> str:
    slot = spell["slot"]
    ready = "+" if aims is not None and aims[slot] else " "
    name = spell["name"] + ("*" if hero["variants"][slot] else "")
    low, high = spell["range"]
    reach = f"{low}-{high}" if low != high else f"{low}"
    limit = f"/{spell['per_turn']}" if spell["per_turn"] else ""
    cast = f"{spell['used']}{limit}" if spell["used"] or limit else ""
    wait = spell["cooldown"] or ""
    return f"{ready}{slot + 1} {name:<21}{spell['cost']:>2}{reach:>6}{cast:>5}{wait:>5}"


def _summon(view: dict, one: dict, paint: _Paint) -> list[str]:
    left, right = _EDGES[one["camp"]]
    mark = ">" if view["actor"] == one["index"] else " "
    name = paint(f"{left}{letter(one)}{right} {one['name']}", _CAMP_PAINT[one["camp"]])
    aims = _aims(view, one["index"])
    ready = "  + can cast now" if aims is not None and any(aims) else ""
    line = f"   {mark}{name}  {_where(view, one)}  {_points(one)}{ready}"
    return [line, *_effects(view, one, "        ")]


def _lying(view: dict, paint: _Paint) -> list[str]:
    """Own traps with their cells and remaining turns, and the bonuses."""
    lines = []
    for trap in view["traps"]:
        area = " ".join(cell_name(cell) for cell in trap["area"])
        turns = "1 turn" if trap["turns"] == 1 else f"{trap['turns']} turns"
        lines.append(
            f"Trap: {trap['name']} of player_{trap['owner']} at {cell_name(trap['cell'])}, "
            f"{turns} left, area {area}"
        )
    if view["bonuses"]:
        words = [
            f"{_BONUS_NAME.get(one['kind'], one['kind'])} at {cell_name(one['cell'])}"
            for one in view["bonuses"]
        ]
        lines.append("Bonuses: " + paint(", ".join(words), "magenta"))
    return lines


def _initiative(view: dict, paint: _Paint) -> list[str]:
    auction = view["auction"]
    line = f"Initiative: {CAMP_NAME[auction['drawn']]} was drawn first"
    if auction["bidder"] is not None:
        line += f", {CAMP_NAME[auction['bidder']]} bids {auction['price']} coins"
    else:
        line += f", no bid, price {auction['price']}"
    if view["phase"] in ("fight", "over"):
        line += f"; {CAMP_NAME[view['first_camp']]} plays first"
    line += f"; stakes {view['stakes']}" if view["stakes"] else "; no stakes"
    return [paint(line, "yellow") if view["phase"] == "auction" else line]


def _outcome(view: dict, paint: _Paint) -> list[str]:
    outcome = view["outcome"]
    if outcome is None:
        return []
    winner = outcome["winner"]
    who = "A draw" if winner is None else f"{CAMP_NAME[winner]} wins"
    words = f"{who} ({str(outcome['termination']).replace('_', ' ')})."
    for key, name in (("rewards", "Rewards"), ("price_paid", "Price paid")):
        if outcome.get(key) is not None:
            words += f" {name}: " + ", ".join(f"{value:g}" for value in outcome[key]) + "."
    return [paint(words, "bold")]
