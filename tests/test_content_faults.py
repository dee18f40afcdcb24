"""Content that is faulty is refused with the file, the key and the reason."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from solwaris_env.duel.content import loader
from solwaris_env.duel.content.loader import load_content, rulebook
from solwaris_env.duel.content.sheets import ContentError
from solwaris_env.errors import SolwarisError

OWN = Path(loader.__file__).parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the package's content."""
    for pattern in ("*.toml", "classes/*.toml", "maps/*.txt"):
        for file in OWN.glob(pattern):
            target = tmp_path / file.relative_to(OWN)
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(file, target)
    return tmp_path


def refusal(root: Path) -> str:
    """The sentence with which the content under `root` is refused."""
    with pytest.raises(ContentError) as caught:
        load_content(root)
    sentence = str(caught.value)
    assert isinstance(caught.value, SolwarisError)
    assert "\n" not in sentence and str(root) not in sentence
    return sentence


def spoil(root: Path, name: str, old: str, new: str) -> None:
    """Replace the first `old` in a file, which must be there."""
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


GUERRIER, OMBRE = "classes/guerrier.toml", "classes/ombre.toml"
ARTIFICIER, HORLOGER = "classes/artificier.toml", "classes/horloger.toml"
SUMMONS, CAVEAU = "summons.toml", "maps/caveau.txt"
# fmt: off
TAILLADE = 'effects = [{ kind = "damage", min = 22, max = 28 }]'
PASSIVE = """
[[passive]]
id = "autre"
name = "Autre"
kind = "flux"
value = 1
text = "A."
texte = "B."
source = []
"""

