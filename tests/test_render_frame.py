"""The picture: it shows each fact of the view, the same on every machine."""

import copy
import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
import render_views as views
from test_render_text import FACTS, change

from solwaris_env.render.frame import DEFAULT_SIZE, render_frame

SMALL = (720, 450)


@pytest.mark.parametrize("name", views.ALL)
def test_frame_is_rgb_and_repeatable(name):
    view = views.ALL[name]()
    before = copy.deepcopy(view)
    frame = render_frame(view)
    assert frame.shape == (DEFAULT_SIZE[1], DEFAULT_SIZE[0], 3)
    assert frame.dtype == np.uint8
    assert frame.std() > 20
    assert view == before
    np.testing.assert_array_equal(frame, render_frame(json.loads(json.dumps(view))))


def test_a_frame_does_not_depend_on_those_before_it():
    first = render_frame(views.fight(), SMALL)
    for build in views.ALL.values():
        render_frame(build(), SMALL)
    np.testing.assert_array_equal(first, render_frame(views.fight(), SMALL))


def test_the_frame_is_the_callers_own():
    frame = render_frame(views.fight(), SMALL)
    kept = frame.copy()
    frame[:] = 0
    np.testing.assert_array_equal(kept, render_frame(views.fight(), SMALL))


UNSHOWN = {"map id", "trap's owner"}
MORE = [
    ("team size", change("team_size", value=2)),
    ("terrain", change("terrain", 8, value=" " * 28)),
    ("entity's camp", change("entities", 2, "camp", value=0)),
    ("entity's kind", change("entities", 2, "kind", value="automate")),
    ("class", change("entities", 0, "class", value="brute")),
    ("invisible", change("entities", 0, "invisible", value=True)),
    ("summon's MP", change("entities", 2, "mp", value=1)),
    ("spell's cost", change("heroes", 1, "spells", 3, "cost", value=7)),
    ("spell's range", change("heroes", 1, "spells", 3, "range", value=[2, 9])),
    ("spell's cooldown", change("heroes", 1, "spells", 0, "cooldown", value=3)),
    ("spell's casts", change("heroes", 1, "spells", 0, "used", value=2)),
    ("spell's limit", change("heroes", 1, "spells", 1, "per_turn", value=2)),
    ("reach", change("actions", "reach", value=[[9, 11]])),
    ("aims", change("actions", "aims", 0, value=[[9, 13]])),
    ("nothing to do", change("actions", value=None)),
    ("whose turn", change("to_act", value=1)),
    ("phase", change("phase", value="over")),
]


@pytest.mark.parametrize(
    "alter",
    [fact[1] for fact in FACTS if fact[0] not in UNSHOWN] + [fact[1] for fact in MORE],
    ids=[fact[0] for fact in FACTS if fact[0] not in UNSHOWN] + [fact[0] for fact in MORE],
)
def test_each_fact_changes_the_frame(alter):
    view = views.fight()
    before = render_frame(view)
    alter(view)
    assert (render_frame(view) != before).any()


@pytest.mark.parametrize(
    ("build", "alter"),
    [
        (views.placement, change("zones", 4, value="." * 28)),
        (views.placement, change("actions", "place", value=[[3, 7]])),
        (views.placement, change("heroes", 1, "placed", value=True)),
        (views.auction, change("auction", "price", value=700)),
        (views.auction, change("auction", "bidder", value=None)),
        (views.auction, change("auction", "purses", 0, value=99)),
        (views.auction, change("actions", "raise", value=False)),
        (views.over, change("outcome", "winner", value=None)),
        (views.over, change("outcome", "termination", value="forfeit")),
        (views.over, change("outcome", "rewards", value=[0, 0])),
        (views.over, change("outcome", "price_paid", value=[0, 300])),
        (views.team, change("heroes", 3, "spells", 2, "cooldown", value=4)),
        (views.team, change("entities", 2, "effects", 0, "turns", value=5)),
    ],
)
def test_each_fact_of_other_phases_changes_the_frame(build, alter):
    view = build()
    before = render_frame(view)
    alter(view)
    assert (render_frame(view) != before).any()


