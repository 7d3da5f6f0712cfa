"""Ranks that exchange tensors of GPUs: in one process, and as processes through the host's memory and by NCCL.

One GPU is enough: NCCL connects ranks that share one when NCCL_HOSTID says that they are on several machines.
"""

import csv
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from check import Check, Failed, Skipped
from outcome import run

DATA = Path(__file__).parents[1] / "data" / "distributed"
PROGRAMS = {"mlp_fsdp": 4, "mlp_tensor": 4, "mlp_stages": 2, "llama_tensor": 2}
STEPS = 5
LIMIT = 120
TOLERANCE = 1e-3  # of losses by NCCL, which adds in another order, and of those on the CPU

NCCL = {"NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1"}
SUM = 'def f(x):\n  return ops._c10d_functional.wait_tensor(ops._c10d_functional.all_reduce(x, "sum", "0"))'


def arguments_of(name):
    stages = name.endswith("stages")
    program = [DATA / (name + (".{rank}.pt2" if stages else ".pt2")), "--inputs", DATA / (name + ".{rank}.inputs.pt")]
    return program if stages else program + ["--weights", DATA / (name + ".{rank}.pt")]


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Ranks:
    """Processes that are the ranks of one world, on the first GPU. `arguments`: of each rank."""

    def __init__(self, machine, arguments, nccl):
        self.start, port = time.monotonic(), str(free_port())
        self.files = [tempfile.TemporaryFile() for _ in arguments]
        self.processes = []
        for rank, own in enumerate(arguments):
            world = {"RANK": str(rank), "LOCAL_RANK": "0", "WORLD_SIZE": str(len(arguments))}
            meeting = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "OMP_NUM_THREADS": "1"}
            hosts = {**NCCL, "NCCL_HOSTID": f"host {rank}"} if nccl else {}
            command = [machine.program, *own, "--device", machine.device]
            self.processes.append(
                subprocess.Popen(
                    [str(part) for part in command],
                    stdin=subprocess.DEVNULL,
                    stdout=self.files[rank],
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **world, **meeting, **hosts},
                )
            )

    def end(self, limit=LIMIT):
        """Exit codes, and the output of all of them."""
        codes = []
        for process in self.processes:
            try:
                codes.append(process.wait(max(0.1, limit - (time.monotonic() - self.start))))
            except subprocess.TimeoutExpired:
                process.kill()
                codes.append(f"none within {limit} s")
        texts = [file.seek(0) or file.read().decode(errors="replace") for file in self.files]
        return codes, "\n".join(texts)


def losses(folder, count):
    """Of each rank, the losses of eager and compiled steps."""
    tables = []
    for rank in range(count):
        with open(Path(folder) / f"{rank}.csv", newline="") as file:
            tables.append([(float(row[1]), float(row[2])) for row in list(csv.reader(file))[1:]])
    return tables


def farthest(a, b):
    pairs = [pair for one, other in zip(a, b) for rows in zip(one, other) for pair in zip(*rows)]
    return max(abs(x - y) / max(abs(x), 1e-6) for x, y in pairs)