# A spoilt file: what is replaced by what, then the sentence that must come.
SHEETS = {
    "unknown effect kind": (GUERRIER, 'kind = "damage", min = 22', 'kind = "damge", min = 22',
        "spell[0].effects[0].kind: 'damge' is not one of damage, heal, "),
    "unknown target": (GUERRIER, 'target = "entity"', 'target = "foe"',
        "spell[0].target: 'foe' is not one of self, ally, enemy, entity, "),
    "unknown shape": (GUERRIER, 'shape = "circle"', 'shape = "square"',
        "spell[5].area.shape: 'square' is not one of circle, cross, line, diagonal"),
    "unknown subject": (GUERRIER, 'on = "allies"', 'on = "friends"',
        "spell[5].effects[0].on: 'friends' is not one of target, caster, area, "),
    "unknown passive": (GUERRIER, 'kind = "fracas"', 'kind = "smash"',
        "passive[0].kind: 'smash' is not one of fracas, cuirasse, "),
    "unknown key of a spell": (GUERRIER, "per_turn = 3", "per_trun = 3",
        "spell[0].per_trun: is not a key of this table (it knows area, cooldown, cost, "),
    "unknown key of an effect": (GUERRIER, "max = 28", "max = 28, armour = 3",
        "spell[0].effects[0].armour: is not a key of this table (it knows "),
    "unknown key of a class": (GUERRIER, "ap = 12", "ap = 12\nmana = 4",
        "mana: is not a key of this table"),
    "unknown key of an area": (GUERRIER, 'shape = "circle", size = 2',
        'shape = "circle", size = 2, at = 1',
        "spell[5].area.at: is not a key of this table (it knows shape, size)"),
    "unknown key of a range": (GUERRIER, "{ min = 1, max = 1 }", "{ min = 1, max = 1, mean = 1 }",
        "spell[0].range.mean: is not a key of this table (it knows max, min)"),
    "missing cost": (GUERRIER, "cost = 3\n", "", "spell[0].cost: is missing"),
    "missing range": (GUERRIER, "range = { min = 1, max = 1 }\n", "", "spell[0].range: is missing"),
    "missing minimum": (GUERRIER, "min = 22, ", "", "spell[0].effects[0].min: is missing"),
    "missing name": (GUERRIER, 'name = "Fracas"\n', "", "passive[0].name: is missing"),
    "missing text": (GUERRIER, 'text = "A plain cut', 'tixt = "A plain cut',
        "spell[0].text: is missing"),
    "missing source": (GUERRIER, 'source = ["name", "ap", "mp"]\n', "", "source: is missing"),
    "missing effects": (GUERRIER, TAILLADE, "", "spell[0].effects: is missing"),
    "missing passive value": (GUERRIER, "value = 18\n", "", "passive[0].value: is missing"),
    "no effects": (GUERRIER, TAILLADE, "effects = []", "spell[0].effects: is empty"),
    "text for a number": (GUERRIER, "cost = 3", 'cost = "3"',
        "spell[0].cost: '3' is not a whole number"),
    "fraction": (GUERRIER, "ap = 12", "ap = 12.5", "ap: 12.5 is not a whole number"),
    "truth for a number": (GUERRIER, "per_turn = 3", "per_turn = true",
        "spell[0].per_turn: True is not a whole number"),
    "number for a truth": (GUERRIER, "line = true", "line = 1",
        "spell[1].line: 1 is not true or false"),
    "number for a text": (GUERRIER, 'name = "Taillade"', "name = 7",
        "spell[0].name: 7 is not a text"),
    "list for a table": (GUERRIER, "range = { min = 1, max = 1 }", "range = [1, 1]",
        "spell[0].range: [1, 1] is not a table"),
    "table for a list": (GUERRIER, TAILLADE, TAILLADE.replace("[", "").replace("]", ""),
        "spell[0].effects: {'kind': 'damage', 'min': 22, 'max': 28} is not a list of tables"),
    "number in a list of tables": (GUERRIER, TAILLADE, "effects = [4]",
        "spell[0].effects[0]: 4 is not a table"),
    "empty name": (GUERRIER, 'name = "Taillade"', 'name = " "', "spell[0].name: is empty"),
    "ill-formed id": (GUERRIER, 'id = "taillade"', 'id = "Taillade!"',
        "spell[0].id: 'Taillade!' is not lower-case ASCII words joined by '_'"),
    "hint that is no text": (GUERRIER, "hints = [", "hints = [3,", "hints[0]: 3 is not a text"),
    "cost out of bounds": (GUERRIER, "cost = 3", "cost = 15",
        "spell[0].cost: 15 is not between 1 and 14"),
    "damage out of bounds": (GUERRIER, "max = 28", "max = 900",
        "spell[0].effects[0].max: 900 is not between 1 and 200"),
    "resistance above all": (GUERRIER, "ap_resist = 35", "ap_resist = 101",
        "ap_resist: 101 is not between 0 and 100"),
    "slot out of bounds": (GUERRIER, "slot = 1", "slot = 9",
        "spell[0].slot: 9 is not between 1 and 8"),
    "minimum above maximum": (GUERRIER, "min = 22", "min = 29",
        "spell[0].effects[0].max: 28 is below min, 29"),
    "range turned round": (GUERRIER, "{ min = 2, max = 5 }", "{ min = 6, max = 5 }",
        "spell[3].range.min: 6 is above max, 5"),
    "percentage of nothing": (GUERRIER, "percent = -20", "percent = 0",
        "spell[12].effects[1].percent: 0 changes nothing"),
    "bonus without its limit": (OMBRE, ", below = 30", "",
        "spell[14].effects[0].below: bonus and below go together"),
    "limit without its bonus": (OMBRE, "bonus = 50, ", "",
        "spell[14].effects[0].bonus: bonus and below go together"),
    "two ends of one effect": (HORLOGER, "until_target_turn_end = true",
        "until_target_turn_end = true, turns = 2",
        "spell[10].effects[0].turns: either turns or until_target_turn_end is needed, not both"),
    "no end of an effect": (HORLOGER, ", until_target_turn_end = true", "",
        "spell[10].effects[0].turns: either turns or until_target_turn_end is needed"),
    "area for nobody": (GUERRIER, 'effects = [{ kind = "damage", min = 22',
        'area = { shape = "circle", size = 1 }\neffects = [{ kind = "damage", min = 22',
        "spell[0].area: no effect falls on it"),
    "effect on an area that is not there": (GUERRIER, 'kind = "damage", min = 22',
        'kind = "damage", on = "others", min = 22',
        "spell[0].effects[0].on: 'others' needs an area, and there is none"),
    "area no longer used": (ARTIFICIER, 'on = "area", ', "",
        "spell[10].area: no effect falls on it"),
    "damage on a free cell": (GUERRIER, 'effects = [{ kind = "teleport" }]',
        'effects = [{ kind = "teleport" }, { kind = "armour", points = 3, turns = 1 }]',
        "spell[8].effects[1].on: nobody stands on a target 'free'"),
    "teleport onto a fighter": (GUERRIER, 'sight = false\ntarget = "free"',
        'sight = false\ntarget = "entity"',
        "spell[8].effects[0].kind: 'teleport' needs the target free"),
    "swap with a free cell": (OMBRE, 'target = "enemy"',
        'target = "free"',
        "spell[13].effects[0].kind: 'swap' needs the target ally or enemy or entity or "),
    "dash without a line": (GUERRIER, "max = 5 }\nline = true", "max = 5 }",
        "spell[3].line: a dash needs a line"),
    "line area without a direction": ("classes/brute.toml", "{ min = 1, max = 1 }\nline = true",
        "{ min = 1, max = 2 }\nline = true",
        "spell[13].area.shape: a line needs line = true"),
    "departure without a jump": (GUERRIER, 'target = "self"\narea',
        'target = "self"\nfrom_departure = true\narea',
        "spell[5].from_departure: needs a teleport and an area"),
    "unknown summon": (GUERRIER, 'summon = "banniere"', 'summon = "baniere"',
        "spell[6].effects[0].summon: 'baniere' is not one of banniere, etendard, "),
    "unknown trap": (OMBRE, 'trap = "mauvais_oeil"', 'trap = "oeil"',
        "spell[5].effects[0].trap: 'oeil' is not one of fosse, "),
    "id used twice in a class": (GUERRIER, 'id = "estoc"', 'id = "taillade"',
        "spell[1].id: 'taillade' is already used at classes/guerrier.toml: spell[0].id"),
    "id used twice in two classes": (OMBRE, 'id = "dague"', 'id = "taillade"',
        "spell[0].id: 'taillade' is already used at classes/guerrier.toml: spell[0].id"),
    "passive used twice": (GUERRIER, 'id = "cuirasse"', 'id = "fracas"',
        "passive[1].id: 'fracas' is used twice"),
    "class of another file": (GUERRIER, 'id = "guerrier"', 'id = "ombre"',
        "id: 'ombre' is not 'guerrier', as the file's name says"),
    "slots out of order": (GUERRIER, "slot = 2", "slot = 1",
        "spell[2].slot: expected slot 2, original"),
    "versions out of order": (GUERRIER, 'version = "variant"', 'version = "original"',
        "spell[1].slot: expected slot 1, variant"),
    "unknown version": (GUERRIER, 'version = "variant"', 'version = "second"',
        "spell[1].version: 'second' is not one of original, variant"),
    "third passive": (GUERRIER, "\n[[spell]]", PASSIVE + "\n[[spell]]",
        "passive: there are 3, not 2"),
    "source of no fact": (GUERRIER, 'source = ["name", "ap", "mp"]', 'source = ["name", "charm"]',
        "source[1]: 'charm' is no fact of this table"),
    "source listed twice": (GUERRIER, 'source = ["name", "ap", "mp"]', 'source = ["ap", "ap"]',
        "source[1]: 'ap' is listed twice"),
    "not TOML": (GUERRIER, "ap = 12", "ap = = 12", "is not TOML: Invalid value (at line "),
    "key given twice": (GUERRIER, "ap = 12", "ap = 12\nap = 13",
        "is not TOML: Cannot overwrite a value"),
    "trap on an area": ("traps.toml", 'kind = "damage", min = 25',
        'kind = "damage", on = "area", min = 25',
        "trap[0].effects[0].on: 'area' is not one of target"),
    "trap without an area": ("traps.toml", 'area = { shape = "circle", size = 2 }\n', "",
        "trap[0].area: a trap needs a circle, a cross or a diagonal"),
    "trap id used twice": ("traps.toml", 'id = "piege_a_pointes"', 'id = "fosse"',
        "trap[1].id: 'fosse' is used twice"),
    "inert with steps": (SUMMONS, "hp = 40\n", "hp = 40\nmp = 2\n",
        "summon[0].mobile: only a mobile summon has AP or MP"),
    "mobile without steps": (SUMMONS, "mp = 4\n", "",
        "summon[2].mp: a mobile summon needs MP"),
    "AP without a spell": (SUMMONS, 'spell = "flammeche"\n', "",
        "summon[2].spell: a summon has a spell exactly when it has AP"),
    "unknown summon's spell": (SUMMONS, 'spell = "flammeche"', 'spell = "taillade"',
        "summon[2].spell: 'taillade' is not one of flammeche, morsure"),
    "charge that does not explode": (SUMMONS, "hp = 50\n", "hp = 50\ncharge = true\n",
        "summon[9].charge: a charge is inert and has effects when it explodes"),
    "limits of one group": (SUMMONS, "limit = 3", "limit = 2",
        "summon[7].limit: 3 differs from the group's, 2"),
    "unknown aura": (SUMMONS, 'aura = { kind = "power"', 'aura = { kind = "mood"',
        "summon[1].aura.kind: 'mood' is not one of resistance, power"),
    "unknown key of an aura": (SUMMONS, "percent = 15, radius = 2",
        "percent = 15, radius = 2, turns = 1",
        "summon[0].aura.turns: is not a key of this table"),
    "too few summons' spells": (SUMMONS, '[[spell]]\nid = "morsure"',
        '[[unspell]]\nid = "morsure"',
        "spell: there are 1, not 2"),
    "unknown bonus": ("bonuses.toml", 'kind = "ap"', 'kind = "xp"',
        "bonus[0].kind: 'xp' is not one of ap, mp, heal, armour, power, range"),
    "bonuses out of order": ("bonuses.toml", 'kind = "ap"', 'kind = "mp"',
        "bonus[0].kind: the bonuses come in the order ap, mp, "),
}
MAPS = {
    "unknown sign": (CAVEAU, "111.W", "111xW",
        "drawing: row 1, column 4: 'x' is not one of _ . 1 2 W"),
    "unbalanced": (CAVEAU, "111.W", "111.C",
        "drawing: row 1, column 5: 'C', but a half-turn puts 'W' there (B5)"),
    "unbalanced zone": (CAVEAU, "111.W", "11..W",
        "drawing: row 1, column 3: '.', but a half-turn puts '1' there (B5)"),
    "wrong count": (CAVEAU, "playable: 149", "playable: 150",
        "playable: 150 is stated, 149 cells are drawn"),
    "unknown key": (CAVEAU, "name: Caveau", "name: Caveau\nauthor: nobody",
        "author: is not a key of a map (it knows id, name, idea, playable, source)"),
    "missing key": (CAVEAU, "name: Caveau\n", "", "name: is missing"),
    "empty key": (CAVEAU, "name: Caveau", "name:", "name: is missing"),
    "other map's id": (CAVEAU, "id: caveau", "id: canal",
        "id: 'canal' is not 'caveau', as the file's name says"),
    "unknown source": (CAVEAU, "source: name, playable", "source: name, size",
        "source: 'size' is not one of name, playable, inner_void, drawing"),
}


