"""A copy of the page's sources with the packages that build them, and what Node says of them."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from serving import PAGE

PATIENCE = 600  # seconds for a tool: another may keep the machine busy
ASK = """
import { readFileSync } from "node:fs";
import { answer } from "./entry.mjs";
const told = JSON.parse(readFileSync("cases.json", "utf8")).map((one) => answer(...one));
process.stdout.write(JSON.stringify(told));
"""


class Workshop:
    """The page's sources in a folder of their own; skips the test where npm cannot bring tools."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed")
        self.page = folder / "server" / "page"
        shutil.copytree(PAGE, self.page, ignore=shutil.ignore_patterns("node_modules", "dist"))
        shutil.copytree(PAGE.parent / "clients", self.page.parent / "clients")
        install = ["npm", "ci", "--no-audit", "--no-fund", "--prefer-offline"]
        done = self._done(*install)
        if done.returncode != 0:
            pytest.skip(f"npm brings no packages: {done.stderr[-200:]}")

    def _done(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.page, capture_output=True, text=True, timeout=PATIENCE
        )

    def run(self, *command: str) -> str:
        """What a command that has to succeed prints, run among the sources."""
        done = self._done(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def ask(self, module: str, cases: list[list[Any]]) -> list[Any]:
        """What the `answer` of a TypeScript module among the sources says to each list of
        arguments, all in one process."""
        (self.page / "entry.ts").write_text(module)
        (self.page / "cases.json").write_text(json.dumps(cases))
        (self.page / "ask.mjs").write_text(ASK)
        bundle = ["--bundle", "--format=esm", "--log-level=warning", "--outfile=entry.mjs"]
        self.run("node_modules/.bin/esbuild", "entry.ts", *bundle)
        return json.loads(self.run("node", "ask.mjs"))
