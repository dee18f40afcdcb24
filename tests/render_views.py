"""Hand-written JSON views for the drawing tests: no engine stands behind them."""

import copy

ROWS, COLUMNS = 18, 28

HALL = """
WWWWWWWWWWWWWWWW
W11....W........
W11..........HHH
W11.VV..........
W...VV....C.....
.........CC.....
....R........R..
.....CC.........
.....C....VV...W
..........VV.22W
HHH..........22W
........W....22W
WWWWWWWWWWWWWWWW
"""

CHASM = """
     ...1111...........22..
   ....11.......R......2222.
  .....11...............222.
 ........    .....    ......
.......        .        .....
..WW...                 .CC..
.......      .....      .....
.......     .......     .....
......     .........     ....
......     ....R....     ....
.......     .......     .....
.......      .....      .....
..CC...                 .WW..
.....        ...        .....
 ........   .....    .......
 .....................H.....
 ............R........HH...
   .......................
"""


def centred(drawing: str) -> tuple[list[str], list[str]]:
    """Terrain and zones of 18 rows of 28 signs, the drawing in their middle."""
    lines = drawing.strip("\n").split("\n")
    wide = min(COLUMNS, max(map(len, lines)))
    top, left = (ROWS - len(lines)) // 2, (COLUMNS - wide) // 2
    blank = " " * COLUMNS
    terrain, zones = [blank] * ROWS, ["." * COLUMNS] * ROWS
    for row, line in enumerate(lines, top):
        full = (" " * left + line).ljust(COLUMNS)[:COLUMNS]
        terrain[row] = "".join("." if sign in "12" else sign for sign in full)
        zones[row] = "".join(sign if sign in "12" else "." for sign in full)
    return terrain, zones


SPELLS = {
    "Guerrier": "Taillade,Bourrade,Cri de guerre,Bannière,Bond,Bouclier levé,Coup de masse,Crochet",
    "Arcaniste": "Trait arcanique,Comète,Œil du mage,Élémentaire de flamme,Clignement,"
    "Onde de choc,Bouclier de mana,Foudre",
    "Ombre": "Dague,Invisibilité,Piège à pointes,Piège de glu,Piège à ressort,Peur,"
    "Pas de l'ombre,Exécution",
    "Horloger": "Aiguille des heures,Sablier,Automate,Retour,Désynchronisation,Stase,"
    "Pendule,Minuit",
}


def hero(seat: int, name: str, **facts: object) -> dict:
    """A hero's part of the view."""
    names = SPELLS[name].split(",")
    spells = [
        {
            "slot": slot,
            "id": f"{name.lower()}-{slot}",
            "name": spell,
            "cost": 2 + (slot * 5 + seat) % 5,
            "range": [slot % 2, 1 + slot % 7],
            "cooldown": (0, 0, 2, 0, 1, 0, 0, 0)[(slot + seat) % 8],
            "used": (1, 0, 0, 0, 0, 0, 0, 0)[slot],
            "per_turn": (3, 0, 0, 0, 0, 1, 1, 2)[slot],
        }
        for slot, spell in enumerate(names)
    ]
    return {
        "seat": seat,
        "camp": seat % 2,
        "class": name.lower(),
        "class_name": name,
        "variants": [False, False, True, False, False, seat == 0, False, True, False],
        "passive": "passive",
        "passive_name": {"Guerrier": "Cuirasse", "Arcaniste": "Flux", "Ombre": "Traque"}.get(
            name, "Rouages"
        ),
        "placed": True,
        "purse": 1500 + 100 * seat,
        "spells": spells,
    } | facts


def fighter(index: int, name: str, cell: list[int] | None, hp: int, full: int, **facts) -> dict:
    """An entity's part of the view; a hero unless facts say otherwise."""
    return {
        "index": index,
        "kind": "hero",
        "class": name.lower(),
        "name": name,
        "camp": index % 2,
        "owner": index,
        "cell": cell,
        "alive": True,
        "hp": hp,
        "max_hp": full,
        "ap": 12,
        "mp": 6,
        "ap_lost": 0,
        "mp_lost": 0,
        "armour": 0,
        "resistance": 0,
        "power": 0,
        "range_bonus": 0,
        "invisible": False,
        "effects": [],
    } | facts


def effect(kind: str, value: int, turns: int, source: int) -> dict:
    """One timed effect on an entity."""
    return {"kind": kind, "value": value, "turns": turns, "source": source}