# fmt: on


@pytest.mark.parametrize("fault", SHEETS | MAPS)
def test_a_faulty_file_is_refused_with_file_key_and_reason(root: Path, fault: str) -> None:
    name, old, new, reason = (SHEETS | MAPS)[fault]
    spoil(root, name, old, new)
    assert refusal(root).startswith(f"{name}: {reason}")


def redraw(root: Path, drawing: str) -> None:
    """Give the map Caveau another drawing."""
    path = root / CAVEAU
    header = path.read_text(encoding="utf-8").split("\n\n")[0]
    path.write_text(f"{header}\n\n{drawing}", encoding="utf-8")


BIG = "1111....2222\n1111....2222\n"
DRAWINGS = {
    "no drawing": ("", "drawing: is empty"),
    "too tall": (".\n" * 19, "drawing: 19 rows of 1 do not fit in 18 rows of 28"),
    "too wide": ("." * 29 + "\n", "drawing: 1 rows of 29 do not fit in 18 rows of 28"),
    "no zones": ("....\n", "drawing: zone 1 has 0 cells, not 8 to 64 (B5)"),
    "small zones": ("1111111..2222222\n", "drawing: zone 1 has 7 cells, not 8 to 64 (B5)"),
    "large zones": (("1" * 13 + "2" * 13 + "\n") * 5, "drawing: zone 1 has 65 cells, not 8 to 64"),
    "two parts": (
        "1111.WW.2222\n" * 2,
        "drawing: row 1, column 8: cannot be reached from row 1, column 1 (B5)",
    ),
    "void between": ("1111.__.2222\n" * 2, "drawing: row 1, column 8: cannot be reached"),
    "other count": (BIG, "playable: 149 is stated, 24 cells are drawn"),
}


