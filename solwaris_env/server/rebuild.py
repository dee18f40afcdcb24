"""From a JSON view back to the record that mask and observation come from."""

from collections import Counter
from functools import cache

import numpy as np

from ..duel.batch import Buffers, Mode, Option
from ..duel.check import find_fault
from ..duel.codec import ACTIONS
from ..duel.content.loader import RULES_VERSION, content, rulebook
from ..duel.content.schema import CAMP_NAME, SLOTS, WIDTH, Bonus
from ..duel.engine.displacement import BONUS_SPELL
from ..duel.engine.effects import NO_SPELL_ID, TRAP_SPELL
from ..duel.engine.state import HEROES, STATE, SUMMON_BASE, Phase, Timed, Until
from ..duel.kinds import sheet_of, summon_of
from ..duel.observation import BOARD_SHAPE
from ..duel.view import SeatView
from ..errors import SolwarisError
from .contradictions import camp_turns_of, contradictions, first_camp_of, is_placed
from .fields import Entity, Hero, View


class ViewError(SolwarisError):
    """A view that can be no duel; the message names the field."""


def _index(cell: tuple[int, int] | None) -> int:
    return -1 if cell is None else cell[0] * WIDTH + cell[1]


@cache
def _causes() -> dict[str | None, int]:
    book = content()
    causes: dict[str | None, int] = {spell.id: spell.number for spell in book.spells}
    causes |= {f"trap:{trap.id}": TRAP_SPELL + trap.number for trap in book.traps}
    return causes | {"bonus": BONUS_SPELL, None: NO_SPELL_ID}


def known_of(view: View) -> np.ndarray:
    """The (1,) known STATE that a view says. Raises ViewError naming what is wrong."""
    if view.rules != RULES_VERSION:
        raise ViewError(f"rules: {view.rules[:20]!r}, this server plays {RULES_VERSION}")
    rules = rulebook()
    known = np.zeros(1, STATE)
    k = known[0]
    k.entity["cell"] = -1
    k.hero["start_cell"] = -1
    k.occupant[:] = -1
    book = content()
    seats = 2 * view.team_size
    k.phase = Phase[view.phase.upper()]
    k.map = [sheet.id for sheet in book.maps].index(view.map)
    k.team_size = view.team_size
    k.stakes = view.stakes
    k.seat = _minus(view.to_act)
    k.actor = _minus(view.actor)
    k.drawn_camp, k.price = view.auction.drawn_camp, view.auction.price
    k.bidder = _minus(view.auction.bidder)
    k.winner = k.quitter = -1  # it goes on
    if [hero.seat for hero in view.heroes] != list(range(seats)):
        raise ViewError(f"heroes: expected one for each of the seats 0 to {seats - 1}, in order")
    if view.seat is not None and view.seat >= seats:
        raise ViewError(f"seat: {view.seat} is not one of the {seats} seats")
    for hero in view.heroes:
        _equip(k, rules[0], hero)
        k.hero[hero.seat].placed = is_placed(view, hero.seat)
    _stand(k, view)
    playable = rules[0].maps[int(k.map)].playable
    for hero in view.heroes:
        if hero.turn_start is not None:
            _check_playable(f"heroes[{hero.seat}].turn_start", playable, hero.turn_start)
        k.hero[hero.seat].start_cell = _index(hero.turn_start)
        if hero.turn_start is None and view.actor == hero.seat:
            k.hero[hero.seat].start_cell = k.entity[hero.seat].cell
    _count_turns(k, view)
    _lay(k, view, playable)
    _check_standing(k, view)
    _refuse_faults(known, view, rules)
    return known


def _minus(number: int | None) -> int:
    return -1 if number is None else number


def _equip(k: np.record, rules: np.record, hero: Hero) -> None:
    """Give a seat its class, spells and passive, and what its turns have used."""
    h = k.hero[hero.seat]
    h.cls = [sheet.id for sheet in content().classes].index(hero.class_)
    sheet = rules.cls[h.cls]
    versions = [int(v) for v in hero.variants]
    h.loadout = sum(v << i for i, v in enumerate(versions))
    h.spell = [sheet.spell[slot, versions[slot]] for slot in range(SLOTS)]
    h.passive = sheet.passive[versions[-1]]
    h.passive_value = sheet.passive_value[versions[-1]]
    h.passive_value2 = sheet.passive_value2[versions[-1]]
    h.cooldown, h.used = hero.cooldowns, hero.used
    h.purse = hero.purse
    h.carried, h.clockwork = hero.carried_ap, hero.earned_ap