def fight() -> dict:
    """Mid-fight, two heroes, a summon, traps, bonuses; seat 0 is to act."""
    terrain, zones = centred(HALL)
    return {
        "rules": "1",
        "map": {"id": "hall", "name": "Salle d'essai"},
        "terrain": terrain,
        "zones": zones,
        "phase": "fight",
        "viewer": 0,
        "camp": 0,
        "to_act": 0,
        "actor": 0,
        "tour": 7,
        "turn": 13,
        "team_size": 1,
        "first_camp": 1,
        "auction": {"price": 200, "bidder": 1, "drawn": 0, "purses": [1500, 1600]},
        "stakes": 250,
        "heroes": [hero(0, "Ombre"), hero(1, "Arcaniste")],
        "entities": [
            fighter(0, "Ombre", [9, 12], 143, 250, ap=7, mp=4, power=20, range_bonus=1,
                    effects=[effect("power", 20, 1, 0), effect("poison", 8, 2, 1)]),
            fighter(1, "Arcaniste", [6, 17], 71, 240, ap=14, mp=5, ap_lost=1, mp_lost=2,
                    armour=35, resistance=-25,
                    effects=[effect("armour", 35, 2, 1), effect("resistance", -25, 1, 0)]),
            fighter(4, "Élémentaire de flamme", [8, 16], 44, 60, kind="elementaire_de_flamme",
                    camp=1, owner=1, ap=6, mp=4, **{"class": None}),
        ],
        "traps": [
            {"id": "piege_a_pointes", "name": "Piège à pointes", "camp": 0, "owner": 0,
             "cell": [7, 15], "turns": 6,
             "area": [[7, 15], [6, 15], [8, 15], [7, 14], [7, 16]]},
        ],
        "bonuses": [{"kind": "ap", "cell": [11, 10]}, {"kind": "heal", "cell": [5, 16]}],
        "actions": {
            "reach": [[9, 11], [9, 13], [10, 12], [10, 13], [8, 12], [8, 13], [7, 13], [9, 14]],
            "aims": [[], [[9, 12]], [[8, 14]], [], [[9, 13]], [], [], [[8, 16]]],
            "place": [],
            "pass": True,
            "raise": False,
            "forfeit": True,
        },
        "log": [
            "Ombre casts Dague on Élémentaire de flamme: 16 damage.",
            "Élémentaire de flamme has 44 HP left.",
        ],
        "outcome": None,
    }  # fmt: skip


def team() -> dict:
    """Two against two on a map with a chasm; seat 2 (camp 0) looks on while seat 1 acts."""
    view = fight()
    view["terrain"], view["zones"] = centred(CHASM)
    view["map"] = {"id": "chasm", "name": "Gouffre d'essai"}
    view |= {"viewer": 2, "to_act": 1, "actor": 1, "team_size": 2, "actions": None}
    view["auction"]["purses"] = [1500, 1600, 1700, 1800]
    view["heroes"] = [
        hero(0, "Ombre"), hero(1, "Arcaniste"), hero(2, "Guerrier"), hero(3, "Horloger")
    ]  # fmt: skip
    view["entities"] = [
        fighter(0, "Ombre", [8, 13], 250, 250, invisible=True, effects=[
            effect("power", 30, 2, 2)]),
        fighter(1, "Arcaniste", [2, 22], 199, 240, ap=9, effects=[effect("range", 2, 1, 1)]),
        fighter(2, "Guerrier", [9, 4], 55, 300, armour=40, resistance=15, effects=[
            effect("anchor", 0, 2, 2), effect("delayed", 0, 1, 3), effect("armour", 40, 1, 2)]),
        fighter(3, "Horloger", None, 0, 265, alive=False),
        fighter(4, "Bannière", [9, 6], 25, 40, kind="banniere", camp=0, owner=2, **{"class": None}),
    ]  # fmt: skip
    view["traps"][0] |= {
        "cell": [14, 13], "area": [[14, 13], [13, 13], [15, 13], [14, 12], [14, 14]]
    }  # fmt: skip
    view["bonuses"] = [{"kind": "mp", "cell": [15, 10]}, {"kind": "range", "cell": [7, 12]}]
    return view


def placement() -> dict:
    """Before the fight: seat 0 chooses its cell, the enemy's is hidden."""
    view = fight()
    view |= {"phase": "placement", "actor": None, "tour": 0, "turn": 0, "first_camp": 0}
    view |= {"traps": [], "bonuses": [], "log": ["Choose a start cell."]}
    view["auction"] |= {"price": 0, "bidder": None}
    for one in view["heroes"]:
        one["placed"] = False
    for one in view["entities"]:
        one |= {"cell": None, "hp": one["max_hp"], "effects": [], "armour": 0}
    del view["entities"][2:]
    view["actions"] |= {
        "reach": [],
        "aims": [[]] * 8,
        "place": [
            [row, column]
            for row, line in enumerate(view["zones"])
            for column, sign in enumerate(line)
            if sign == "1"
        ],
        "pass": False,
    }
    return view


def auction() -> dict:
    """The auction: seat 1 may raise over seat 0's bid."""
    view = copy.deepcopy(placement())
    view |= {"phase": "auction", "log": ["Ombre bids 300."]}
    view["auction"] |= {"price": 300, "bidder": 0, "drawn": 1}
    for one, cell in zip(view["entities"], ([6, 7], [11, 19]), strict=True):
        one["cell"] = cell
    for one in view["heroes"]:
        one["placed"] = True
    view["actions"] |= {"place": [], "pass": True, "raise": True}
    return view


def over() -> dict:
    """After the last blow."""
    view = fight()
    view |= {"phase": "over", "to_act": None, "actor": None, "actions": None}
    view["entities"] = view["entities"][:2]
    view["entities"][1] |= {"hp": 0, "alive": False, "cell": None, "effects": [], "armour": 0}
    view["outcome"] = {
        "winner": 0, "termination": "knockout", "rewards": [1, -1], "price_paid": [0, 200]
    }  # fmt: skip
    return view


ALL = {"fight": fight, "team": team, "placement": placement, "auction": auction, "over": over}
