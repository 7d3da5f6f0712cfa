"""A table of logs of torch.compile, compared with PyTorch: python3 tests/python/run.py all_trace_logs

15 models are compiled in nine ways by aot_eager and Inductor. This takes half an hour, and is not part of ./dev test.

AOTSCOPE_TRACE_ONLY=mlp,conv picks models, AOTSCOPE_TRACE_BACKENDS=aot_eager a backend, and AOTSCOPE_TRACE_PYTHON=PYTHON
a Python with another version of PyTorch.
"""

from __future__ import annotations

import collections
import os

from support import TestCase
from trace_cases import WAYS, models
from trace_told import COUNTED, compare, traced


class AllTraceLogs(TestCase):
    def test_all(self) -> None:
        chosen = [name for name in os.environ.get("AOTSCOPE_TRACE_ONLY", "").split(",") if name] or list(models())
        different = []
        columns = ("case", *(each[:8] for each in COUNTED), "graphs", "equal", "reason", "differs")
        print("\n" + "".join(f"{column:>10}" if i else f"{column:28}" for i, column in enumerate(columns)))
        reasons: collections.Counter[str] = collections.Counter()
        for backend in os.environ.get("AOTSCOPE_TRACE_BACKENDS", "aot_eager,inductor").split(","):
            log, python = traced(self.folder / backend, backend, chosen, list(WAYS))
            for case in compare(log, python, self.temporary):
                numbers = [case.ours[each] for each in COUNTED]
                numbers += [case.graphs, case.equal, case.unequal, len(case.differences)]
                print(f"{backend[:9] + ' ' + case.name:28}" + "".join(f"{number:>10}" for number in numbers))
                different += case.differences
                reasons.update(reason.split(" (")[0] for reason in case.explained)
        for reason, count in reasons.most_common():
            print(f"{count} times: {reason}")
        self.assertEqual([str(each) for each in different], [])
