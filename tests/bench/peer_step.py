#!/usr/bin/env python3
"""Times training steps (forward and backward) of one of the models of peer_models.py in Python and prints JSON; run.py
calls it. Eager, torch.compile's aot_eager and inductor run in turn; for the latter two, also the time to the first
step. "calls" in a model's place: microseconds for each of a row of smallest operations.
"""

import argparse
import json
import statistics
import time

import torch

import peer_models

BACK_ENDS = ("eager", "aot_eager", "inductor")
ENOUGH_SECONDS, MOST_ITERATIONS = 1.0, 1000  # small models need more iterations
NUMBERS = 1000


def compiled(function, back_end):
    return function if back_end == "eager" else torch.compile(function, backend=back_end)


class Contestant:
    def __init__(self, module, inputs, back_end):
        self.function = compiled(module, back_end)
        self.inputs = inputs
        self.differentiable = [t for t in (*module.parameters(), *inputs) if t.requires_grad]
        self.tangents = None
        self.forward, self.backward = [], []

    def iterate(self):
        start = time.perf_counter()
        outputs = self.function(*self.inputs)
        between = time.perf_counter()
        self.tangents = self.tangents or [torch.ones_like(output) for output in outputs]
        again = time.perf_counter()
        gradients = torch.autograd.grad(outputs, self.differentiable, self.tangents, allow_unused=True)
        end = time.perf_counter()
        del gradients
        self.forward.append((between - start) * 1000)
        self.backward.append((end - again) * 1000)

    def first_step(self):
        """In milliseconds, compiling included."""
        start = time.perf_counter()
        self.iterate()
        return (time.perf_counter() - start) * 1000

    def medians(self, name):
        step = [f + b for f, b in zip(self.forward, self.backward)]
        rows = {"forward": self.forward, "backward": self.backward, "step": step}
        return {f"{name}_{part}_ms": statistics.median(times) for part, times in rows.items()}


def warm_up(back_end):
    """One-time costs of the process, mainly imports, are not counted for any model."""
    if back_end != "eager":
        x = torch.ones(2, requires_grad=True)
        compiled(lambda t: t.sin() + 1, back_end)(x).sum().backward()


def run_interleaved(contestants, iterations):
    for contestant in contestants:
        contestant.iterate()
        contestant.forward, contestant.backward = [], []
    enough = time.perf_counter() + ENOUGH_SECONDS * len(contestants)
    done = 0
    while done < iterations or (done < MOST_ITERATIONS and time.perf_counter() < enough):
        first = done % len(contestants)
        for contestant in contestants[first:] + contestants[:first]:
            contestant.iterate()
        done += 1


def time_steps(model, iterations):
    result, contestants, first_ms = {}, {}, {}
    for back_end in BACK_ENDS:
        torch.manual_seed(0)
        module, inputs = peer_models.MODELS[model]()
        try:
            warm_up(back_end)
            contestant = Contestant(module.train(), inputs, back_end)
            first_ms[back_end] = contestant.first_step()
            contestants[back_end] = contestant
        except Exception as e:  # such as no C++ compiler
            result[back_end + "_error"] = str(e).strip().splitlines()[0]
    run_interleaved(list(contestants.values()), iterations)
    for back_end, contestant in contestants.items():
        result.update(contestant.medians(back_end))
        if back_end != "eager":
            result[back_end + "_compile_ms"] = max(0.0, first_ms[back_end] - result[back_end + "_step_ms"])
    return result


def chain(w, x):
    for _ in range(NUMBERS // 2):
        x = w + w * x
    return x


def time_calls():
    """Not inductor's, which makes one kernel of all of them."""
    w, x = torch.full((1,), 0.5), torch.ones(1)
    result = {}
    for back_end in ("eager", "aot_eager"):
        function = compiled(chain, back_end)
        times = []
        with torch.no_grad():
            function(w, x)
            for _ in range(200):
                start = time.perf_counter()
                function(w, x)
                times.append((time.perf_counter() - start) * 1e6 / NUMBERS)
        result[back_end + "_operation_us"] = statistics.median(times)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=("calls", *peer_models.MODELS))
    parser.add_argument("--iterations", type=int, default=10, help="timed training steps, at least (10)")
    options = parser.parse_args()
    result = time_calls() if options.model == "calls" else time_steps(options.model, options.iterations)
    print(json.dumps({"torch": torch.__version__, "threads": torch.get_num_threads(), **result}))


if __name__ == "__main__":
    main()