def _stand(k: np.record, view: View) -> None:
    """Put the entities on their cells."""
    seats = 2 * view.team_size
    seen: set[int] = set()
    for entity in view.entities:
        where = f"entities: index {entity.index}"
        if entity.index in seen:
            raise ViewError(f"{where} comes twice")
        seen.add(entity.index)
        if (entity.kind == "hero") != (entity.index < HEROES):
            raise ViewError(f"{where}: heroes have the numbers of their seats, summons 4 and up")
        if entity.index < HEROES:
            if entity.index >= seats:
                raise ViewError(f"{where} is no seat of this duel")
            _put(k, entity, 1 + int(k.hero[entity.index].cls), entity.index)
        else:
            _put(k, entity, SUMMON_BASE + _summon_number(where, entity, seats), entity.owner)
    missing = set(range(seats)) - seen
    if missing:
        raise ViewError(f"entities: the hero of seat {min(missing)} is missing")
    k.entities = max(HEROES, max(seen) + 1)
    _order_summons(k, view)
    _check_summons(k)


def _summon_number(where: str, entity: Entity, seats: int) -> int:
    if entity.owner is None or entity.owner >= seats:
        raise ViewError(f"{where}: a summon needs an owner, a seat of this duel")
    for sheet in content().summons:
        if sheet.id == entity.kind:
            return sheet.number
    known = ", ".join(sheet.id for sheet in content().summons)
    raise ViewError(f"{where}: kind {entity.kind!r} is not hero or one of {known}")


def _put(k: np.record, entity: Entity, kind: int, owner: int) -> None:
    e = k.entity[entity.index]
    e.kind, e.owner, e.camp = kind, owner, owner % 2
    hero = kind < SUMMON_BASE
    sheet = sheet_of(kind)
    e.max_hp = sheet.hp if entity.max_hp is None else entity.max_hp
    e.hp = entity.hp
    if entity.hp > e.max_hp:
        raise ViewError(f"entities: index {entity.index} has more hp than max_hp")
    if entity.hp == 0 and (entity.cell is not None or not hero):
        raise ViewError(f"entities: index {entity.index} is dead: only heroes stay, on no cell")
    e.inert = 0 if hero or sheet.mobile else 1
    e.invisible, e.forced = entity.invisible, entity.forced
    for field in ("ap", "mp"):
        for suffix in ("", "_lost", "_debt", "_gain"):
            setattr(e, field + suffix, getattr(entity, field + suffix))
    cell = _index(entity.cell)
    if cell >= 0:
        if k.occupant[cell] >= 0:
            raise ViewError(f"entities: index {entity.index} stands where another one stands")
        k.occupant[cell] = entity.index
    e.cell = cell


def _order_summons(k: np.record, view: View) -> None:
    last = 0
    for entity in view.entities:
        if entity.index >= HEROES:
            last = last + 1 if entity.serial is None else entity.serial
            k.entity[entity.index].serial = last
    k.serial = int(k.entity["serial"].max())


def _check_summons(k: np.record) -> None:
    """No hero has more summons than the sheets allow (N20): searches count on it."""
    groups: Counter[tuple[int, str]] = Counter()
    for e in k.entity[HEROES : int(k.entities)]:
        if e.kind == 0:
            continue
        sheet = summon_of(e.kind)
        groups[int(e.owner), sheet.group] += 1
        if groups[int(e.owner), sheet.group] > sheet.limit:
            raise ViewError(
                f"entities: seat {e.owner} has more than {sheet.limit} of the kind {sheet.group}"
            )


def _check_standing(k: np.record, view: View) -> None:
    """The duel can go on: both camps have who fights (E1), and who acts has turns (T8)."""
    if view.to_act is None or view.phase == "over":
        return
    seats = 2 * view.team_size
    fallen = [seat for seat in range(seats) if not k.entity[seat].hp]
    if fallen and view.phase != "fight":
        raise ViewError(f"entities: index {fallen[0]} is dead before the fight has begun")
    for camp in (0, 1):
        if {*range(camp, seats, 2)} <= {*fallen}:
            raise ViewError(f"entities: {CAMP_NAME[camp]} has no hero with hp, the fight is over")
    if view.actor is not None and view.phase == "fight" and k.entity[view.actor].inert:
        sheet = summon_of(k.entity[view.actor].kind)
        raise ViewError(f"actor: entity {view.actor} is a {sheet.id}, which has no turns")