@pytest.mark.rule("B2", "B5")
@pytest.mark.parametrize("fault", DRAWINGS)
def test_an_unfit_drawing_is_refused(root: Path, fault: str) -> None:
    drawing, reason = DRAWINGS[fault]
    redraw(root, drawing)
    assert refusal(root).startswith(f"{CAVEAU}: {reason}")


def remove(name: str) -> Callable[[Path], None]:
    """Take the file away."""
    return lambda root: (root / name).unlink()


def cut_after(name: str, mark: str) -> Callable[[Path], None]:
    """Keep what stands before the last `mark`."""

    def cut(root: Path) -> None:
        text = (root / name).read_text(encoding="utf-8")
        (root / name).write_text(text[: text.rindex(mark)], encoding="utf-8")

    return cut


def write(name: str, data: bytes) -> Callable[[Path], None]:
    """Put these bytes into the file."""
    return lambda root: (root / name).write_bytes(data) and None


def make_folder(name: str) -> Callable[[Path], None]:
    """Put a folder where the file should be."""

    def replace(root: Path) -> None:
        (root / name).unlink()
        (root / name).mkdir()

    return replace


FILES = {
    "class missing": (remove("classes/brute.toml"), "classes/brute.toml: the file is missing"),
    "map missing": (remove("maps/canal.txt"), "maps/canal.txt: the file is missing"),
    "bonuses missing": (remove("bonuses.toml"), "bonuses.toml: the file is missing"),
    "traps missing": (remove("traps.toml"), "traps.toml: the file is missing"),
    "a folder": (make_folder("summons.toml"), "summons.toml: cannot be read: Is a directory"),
    "a seventh class": (
        write("classes/moine.toml", b"x"),
        "classes/moine.toml: the class is not one of guerrier, brute, ",
    ),
    "a tenth map": (write("maps/lac.txt", b"x"), "maps/lac.txt: the map is not one of caveau, "),
    "not UTF-8": (
        write("classes/brute.toml", "id = 'é'".encode("latin-1")),
        "classes/brute.toml: byte 6 is not UTF-8",
    ),
    "map not UTF-8": (write("maps/canal.txt", b"\xff\xfe"), "maps/canal.txt: byte 0 is not UTF-8"),
    "empty class": (write("classes/brute.toml", b""), "classes/brute.toml: id: is missing"),
    "empty map": (write("maps/canal.txt", b""), "maps/canal.txt: id: is missing"),
    "fifteen spells": (
        cut_after("classes/brute.toml", "[[spell]]"),
        "classes/brute.toml: spell: there are 15, not 16",
    ),
    "nine summons": (cut_after(SUMMONS, "[[summon]]"), "summons.toml: summon: there are 9, not 10"),
    "four traps": (cut_after("traps.toml", "[[trap]]"), "traps.toml: trap: there are 4, not 5"),
    "five bonuses": (
        cut_after("bonuses.toml", "[[bonus]]"),
        "bonuses.toml: bonus: there are 5, not 6",
    ),
    "truncated": (cut_after("classes/brute.toml", '"'), "classes/brute.toml: is not TOML: "),
}


