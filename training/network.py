"""The network of a duellist.

A small U of convolutions gives every cell an embedding that knows its surroundings and the
situation; every slot of the spell bar asks for a cell with a query built from the data of the
spell it holds and from the situation. The logit of (slot, cell) is the product of the two, so
4,536 logits cost nine small vectors and no matrix of their size has to be learned. The last
three logits (pass, raise, forfeit) and the value come from the situation alone.

Most cells are nobody's target. Where the legal actions are known, as in all of training, only
the cells that they aim at get an embedding (`judge`); an exported file answers for all.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.content.schema import CELLS, HEIGHT, SLOTS, WIDTH
from solwaris_env.duel.observation import PLANES, SCALAR_SIZE, SCALARS, SLOT_SIZE

from .masked import Legal
from .potential import potential
from .spell_features import spell_features

# Planes that are not 0/1 are divided by about their largest usual value.
PLANE_SCALES = {
    "kind": 10.0,
    "hp": 100.0,
    "armour": 40.0,
    "ap": 12.0,
    "mp": 6.0,
    "resistance": 50.0,
    "power": 50.0,
    "poison": 10.0,
    "trap": 5.0,
    "reach": 6.0,
    "their_reach": 6.0,
}
# Planes whose nearness every cell is told, far beyond the reach of a 3x3 convolution.
BEACONS = ("self", "own_hero", "their_hero", "their_summon")
BEACON_SCALES = (2.0, 8.0)
# How far a cell is from the nearest seen foe, exactly: ranges end sharply, and where to walk is
# mostly a question of them. One number for each distance below this, one for all above.
FARTHEST = 12
SHARPNESS = 0.5  # scale of a beacon from which distances can be read back
# Planes whose marked cells hand their embeddings to the situation.
FOCUS = ("self", "own_hero", "their_hero")
SPELL_EMBEDDING = 32
# Cells alike in all the network sees get equal logits up to rounding, which differs between
# runtimes. A preference for the lower index, larger than that, makes all choose alike.
PREFERENCE = 1e-5
# Logits are bent to stay within this. Nothing else would keep those of hopeless actions from
# falling for ever, and single precision from telling runtimes apart.
LIMIT = 30.0
AIMED = (SLOTS + 1) * CELLS  # actions with a cell
SPECIALS = ACTIONS - AIMED
_SLOTS_AT = SCALARS["slot0_spell"].start


@dataclass(frozen=True)
class NetworkSize:
    """How large a network is.

    Attributes:
        channels: length of a cell's embedding; at half the resolution it is twice as long.
        blocks: residual 3x3 convolutions at half the resolution.
        width: length of the situation's vector.
    """

    channels: int = 32
    blocks: int = 2
    width: int = 192


class _Seen(NamedTuple):
    """What the trunk makes of a batch of observations.

    Attributes:
        bar: the spells of the bar, (B, 8, E).
        facts: all scalars summed up, (B, width + E).
        planes: of the board and the beacons, (B * 504, P), in the trunk's precision.
        foes: how near the nearest seen foe is, (B * 504,), float32.
        coarse: the board at half the resolution, (B, 9, 14, 2 D), in the trunk's precision.
    """

    bar: torch.Tensor
    facts: torch.Tensor
    planes: torch.Tensor
    foes: torch.Tensor
    coarse: torch.Tensor


def nearness(length: int, scale: float) -> torch.Tensor:
    """Return float32 (length, length): exp(-|i - j| / scale)."""
    line = torch.arange(length, dtype=torch.float32)
    return torch.exp(-(line[:, None] - line[None, :]).abs() / scale)


class DuelNetwork(nn.Module):
    """Logits and value of a batch of observations.

    Inputs: `board` (B, C, 18, 28) int8 and `scalars` (B, K) float32, as in `observation.py`.
    Outputs: `logits` (B, 4539) float32, the mask not applied, and `value` (B,) float32.

    Attributes:
        half: the trunk computes in bfloat16, the rest always in float32.
        shaping: of the rewards that the value was learned from; a file's value is without it.
    """

    def __init__(self, size: NetworkSize) -> None:
        super().__init__()
        channels, width = size.channels, size.width
        self.half = False
        self.shaping = 0.0
        planes = len(PLANES) + len(BEACONS) * len(BEACON_SCALES)
        scale = [1.0 / PLANE_SCALES.get(name, 1.0) for name in PLANES]
        scale += [1.0] * (planes - len(PLANES))
        self.register_buffer("scale", torch.tensor(scale).view(1, -1, 1, 1), persistent=False)
        for i, reach in enumerate(BEACON_SCALES):
            self.register_buffer(f"rows{i}", nearness(HEIGHT, reach), persistent=False)
            self.register_buffer(f"columns{i}", nearness(WIDTH, reach), persistent=False)
        self.register_buffer("rows_sharp", nearness(HEIGHT, SHARPNESS), persistent=False)
        self.register_buffer("columns_sharp", nearness(WIDTH, SHARPNESS), persistent=False)
        marks = torch.arange(FARTHEST + 1, dtype=torch.float32)
        self.register_buffer("marks", marks, persistent=False)
        # Where a cell's share lies among those that the coarse cells hand out.
        shares = torch.arange(CELLS).view(HEIGHT // 2, WIDTH // 2, 2, 2).permute(0, 2, 1, 3)
        self.register_buffer("share", shares.reshape(-1), persistent=False)
        preference = -PREFERENCE * torch.arange(ACTIONS, dtype=torch.float32)
        self.register_buffer("preference", preference.view(1, -1), persistent=False)
        # Spell id + 1 -> what the rules say about it; 0: an empty slot.
        features = torch.from_numpy(spell_features())
        empty = torch.zeros(1, features.shape[1])
        self.register_buffer("sheet", torch.cat((empty, features)), persistent=False)
        self._beacons = [PLANES[name].start for name in BEACONS]
        self._focus = [PLANES[name].start for name in FOCUS]
        self._foes = PLANES["their_hero"].start
        self._sighted = PLANES["sighted"].start

        coarse = 2 * channels
        self.facts = nn.Linear(SCALAR_SIZE, width)
        self.spell = nn.Linear(features.shape[1], SPELL_EMBEDDING)
        self.slot = nn.Linear(SPELL_EMBEDDING + SLOT_SIZE - 1, SPELL_EMBEDDING)
        self.told = nn.Linear(width + SPELL_EMBEDDING, coarse)
        self.down = nn.Conv2d(planes, coarse, 4, stride=2, padding=1)
        self.blocks = nn.ModuleList(
            nn.Conv2d(coarse, coarse, 3, padding=1) for _ in range(size.blocks)
        )
        self.up = nn.Linear(coarse, 4 * channels)
        self.cell = nn.Linear(planes, channels)
        self.cell_far = nn.Linear(2 * len(marks), channels, bias=False)
        self.refine = nn.Linear(channels, channels)
        watched = channels * len(FOCUS) + coarse
        self.situation = nn.Linear(width + SPELL_EMBEDDING + watched, width)
        self.asked = nn.Linear(SPELL_EMBEDDING, width // 2)
        self.context = nn.Linear(width, width // 2)
        self.go = nn.Parameter(torch.zeros(1, 1, width // 2))
        self.query = nn.Linear(width // 2, channels + 1)
        self.query_far = nn.Linear(width // 2, 2 * len(marks))
        self.specials = nn.Linear(width, SPECIALS)
        self.value_hidden = nn.Linear(width, width)
        self.value = nn.Linear(width, 1)
        self._initialise()

    def _initialise(self) -> None:
        """Orthogonal weights; small outputs, so the first policy is near uniform."""
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Conv2d):
                nn.init.orthogonal_(module.weight, np.sqrt(2))
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        for module, gain in (
            (self.told, 0.5),
            (self.query, 0.05),
            (self.query_far, 0.05),
            (self.specials, 0.01),
            (self.value, 0.1),
        ):
            nn.init.orthogonal_(module.weight, gain)

    def forward(
        self, board: torch.Tensor, scalars: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return `logits` (B, 4539) and `value` (B,)."""
        seen = self._look(board, scalars)
        told = self._cells(seen, None)
        told = told.view(-1, CELLS, told.shape[1])
        focus = board[:, self._focus].flatten(2).float()
        watched = (focus @ told[:, :, : self.cell.out_features]).flatten(1)
        situation = self._situation(seen, watched)
        aimed = self._queries(seen, situation) @ told.transpose(1, 2)
        logits = torch.cat((aimed.flatten(1), self.specials(situation)), dim=1)
        value = self._value(situation)
        if self.shaping:  # a shaped return is the outcome less this much of the potential
            value = value + self.shaping * potential(scalars)
        return _bend(logits) + self.preference, value

    def judge(
        self, board: torch.Tensor, scalars: torch.Tensor, legal: Legal
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits (K,) of the legal actions alone, and `value` (B,)."""
        seen = self._look(board, scalars)
        special = legal.action >= AIMED
        aimed, others = (part.nonzero().squeeze(1) for part in (~special, special))
        slot = torch.div(legal.action[aimed], CELLS, rounding_mode="floor")
        target = legal.row[aimed] * CELLS + legal.action[aimed] - slot * CELLS
        holder, held = self._in_focus(board)
        # Each cell once, however many aim at it.
        touched = torch.zeros(len(board) * CELLS, dtype=torch.bool, device=board.device)
        touched[target] = True
        touched[held] = True
        place = touched.cumsum(0) - 1
        told = self._cells(seen, touched.nonzero().squeeze(1))
        situation = self._situation(seen, self._watched(told[place[held]], holder, len(board)))
        queries = self._queries(seen, situation).flatten(0, 1)
        asked = queries.index_select(0, legal.row[aimed] * (SLOTS + 1) + slot)
        matches = (told.index_select(0, place[target]) * asked).sum(dim=1)
        chosen = legal.row[others] * SPECIALS + legal.action[others] - AIMED
        logits = torch.zeros(len(legal.index), device=board.device)
        logits = logits.index_copy(0, aimed, matches)
        logits = logits.index_copy(0, others, self.specials(situation).flatten()[chosen])
        return _bend(logits) + self.preference[0, legal.action], self._value(situation)

    def values(self, board: torch.Tensor, scalars: torch.Tensor) -> torch.Tensor:
        """Return `value` (B,) alone."""
        seen = self._look(board, scalars)
        holder, held = self._in_focus(board)
        watched = self._watched(self._cells(seen, held), holder, len(board))
        return self._value(self._situation(seen, watched))

    def temper(self, temperature: float) -> None:
        """Divide all logits by `temperature`, before they are bent, for good."""
        with torch.no_grad():
            for layer in (self.query, self.query_far, self.specials):
                layer.weight /= temperature
                layer.bias /= temperature

    def _look(self, board: torch.Tensor, scalars: torch.Tensor) -> _Seen:
        bar, facts = self._facts(scalars)
        beacons = board[:, self._beacons].float()
        near = [
            getattr(self, f"rows{i}") @ (beacons @ getattr(self, f"columns{i}"))
            for i in range(len(BEACON_SCALES))
        ]
        foes = self.rows_sharp @ (board[:, self._foes].float() @ self.columns_sharp)
        dtype = torch.bfloat16 if self.half else torch.float32
        # Channels last throughout: (B, rows, columns, channels) in memory.
        x = torch.cat([board.to(dtype), *(plane.to(dtype) for plane in near)], dim=1)
        x = x.permute(0, 2, 3, 1).contiguous()
        # The planes' scales are folded into the weights, which are far fewer.
        y = _convolve(x, self.down, self.down.weight * self.scale)
        y = functional.relu(y + self.told(facts).to(dtype)[:, None, None])
        for block in self.blocks:
            y = y + functional.relu(_convolve(y, block))
        return _Seen(bar, facts, x.view(-1, x.shape[3]), foes.flatten(), y)

    def _facts(self, scalars: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Read the scalars: the spell bar (B, 8, E), and all of them summed up (B, width + E)."""
        slots = scalars[:, _SLOTS_AT:].view(-1, SLOTS, SLOT_SIZE)
        # A spell's id is a name, not a quantity: what it stands for is looked up.
        spells = functional.relu(self.spell(self.sheet)[slots[:, :, 0].long()])
        bar = functional.relu(self.slot(torch.cat((spells, slots[:, :, 1:]), dim=2)))
        nameless = torch.cat((torch.zeros_like(slots[:, :, :1]), slots[:, :, 1:]), dim=2)
        plain = torch.cat((scalars[:, :_SLOTS_AT], nameless.flatten(1)), dim=1)
        facts = functional.relu(self.facts(plain))
        return bar, torch.cat((facts, bar.mean(dim=1)), dim=1)

    def _cells(self, seen: _Seen, index: torch.Tensor | None) -> torch.Tensor:
        """Tell what queries are matched with: float32 (M, D + 1 + 2 (FARTHEST + 1)).

        Embedding, 1, distance to the nearest seen foe (one-hot), that again where it sees the
        cell; of the cells at `index` (M,) among B * 504, or of all in their order.
        """
        size = self.cell.out_features
        # Each coarse cell hands four cells their share, each its own.
        raised = functional.linear(
            seen.coarse, self.up.weight.to(seen.coarse.dtype), self.up.bias.to(seen.coarse.dtype)
        )
        if index is None:
            planes, foes = seen.planes, seen.foes
            raised = raised.view(-1, CELLS, size).index_select(1, self.share).view(-1, size)
        else:
            planes, foes = seen.planes.index_select(0, index), seen.foes[index]
            share = index // CELLS * CELLS + self.share[index % CELLS]
            raised = raised.view(-1, size).index_select(0, share)
        planes = planes.float()
        own = functional.linear(planes, self.cell.weight * self.scale.view(1, -1), self.cell.bias)
        # Two foes equally far add up, which is a third of a cell; rounding undoes it.
        steps = torch.round(-SHARPNESS * torch.log(foes.clamp(min=1e-30)))
        far = functional.relu(1.0 - (steps.clamp(max=FARTHEST)[:, None] - self.marks).abs())
        sighted = planes[:, self._sighted, None].clamp(max=1)
        far = torch.cat((far, far * sighted), dim=1)
        own = own + functional.linear(far, self.cell_far.weight)
        cells = functional.relu(own + raised.float())
        # A second layer, so that a cell can tell "in sight and in range and out of their reach".
        cells = cells + functional.relu(self.refine(cells))
        return torch.cat((cells, torch.ones_like(cells[:, :1]), far), dim=1)

    def _in_focus(self, board: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Cells of the planes in focus among B * 504, and each one's plane among B * 3."""
        row, plane, cell = board[:, self._focus].flatten(2).nonzero().unbind(1)
        return row * len(FOCUS) + plane, row * CELLS + cell

    def _watched(self, told: torch.Tensor, holder: torch.Tensor, rows: int) -> torch.Tensor:
        """Sum the embeddings of the cells in focus by plane: (B, 3 D)."""
        size = self.cell.out_features
        sums = torch.zeros(rows * len(FOCUS), size, device=told.device)
        return sums.index_add(0, holder, told[:, :size]).view(rows, -1)

    def _situation(self, seen: _Seen, watched: torch.Tensor) -> torch.Tensor:
        """Sum up the whole observation: float32 (B, width)."""
        whole = seen.coarse.float().mean(dim=(1, 2))
        return functional.relu(self.situation(torch.cat((seen.facts, watched, whole), dim=1)))

    def _queries(self, seen: _Seen, situation: torch.Tensor) -> torch.Tensor:
        """What each slot, and walking, asks of a cell: (B, 9, as long as a cell is told)."""
        asked = torch.cat((self.asked(seen.bar), self.go.expand(seen.bar.shape[0], 1, -1)), dim=1)
        asked = functional.relu(asked + self.context(situation)[:, None])
        return torch.cat((self.query(asked), self.query_far(asked)), dim=2)

    def _value(self, situation: torch.Tensor) -> torch.Tensor:
        return self.value(functional.relu(self.value_hidden(situation))).squeeze(1)


def _bend(logits: torch.Tensor) -> torch.Tensor:
    return LIMIT * torch.tanh(logits / LIMIT)


def _convolve(
    x: torch.Tensor, layer: nn.Conv2d, weight: torch.Tensor | None = None
) -> torch.Tensor:
    """Apply a convolution to `x` (B, rows, columns, channels) in its precision.

    `weight` is used instead of the layer's own if given.
    """
    weight = layer.weight if weight is None else weight
    y = functional.conv2d(
        x.permute(0, 3, 1, 2),
        weight.to(x.dtype),
        layer.bias.to(x.dtype),
        layer.stride,
        layer.padding,
    )
    return y.permute(0, 2, 3, 1)
