"""What a view says that no duel can have come to, though each part of it reads.

Everything here follows from the rules and from what the viewer may know of a duel; no duel
leads to a view that is refused.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from ..duel.content.loader import content, rulebook
from ..duel.content.schema import CAMP_NAME, SLOTS, WIDTH, Kind, Passive
from ..duel.content.sheets import ClassSheet, Spell
from ..duel.engine.effects import LOSS_CAP
from ..duel.engine.state import BID_STEP, HEROES, TOUR_LIMIT
from .fields import Entity, Hero, View


def contradictions(view: View) -> Iterator[str]:
    """What is wrong with a view whose parts name each other rightly, a sentence each."""
    course = _turns if view.phase == "fight" else _before
    parts = (
        _end, _auction, course, _heroes, _cells, _points, _summons, _effects, _traps, _bonuses,
        _means,
    )  # fmt: skip
    return chain.from_iterable(part(view) for part in parts)


def first_camp_of(view: View) -> int:
    """The camp that plays first, or would as the auction stands (A3, A4)."""
    bidder = view.auction.bidder
    return view.auction.drawn_camp if bidder is None else bidder


def camp_turns_of(view: View) -> tuple[int, int]:
    """The heroes' turns that each camp has begun: they alternate (T4)."""
    more, less = (view.turn + 1) // 2, view.turn // 2
    return (less, more) if first_camp_of(view) else (more, less)


def is_placed(view: View, seat: int) -> bool:
    """Whether a seat has chosen its start cell: one after the other does (P1)."""
    return view.phase != "placement" or (view.to_act is not None and seat < view.to_act)


def _seats(view: View) -> range:
    return range(2 * view.team_size)


def _by_index(view: View) -> dict[int, Entity]:
    return {entity.index: entity for entity in view.entities}


def _owner(entity: Entity) -> int:
    return entity.index if entity.owner is None else entity.owner


def _sheet(hero: Hero) -> ClassSheet:
    return next(sheet for sheet in content().classes if sheet.id == hero.class_)


def _taken(hero: Hero) -> tuple[Spell, ...]:
    """The eight spells that a hero has taken along."""
    spells = _sheet(hero).spells
    return tuple(spells[2 * slot + hero.variants[slot]] for slot in range(SLOTS))


def _end(view: View) -> Iterator[str]:
    """It goes on, so nobody has won (E1-E4)."""
    for field in ("winner", "termination", "quitter"):
        if getattr(view, field) is not None:
            yield f"{field}: null as long as the duel is not over"