@pytest.mark.parametrize("fault", FILES)
def test_a_missing_strange_or_cut_file_is_refused(root: Path, fault: str) -> None:
    harm, reason = FILES[fault]
    harm(root)
    assert refusal(root).startswith(reason)


def test_at_least_forty_kinds_of_fault_are_tried() -> None:
    assert len(SHEETS) + len(MAPS) + len(DRAWINGS) + len(FILES) >= 40


def test_a_changed_number_reaches_the_rulebook(root: Path) -> None:
    spoil(root, GUERRIER, "cost = 3", "cost = 5")
    rules = rulebook(load_content(root))
    assert rules["spell"]["cost"][0, 0] == 5
    assert rulebook()["spell"]["cost"][0, 0] == 3


def test_files_with_the_line_ends_of_another_system_are_read_alike(root: Path) -> None:
    for file in (*root.rglob("*.toml"), *root.rglob("*.txt")):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert load_content(root) == load_content()


def test_more_effects_than_the_rulebook_holds_are_refused(root: Path) -> None:
    effect = '{ kind = "damage", min = 22, max = 28 }'
    spoil(root, GUERRIER, effect, ", ".join([effect] * 250))
    with pytest.raises(ContentError, match=re.escape("hold more than 320 effects")):
        rulebook(load_content(root))