def test_all_classes_and_camps_look_different():
    seen = set()
    for cls in ("guerrier", "brute", "arcaniste", "ombre", "horloger", "artificier", "other"):
        for camp in (0, 1):
            view = views.fight()
            view["entities"] = view["entities"][:2]
            view["entities"][0] |= {"class": cls, "camp": camp, "effects": []}
            seen.add(render_frame(view, SMALL).tobytes())
    assert len(seen) == 14


def test_each_obstacle_and_the_void_look_different():
    seen = set()
    for sign in " .WHCRV":
        view = views.fight()
        view["terrain"][11] = view["terrain"][11][:12] + sign * 2 + view["terrain"][11][14:]
        seen.add(render_frame(view, SMALL).tobytes())
    assert len(seen) == 7


@pytest.mark.parametrize("size", [(320, 200), (500, 900), (1600, 400), (2000, 1250)])
def test_any_sensible_size(size):
    for build in views.ALL.values():
        assert render_frame(build(), size).shape == (size[1], size[0], 3)


@pytest.mark.parametrize("size", [(0, 0), (319, 200), (320, 199), (9000, 900), (-5, 700)])
def test_senseless_sizes_are_refused(size):
    with pytest.raises(ValueError, match=f"{size[0]} x {size[1]} pixels cannot be drawn"):
        render_frame(views.fight(), size)


def test_unknown_kinds_and_crowded_cards_are_drawn():
    view = views.team()
    view["entities"][0]["effects"] = [views.effect(f"kind_{n}", n, n, n % 4) for n in range(12)]
    view["entities"][1]["class"] = "zouave"
    view["bonuses"][0]["kind"] = "luck"
    view["log"] = ["A long sentence that goes on and on. " * 12] * 9
    view["traps"] *= 6
    assert render_frame(view).std() > 20


def test_a_map_without_floor_is_drawn():
    view = views.fight()
    view |= {"terrain": [" " * 28] * 18, "entities": view["entities"][:2]}
    assert render_frame(view, SMALL).shape == (450, 720, 3)


def test_without_pillow_there_is_a_hint(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install 'solwaris\[render\]'"):
        render_frame(views.fight())


SCRIPT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import render_views
from solwaris_env.render.frame import render_frame
print(hashlib.sha256(render_frame(render_views.team()).tobytes()).hexdigest())
print(" ".join(name for name in ("pygame", "numba", "torch") if name in sys.modules))
"""


def test_same_bytes_in_a_process_without_a_display():
    env = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    env |= {"PYTHONHASHSEED": "77"}
    answer = subprocess.run(
        [sys.executable, "-c", SCRIPT, os.path.dirname(__file__)],
        env=env, capture_output=True, text=True, check=True,
        cwd=os.path.dirname(os.path.dirname(__file__)),
    ).stdout.split("\n")  # fmt: skip
    assert answer[0] == hashlib.sha256(render_frame(views.team()).tobytes()).hexdigest()
    assert answer[1] == ""


def test_accents_and_signs_the_font_lacks_are_drawn():
    from solwaris_env.render.lettering import fit, width, wrap

    view = views.fight()
    frames = set()
    for name in ("Felin", "Félin", "Fèlin", "Fêlin", "Fëlin", "Felîn", "Fœlin", "Façlin", "F☃lin"):
        view["heroes"][0]["class_name"] = name
        frames.add(render_frame(view).tobytes())
    assert len(frames) == 9
    assert width("é", 20) == width("e", 20)
    assert fit("Élémentaire de flamme", 14, 60).endswith("…")
    assert width(fit("Élémentaire de flamme", 14, 60), 14) <= 60
    assert wrap("un deux trois", 14, 1) == ["un", "deux", "trois"]
