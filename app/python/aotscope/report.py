"""The report of a run."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error
from .program import call, temporary_folder

if TYPE_CHECKING:
    from .plan import Plan

Row = dict[str, Any]

_LARGEST_IN_SUMMARY = 10
_GRAPHS = ("source", "forward-traced", "functional", "joint", "forward", "backward", "inference")
_TABLES = (
    "saved",
    "recomputed",
    "decisions",
    "passes",
    "inputs",
    "guards",
    "compilers",
    "decompositions",
    "steps",
    "values",
)


def size_text(count: float) -> str:
    """1,234,567 bytes are 1.23 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(count) < 1000 or unit == "GB":
            return f"{count:.0f} B" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1000
    return ""


def read_json(file: Path, expected: str) -> Any:
    """The content of the file, unchecked. Throws an Error if it is not JSON."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (RecursionError, ValueError) as e:
        raise Error(f"{file}: expected {expected}: {e}") from e


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


class Report:
    """A report of `aotscope run` or `aotscope partition`.

    `json`: all of it, with the fields that the manual names. `how`: which exporter made the model's file.
    """

    def __init__(self, content: Mapping[str, Any], session: bytes = b"", how: str = "") -> None:
        self.json = dict(content)
        self.how = how
        self._session = session  # draws pictures; the model's file is gone by then

    @classmethod
    def load(cls, file: str | Path) -> Report:
        """A file of --report. It has no pictures."""
        content = read_json(Path(file), "a report (.json)")
        if not isinstance(content, dict):
            raise Error(f"{file}: expected a report (.json), found {content!r:.60}")
        return cls(content)

    # --- fields ---

    @property
    def name(self) -> str:
        return str(self.json.get("model", {}).get("name", ""))

    @property
    def error(self) -> str:
        """Why the pipeline failed; empty: it did not."""
        return str(self.json.get("error", ""))

    @property
    def check_ok(self) -> bool | None:
        """Whether the compiled function equals eager; None: run without check=True."""
        check = self.json.get("check")
        return None if check is None else bool(check["ok"])

    @property
    def partition(self) -> Row:
        found = self.json.get("partition")
        if found is None:
            why = self.error or "nothing of it needs a gradient, or it was run with inference=True"
            raise Error(f"{self.name} has no partition: {why}")
        return dict(found)

    @property
    def saved(self) -> list[Row]:
        """The values passed to the backward: name, op, shape, dtype, bytes, kind, reason, and the memory that is kept
        alive only for it (kept_alive_bytes: 0 for inputs and views)."""
        return list(self.partition["saved"])

    @property
    def recomputed(self) -> list[Row]:
        """Operations in forward and backward: name, op, bytes, and whether they compute anything (views do not)."""
        return list(self.partition["recomputed"])

    @property
    def saved_values(self) -> int:
        """How many storages are kept in memory for the backward; inputs and views need none of their own."""
        partition = self.partition
        return int(partition.get("saved_values", len(partition["saved"])))

    @property
    def saved_bytes(self) -> int:
        """Bytes of these storages; inputs and parameters are in memory anyway."""
        return int(self.partition["saved_unique_bytes"])

    @property
    def recomputed_operations(self) -> int:
        """How many operations the backward recomputes; views compute nothing."""
        partition = self.partition
        return int(partition.get("recomputed_operations", len(partition["recomputed"])))

    @property
    def peak_bytes(self) -> int | None:
        """The predicted peak memory, if known."""
        peak = self.json.get("memory", {}).get("peak_bytes")
        return None if peak is None else int(peak)

    @property
    def warnings(self) -> list[str]:
        return list(self.json.get("warnings", []))

    @property
    def graphs(self) -> list[str]:
        """The available graphs, in the order of the pipeline: "source", ..., "joint", "forward", "backward"."""
        found = self.json.get("graphs", {})
        return [kind for kind in _GRAPHS if kind in found] + [kind for kind in found if kind not in _GRAPHS]

    @property
    def _main_graph(self) -> str:
        return next((kind for kind in ("joint", "inference") if kind in self.graphs), "")

    @property
    def plan(self) -> Plan:
        """The partition, for `partitioner` and `checkpoint_policy`."""
        from .plan import Plan

        return Plan.of_report(self.json)

    def rows(self, table: str) -> list[Row]:
        """A table of the report as dictionaries."""
        timing, check = self.json.get("timing", {}), self.json.get("check", {})
        partition = self.json.get("partition", {})
        for place in (partition, self.json, timing, check):
            if table in _TABLES and isinstance(place.get(table), list):
                return list(place[table])
        raise Error(f"the report has no table {table!r}; it may have {', '.join(_TABLES)}")

    def frame(self, table: str) -> Any:
        """A table of the report as a pandas.DataFrame."""
        rows = self.rows(table)
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError as e:
            raise Error(f"pandas is not installed; report.rows({table!r}) has the table as dictionaries") from e
        return pandas.DataFrame(rows)

    # --- graphs ---

    def graph(self, kind: str = "joint") -> str:
        """The text of a graph."""
        if kind not in self.graphs:
            raise Error(f"the report has no graph {kind!r}; it has {', '.join(self.graphs) or 'none'}")
        return str(self.json["graphs"][kind]["text"])

    def export(self, kind: str, format: str, *options: str) -> bytes:
        """A graph in a format of `aotscope export`."""
        if not self._session:
            raise Error("this report was read from a file and has no graphs to draw; run the model with aotscope.run")
        with temporary_folder() as folder:
            session, output = folder / "run.aotscope", folder / f"graph.{format}"
            session.write_bytes(self._session)
            words = ["export", str(session), f"--graph={kind}", f"--format={format}", f"--output={output}", *options]
            call(words, folder=folder)
            return output.read_bytes()

    def svg(self, kind: str = "joint") -> str:
        """A picture of a graph. It needs the program with the window, not a display."""
        return self.export(kind, "svg").decode()

    def html(self, kind: str = "joint") -> str:
        """A page with the picture, to pan, zoom and search."""
        return self.export(kind, "html").decode()

    def save(self, file: str | Path) -> None:
        """Writes the report (.json), a session that the window opens (.aotscope), or a picture (.svg, .html)."""
        path = Path(file)
        if path.suffix == ".json":
            path.write_text(json.dumps(self.json, indent=1) + "\n", encoding="utf-8")
        elif path.suffix == ".aotscope" and self._session:
            path.write_bytes(self._session)
        elif path.suffix in (".svg", ".html"):
            path.write_bytes(self.export(self._main_graph or "joint", path.suffix[1:]))
        else:
            raise Error(f"{path}: expected .json, .aotscope, .svg or .html")

    # --- texts ---

    def _facts(self) -> list[tuple[str, str]]:
        facts = [("graphs", ", ".join(self.graphs))]
        if "partition" in self.json:
            facts += [
                ("partition", str(self.partition["algorithm"])),
                ("saved for backward", f"{_counted(self.saved_values, 'value')}, {size_text(self.saved_bytes)}"),
                ("recomputed", _counted(self.recomputed_operations, "operation")),
            ]
        if self.peak_bytes is not None:
            facts.append(("peak memory", size_text(self.peak_bytes)))
        if self.check_ok is not None:
            facts.append(("check against eager", "equal" if self.check_ok else "different"))
        if self.error:
            facts.append(("error", self.error))
        return facts

    def markdown(self) -> str:
        """A summary for the log of a CI job, such as $GITHUB_STEP_SUMMARY."""
        lines = [f"### aotscope: {self.name}", "", "| | |", "|---|---|"]
        lines += [f"| {what} | {_cell(value)} |" for what, value in self._facts()]
        if "partition" in self.json and self.saved:
            largest = sorted(self.saved, key=lambda row: -int(row["bytes"]))[:_LARGEST_IN_SUMMARY]
            lines += ["", "| saved | type | bytes | operation | why |", "|---|---|---|---|---|"]
            keys = ("name", "type", "bytes", "op", "reason")
            lines += ["| " + " | ".join(_cell(row.get(key, "")) for key in keys) + " |" for row in largest]
        lines += [""] + [f"* {_cell(warning)}" for warning in self.warnings]
        return "\n".join(lines).rstrip() + "\n"

    def __repr__(self) -> str:
        return f"Report({self.name}: " + "; ".join(f"{what}: {value}" for what, value in self._facts()) + ")"

    def _repr_html_(self) -> str:
        """For notebooks: the summary, the saved values, and the picture if possible."""
        rows = "".join(f"<tr>{_td(what)}{_td(value)}</tr>" for what, value in self._facts())
        text = f"<h4>{html.escape(self.name)}</h4><table>{rows}</table>"
        if "partition" in self.json:
            text += _table(self.saved, ("name", "type", "bytes", "op", "reason"), "Saved for backward")
            text += _table(self.recomputed, ("name", "op", "bytes"), "Recomputed")
        return text + self._frame()

    def _frame(self) -> str:
        kind = self._main_graph
        if not kind or not self._session:
            return ""
        try:
            page = self.html(kind)
        except Error as e:
            return f"<p>No picture: {html.escape(str(e))}</p>"
        return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:600px;border:0"></iframe>'


def _cell(value: Any) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")


def _td(value: Any) -> str:
    """Words to the left, which notebooks would put to the right, numbers to the right."""
    side, text = ("right", f"{value:,}") if isinstance(value, int) else ("left", str(value))
    return f'<td style="text-align:{side}">{html.escape(text)}</td>'


def _table(rows: Sequence[Row], columns: Sequence[str], title: str) -> str:
    head = "".join(f'<th style="text-align:left">{column}</th>' for column in columns)
    cells = ["".join(_td(row.get(column, "")) for column in columns) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<details><summary>{title}: {len(rows)}</summary><table><tr>{head}</tr>{body}</table></details>"