def _auction(view: View) -> Iterator[str]:
    price, bidder = view.auction.price, view.auction.bidder
    if (price > 0) != (bidder is not None):
        yield "auction: a bid has both a price and a bidder"
    elif bidder is not None and view.phase == "placement":
        yield "auction: nobody bids before everybody is placed"
    if price % BID_STEP:
        yield f"auction.price: bids rise by {BID_STEP} coins"
    elif bidder is not None and bidder != (view.auction.drawn_camp + price // BID_STEP) % 2:
        first = CAMP_NAME[1 - view.auction.drawn_camp]
        yield f"auction: {first} was asked first, so a price of {price} is not camp {bidder}'s"
    if view.phase == "auction":
        asked = 1 - first_camp_of(view)
        if view.to_act != asked:
            yield f"to_act: in this auction seat {asked} is asked, for {CAMP_NAME[asked]}"
        if bidder is not None and view.heroes[bidder].purse < price:
            yield f"auction.price: seat {bidder} has bid more coins than its purse holds"
    if view.first_camp is not None and view.first_camp != first_camp_of(view):
        yield f"first_camp: it is {first_camp_of(view)}, as bidder and drawn_camp have it"


def _heroes(view: View) -> Iterator[str]:
    for hero in view.heroes:
        where = f"heroes[{hero.seat}]"
        placed = is_placed(view, hero.seat)
        if hero.placed is not None and hero.placed != placed:
            yield f"{where}.placed: seats choose in order, so it is {str(placed).lower()}"
        passive = _sheet(hero).passives[hero.variants[-1]]
        for field, kind in (("carried_ap", Passive.FLUX), ("earned_ap", Passive.ROUAGES)):
            most = passive.value if passive.kind == kind else 0
            if getattr(hero, field) > most:
                yield f"{where}.{field}: with the passive {passive.id} it is {most} at most"
        if hero.carried_ap and view.actor == hero.seat:
            yield f"{where}.carried_ap: in hand since the turn began, so 0 for who acts"
        for spell, used in zip(_taken(hero), hero.used, strict=True):
            if 0 < spell.per_turn < used:
                yield f"{where}.used: {spell.id} can be cast {spell.per_turn} times a turn"


def _cells(view: View) -> Iterator[str]:
    """Cells are told where the viewer knows them, and nowhere else (P3, I1, I5)."""
    zones = rulebook()[0].maps[[sheet.id for sheet in content().maps].index(view.map)].zone
    for entity in view.entities:
        where = f"entities: index {entity.index}"
        camp = _owner(entity) % 2
        own = view.seat is not None and view.seat % 2 == camp
        told = entity.cell is not None
        if entity.hp == 0:
            continue
        if view.phase == "placement" and not own:
            if told:
                yield f"{where} is hidden, cell null, until everybody is placed"
        elif not is_placed(view, _owner(entity)):
            if told:
                yield f"{where} has no cell before its seat has chosen one"
        elif entity.invisible and not own:
            if told:
                yield f"{where} is invisible to the viewer: its cell is null"
        elif not told and own:
            yield f"{where} is {CAMP_NAME[camp]}'s own: the viewer knows its cell"
        elif not told:
            yield f"{where} is seen: it needs its cell"
        elif view.phase != "fight" and zones[entity.cell[0] * WIDTH + entity.cell[1]] != 1 + camp:
            yield f"{where} is not in its camp's start zone"


def _points(view: View) -> Iterator[str]:
    """Points in hand, lost, owed and to come (R3, R4, N15)."""
    for entity in view.entities:
        where = f"entities: index {entity.index}"
        for kind in ("ap", "mp"):
            hand, lost, debt, gain = (
                getattr(entity, kind + suffix) for suffix in ("", "_lost", "_debt", "_gain")
            )
            if entity.index != view.actor and hand:
                yield f"{where} does not act, so its {kind} in hand is 0"
            if lost > LOSS_CAP:
                yield f"{where}: {kind}_lost is {LOSS_CAP} at most"
            if debt > lost:
                yield f"{where}: {kind}_debt is part of {kind}_lost, so no more than that"
            if entity.index == view.actor and debt:
                yield f"{where} acts: {kind}_debt was paid as its turn began, so it is 0"
            if entity.index == view.actor and gain:
                yield f"{where} acts: {kind}_gain is in hand since its turn began, so it is 0"


def _summons(view: View) -> Iterator[str]:
    """Who leads whom, and in which order (T6, E4)."""
    entities = _by_index(view)
    taken: dict[int, int] = {}
    last = 0
    for entity in view.entities:
        where = f"entities: index {entity.index}"
        if entity.index < HEROES:
            if _owner(entity) != entity.index:
                yield f"{where}: a hero's owner is its own seat"
            continue
        last = last + 1 if entity.serial is None else entity.serial
        if last < 1:
            yield f"{where}: the serial of the first summon is 1"
        if last in taken:
            yield f"{where} has the serial of index {taken[last]}"
        taken[last] = entity.index
        if not entities[_owner(entity)].hp:
            yield f"{where}: its hero is dead, and what he made went with him"


def _effects(view: View) -> Iterator[str]:
    entities = _by_index(view)
    laid: dict[tuple, int] = {}
    for number, effect in enumerate(view.effects):
        where = f"effects[{number}]"
        if not entities[effect.target].hp:
            yield f"{where}: target {effect.target} is dead, nothing lies on it any more"
        if effect.kind != "anchor" and not effect.value:
            yield f"{where}: with value 0 there is no {effect.kind}"
        if effect.until == "turns" and not effect.turns:
            yield f"{where}: with turns 0 it has ended"
        if effect.kind == "delayed" and effect.value2 < effect.value:
            yield f"{where}: value2 is the highest damage, so no less than value"
        key = (effect.kind, effect.target, effect.source, effect.cause)
        if effect.cause is not None and key in laid:
            yield f"{where} is effects[{laid[key]}] again, which would have been renewed"
        laid[key] = number


def _traps(view: View) -> Iterator[str]:
    entities = _by_index(view)
    turns = {trap.id: trap.turns for trap in content().traps}
    laid: dict[tuple[int, int], int] = {}
    for number, trap in enumerate(view.traps):
        where = f"traps[{number}]"
        if view.seat is None or trap.owner % 2 != view.seat % 2:
            yield f"{where}: the viewer knows of no trap of {CAMP_NAME[trap.owner % 2]}"
        if not entities[trap.owner].hp:
            yield f"{where}: its owner is dead, and what he laid went with him"
        if not 1 <= trap.turns <= turns[trap.kind]:
            yield f"{where}: turns are 1 to {turns[trap.kind]}"
        if trap.cell in laid:
            yield f"{where} has the cell of traps[{laid[trap.cell]}]"
        laid[trap.cell] = number


def _bonuses(view: View) -> Iterator[str]:
    """They appear on free cells, two of different kinds, and whoever comes takes them (G1, G2)."""
    inert = {sheet.id for sheet in content().summons if not sheet.mobile}
    takers = {e.cell: e.index for e in view.entities if e.cell and e.kind not in inert}
    kinds, cells = set(), set()
    for number, bonus in enumerate(view.bonuses):
        where = f"bonuses[{number}]"
        if bonus.cell in takers:
            yield f"{where}: index {takers[bonus.cell]} stands on its cell and would have taken it"
        if bonus.kind in kinds:
            yield f"{where}: there are never two of a kind, here {bonus.kind}"
        if bonus.cell in cells:
            yield f"{where} has the cell of bonuses[0]"
        kinds.add(bonus.kind)
        cells.add(bonus.cell)


def _made_by(spells: Iterable[Spell], kind: Kind) -> set[int]:
    """Numbers of what spells summon or lay."""
    return {effect.a for spell in spells for effect in spell.effects if effect.kind == kind}


def _means(view: View) -> Iterator[str]:
    """What is there was made by a spell that somebody has taken along."""
    book = content()
    taken = {hero.seat: _taken(hero) for hero in view.heroes}
    summons = {sheet.id: sheet.number for sheet in book.summons}
    traps = {sheet.id: sheet.number for sheet in book.traps}
    for entity in view.entities:
        where = f"entities: index {entity.index}"
        owner = _owner(entity)
        if entity.index >= HEROES:
            if summons[entity.kind] not in _made_by(taken[owner], Kind.SUMMON):
                yield f"{where}: seat {owner} has no spell that makes its {entity.kind}"
        elif entity.invisible:
            fellows = chain.from_iterable(taken[seat] for seat in taken if seat % 2 == owner % 2)
            if not any(e.kind == Kind.INVISIBLE for spell in fellows for e in spell.effects):
                yield f"{where} is invisible, but its camp has no spell for that"
    for number, trap in enumerate(view.traps):
        if traps[trap.kind] not in _made_by(taken[trap.owner], Kind.TRAP):
            yield f"traps[{number}]: seat {trap.owner} has no spell that lays its {trap.kind}"
    every = tuple(chain.from_iterable(taken.values()))
    laid = _made_by(every, Kind.TRAP)
    causes = {spell.id for spell in every} | {f"trap:{i}" for i, n in traps.items() if n in laid}
    known = {spell.id for sheet in book.classes for spell in sheet.spells}
    known |= {f"trap:{trap}" for trap in traps}
    for number, effect in enumerate(view.effects):
        if effect.cause in known - causes:
            yield f"effects[{number}]: nobody has taken its cause {effect.cause} along"


def _turns(view: View) -> Iterator[str]:
    """Camps alternate, heroes of a camp take turns (T4, T5, E3)."""
    most = TOUR_LIMIT * len(_seats(view))
    if not view.turn:
        yield "turn: in the fight it is at least 1"
        return
    if view.turn > most:
        yield f"turn: {most} is the last one before the duel is over"
    seat = view.to_act or 0
    first = first_camp_of(view)
    camp = first if view.turn % 2 else 1 - first
    if seat % 2 != camp:
        yield f"turn: {CAMP_NAME[first]} played first, so turn {view.turn} is {CAMP_NAME[camp]}'s"
    if view.camp_turns is not None and view.camp_turns != camp_turns_of(view):
        yield f"camp_turns: {list(camp_turns_of(view))} make up the {view.turn} of turn"
    if view.next_camp is not None and view.next_camp != 1 - camp:
        yield f"next_camp: camps alternate, so it is {1 - camp}"
    due = camp + 2 * ((camp_turns_of(view)[camp] - 1) % view.team_size)
    if seat != due and _by_index(view)[due].hp:
        yield f"to_act: allies alternate, so turn {view.turn} is seat {due}'s"


def _before(view: View) -> Iterator[str]:
    """Before the fight nothing has happened yet."""
    for field in ("actor", "next_camp"):
        if getattr(view, field) is not None:
            yield f"{field}: null before the fight"
    if view.turn or any(view.camp_turns or ()):
        yield f"{'turn' if view.turn else 'camp_turns'}: no turn has begun before the fight"
    for field in ("effects", "traps", "bonuses"):
        if getattr(view, field):
            yield f"{field}: there are none before the fight"
    full = {sheet.id: sheet.hp for sheet in content().classes}
    for entity in view.entities:
        where = f"entities: index {entity.index}"
        if entity.index >= HEROES:
            yield f"{where} is a summon: none is made before the fight"
        elif entity.hp < (entity.max_hp or full[view.heroes[entity.index].class_]):
            yield f"{where} is hurt before the fight has begun"
        for field in ("ap_lost", "mp_lost", "ap_gain", "mp_gain", "forced", "invisible"):
            if getattr(entity, field):
                yield f"{where}: {field} says what cannot be before the fight"
    for hero in view.heroes:
        spent = {"cooldowns": any(hero.cooldowns), "used": any(hero.used)}
        spent |= {"turn_start": hero.turn_start is not None}
        spent |= {"carried_ap": hero.carried_ap > 0, "earned_ap": hero.earned_ap > 0}
        for field, is_spent in spent.items():
            if is_spent:
                yield f"heroes[{hero.seat}].{field}: no turn has begun"