def trained_together(machine, name, device):
    """Losses of all ranks as threads of one process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [machine.program, "train", *arguments_of(name), "--steps", STEPS, "--check"]
        ranks = ["--ranks", PROGRAMS[name], "--csv", Path(folder) / "{rank}.csv", "--device", device]
        outcome = run(command + ranks, LIMIT)
        if "is unknown; give the library" in outcome.stderr:
            raise Skipped("this LibTorch has no send and receive")
        if outcome.problem:
            raise Failed(f"on {device}: {outcome.problem}", outcome.stdout[-2000:])
        return losses(folder, PROGRAMS[name])


def trained_apart(machine, name, nccl):
    with tempfile.TemporaryDirectory() as folder:
        own = ["train", *arguments_of(name), "--steps", STEPS, "--check", "--csv", Path(folder) / "{rank}.csv"]
        codes, text = Ranks(machine, [own] * PROGRAMS[name], nccl).end()
        if any(code != 0 for code in codes):
            raise Failed(f"{'by NCCL' if nccl else 'by the host'}: exit codes {codes}", text[-3000:])
        if machine.device == "cuda" and nccl == ("share a GPU" in text):
            raise Failed("not the way that was meant", text[-2000:])
        return losses(folder, PROGRAMS[name])


def trained(machine, name):
    threads = trained_together(machine, name, machine.device)
    from_cpu = farthest(threads, trained_together(machine, name, "cpu"))
    by_host = farthest(threads, trained_apart(machine, name, nccl=False))
    by_nccl = farthest(threads, trained_apart(machine, name, nccl=True))
    figure = f"losses of {PROGRAMS[name]} ranks: host {by_host:.0e}, NCCL {by_nccl:.0e}, CPU {from_cpu:.0e} apart"
    if by_host != 0 or max(by_nccl, from_cpu) > TOLERANCE:
        raise Failed(figure)
    return figure


def checked(machine, code, inputs, count, nccl):
    """One program of a few collectives, which every rank compares with eager."""
    own = ["run", "-e", code, "--inputs", inputs, "--check"]
    codes, text = Ranks(machine, [own] * count, nccl).end()
    if any(code != 0 for code in codes):
        raise Failed(f"exit codes {codes}", text[-3000:])


COLLECTIVES = (
    ("all_reduce(x, \"avg\", \"0\")", "f32[4, 6]"),
    ("all_reduce(x, \"product\", \"0\")", "f64[4, 6]"),
    ("all_reduce(x, \"max\", \"0\")", "bf16[4, 6]"),
    ("all_gather_into_tensor(x, 2, \"0\")", "f16[4, 6]"),
    ("reduce_scatter_tensor(x, \"sum\", 2, \"0\")", "f32[4, 6]"),
    ("all_to_all_single(x, [2, 2], [2, 2], \"0\")", "f32[4, 6]"),
    ("broadcast(x.t(), 1, \"0\")", "f32[4, 6]"),
    ("all_reduce(x.t(), \"sum\", \"0\")", "c64[4, 6]"),
)


def collectives(machine):
    for call, inputs in COLLECTIVES:
        code = f"def f(x):\n  return ops._c10d_functional.wait_tensor(ops._c10d_functional.{call})"
        checked(machine, code, inputs, 2, nccl=True)
    return f"{len(COLLECTIVES)} by NCCL equal eager"


def do_not_fit(machine):
    """Ranks whose collectives differ are named, though NCCL would wait for them forever."""
    own = [["run", "-e", SUM, "--inputs", inputs, "--check"] for inputs in ("f32[4]", "f32[5000000]")]
    ranks = Ranks(machine, own, nccl=True)
    codes, text = ranks.end(60)
    seconds = time.monotonic() - ranks.start
    if any(code != 1 for code in codes) or "rank 1 calls" not in text:
        raise Failed(f"exit codes {codes}", text[-2000:])
    return f"both named, all ended after {seconds:.1f} s"


def killed(machine):
    """A rank that is killed in the middle of a training."""
    own = ["train", *arguments_of("mlp_tensor"), "--steps", "1000000"]
    ranks = Ranks(machine, [own] * 4, nccl=True)
    time.sleep(20)
    if any(process.poll() is not None for process in ranks.processes):
        raise Failed("ended before it was killed", ranks.end(1)[1][-2000:])
    ranks.processes[2].kill()
    at = time.monotonic()
    codes, text = ranks.end(60)
    seconds = time.monotonic() - at
    if [code for i, code in enumerate(codes) if i != 2] != [1, 1, 1] or "rank 2 has ended before the others" not in text:
        raise Failed(f"exit codes {codes}", text[-2000:])
    return f"the others ended with its name after {seconds:.1f} s"


def debugged(machine):
    """All ranks stepped together, and compared with eager."""
    command = [machine.program, "debug", *arguments_of("mlp_fsdp"), "--ranks", "4", "--against-eager"]
    outcome = run(command + ["--device", machine.device], LIMIT)
    if outcome.problem:
        raise Failed(outcome.problem, outcome.stdout[-2000:])
    return outcome.stdout.strip().splitlines()[-1][:80]


def checks(machine, options):
    for name in PROGRAMS:
        yield Check(f"ranks {name}", lambda name=name: trained(machine, name))
    yield Check("ranks, collectives", lambda: collectives(machine))
    yield Check("ranks that do not fit", lambda: do_not_fit(machine))
    yield Check("a rank that is killed", lambda: killed(machine))
    yield Check("ranks in the debugger", lambda: debugged(machine))