def _count_turns(k: np.record, view: View) -> None:
    k.turn = view.turn
    if view.phase == "auction":  # what was bid counts once nobody follows
        k.first_camp = view.auction.drawn_camp
    else:
        k.first_camp = -1 if view.phase == "placement" else first_camp_of(view)
    k.camp_turn = camp_turns_of(view)
    k.next_camp = -1
    if view.phase == "fight" and view.to_act is not None:
        k.next_camp = 1 - view.to_act % 2


def _lay(k: np.record, view: View, playable: np.ndarray) -> None:
    """Lay the timed effects, traps and bonuses."""
    book = content()
    for number, effect in enumerate(view.effects):
        where = f"effects[{number}]"
        if k.entity[effect.target].kind == 0:
            raise ViewError(f"{where}: target {effect.target} is no entity")
        if effect.source >= 2 * view.team_size:
            raise ViewError(f"{where}: source {effect.source} is no seat of this duel")
        if effect.cause not in _causes():
            raise ViewError(f"{where}: cause {effect.cause!r} is no spell, trap:ID or bonus")
        if effect.value < 0 and effect.kind not in ("resistance", "power"):
            raise ViewError(f"{where}: a negative value makes no sense for {effect.kind}")
        k.timed[number] = (
            Timed[effect.kind.upper()],
            effect.target,
            effect.source,
            Until[effect.until.upper()],
            _causes()[effect.cause],
            effect.turns,
            effect.value,
            effect.value2,
        )
    k.timed_count = len(view.effects)
    numbers = {trap.id: trap.number for trap in book.traps}
    for number, trap in enumerate(view.traps):
        where = f"traps[{number}]"
        if trap.kind not in numbers:
            raise ViewError(f"{where}: kind {trap.kind!r} is not one of {', '.join(numbers)}")
        if trap.owner >= 2 * view.team_size:
            raise ViewError(f"{where}: owner {trap.owner} is no seat of this duel")
        _check_playable(where, playable, trap.cell)
        k.trap[number] = (
            numbers[trap.kind],
            trap.owner,
            trap.owner % 2,
            trap.turns,
            _index(trap.cell),
        )
    k.trap_count = len(view.traps)
    for number, bonus in enumerate(view.bonuses):
        _check_playable(f"bonuses[{number}]", playable, bonus.cell)
        k.bonus[number].kind = Bonus[bonus.kind.upper()]
        k.bonus[number].cell = _index(bonus.cell)


def _check_playable(where: str, playable: np.ndarray, cell: tuple[int, int]) -> None:
    if not playable[_index(cell)]:
        raise ViewError(f"{where}: cell {list(cell)} is none that anybody can stand on")


def _refuse_faults(known: np.ndarray, view: View, rules: np.ndarray) -> None:
    if view.phase == "over" or view.to_act is None:
        raise ViewError("phase: the duel is over, there is nothing to decide")
    fault = find_fault(known, rules)
    if fault:
        raise ViewError(f"the view is no duel: {fault}")
    contradiction = next(contradictions(view), None)
    if contradiction:
        raise ViewError(contradiction)


def mine(view: View) -> int:
    """The seat that is to decide on a view. Raises ViewError when it is not the viewer's."""
    if view.seat is None or view.seat != view.to_act:
        raise ViewError("to_act: the view must be that of the seat that is to act")
    return view.seat


class Looker:
    """Computes mask and observation of known records; one for each thread."""

    def __init__(self) -> None:
        self._buffers = Buffers(1)

    def look(self, known: np.ndarray, seat: int) -> SeatView:
        """What a seat of a (1,) known STATE sees and may do, giving up left out.

        Raises ViewError when it may do nothing at all.
        """
        buffers = self._buffers
        buffers.states[:] = known
        buffers.viewers[0] = seat
        buffers.advance(Mode.LOOK, rulebook(), Option.OBSERVE)
        mask = buffers.mask[0, :ACTIONS].copy()
        if int(known["seat"][0]) == seat and not mask.any():
            raise ViewError("the view leaves its seat no legal action")
        observation = {
            "board": buffers.board[0].reshape(BOARD_SHAPE).copy(),
            "scalars": buffers.scalars[0].copy(),
        }
        return SeatView(buffers.known.copy()[0], observation, mask, seat)
