"""The table, printed row by row, so that an interrupted run leaves its results."""

WIDTHS = (34, 11, 64)


class Table:
    def __init__(self, names):
        self.width = max([WIDTHS[0], *map(len, names)])
        print(self._row("check", "result", "figure", "seconds"), flush=True)

    def add(self, result):
        print(self._row(result.check, result.state, result.figure, f"{result.seconds:.1f}"), flush=True)

    def _row(self, check, state, figure, seconds):
        if len(figure) > WIDTHS[2]:
            figure = figure[: WIDTHS[2] - 3] + "..."
        return f"{check:{self.width}}  {state:{WIDTHS[1]}}  {figure:{WIDTHS[2]}}  {seconds:>7}"


def below(results):
    """Everything that does not fit into the table: shortened figures of failed checks, and details."""
    lines = []
    for result in results:
        if result.state == "FAILED":
            lines += ["", f"{result.check}: {result.figure}"]
            lines += ["  " + line for detail in result.details for line in detail.strip().splitlines()]
    states = [result.state for result in results]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return "\n".join([*lines, "", counts])
