"""Plants hangs in programs of four gloo processes, and keeps what PyTorch's flight recorder says about each.

    python3 make.py FOLDER [CASE...]     needs a PyTorch whose gloo has a flight recorder

Paths are replaced by those of an imaginary user. test_hangs knows which rank is to blame, where.
"""

import json
import os
import pickle
import sys
import time

RANKS = 4


def reduced(tensor, times):
    for _ in range(times):
        dist.all_reduce(tensor)


def absent(rank, x):
    reduced(x, 2)
    if rank != 2:
        dist.all_reduce(x, async_op=True)


def other_operation(rank, x):
    reduced(x, 3)
    if rank == 1:
        dist.broadcast(x, 1, async_op=True)
    else:
        dist.all_reduce(x, async_op=True)


def other_size(rank, x):
    reduced(x, 2)
    dist.all_reduce(torch.ones(5 if rank == 3 else 4), async_op=True)


def other_dtype(rank, x):
    reduced(x, 2)
    dist.all_reduce(torch.ones(4, dtype=torch.int32 if rank == 0 else torch.float32), async_op=True)


def in_a_group(rank, x):
    left, right = dist.new_group([0, 1], group_desc="left"), dist.new_group([2, 3], group_desc="right")
    reduced(x, 2)
    dist.all_reduce(x, group=left if rank < 2 else right)
    if rank == 0:
        dist.all_reduce(x, group=left, async_op=True)


def follows(rank, x):
    left = dist.new_group([0, 1], group_desc="left")
    reduced(x, 2)
    if rank < 2:
        dist.all_reduce(x, group=left)
    if rank == 0:
        dist.all_reduce(x, group=left, async_op=True)
    if rank > 1:
        dist.all_reduce(x, async_op=True)


def deadlock(rank, x):
    every = dist.new_group([0, 1, 2, 3], group_desc="every")
    reduced(x, 2)
    dist.all_reduce(x, group=every)
    if rank == 0:
        dist.all_reduce(x, async_op=True)
    else:
        dist.all_reduce(x, group=every, async_op=True)


def no_root(rank, x):
    reduced(x, 2)
    if rank != 3:
        dist.broadcast(x, 3, async_op=True)


def early_exit(rank, x):
    for round in range(5):
        if round == 4 and rank == 0:
            break
        dist.all_reduce(x, async_op=round == 4)


def barrier(rank, x):
    reduced(x, 1)
    if rank != 1:
        dist.barrier(async_op=True)


CASES = [absent, other_operation, other_size, other_dtype, in_a_group, follows, deadlock, no_root, early_exit, barrier]
AS_JSON = ("early_exit", "barrier")


def anonymous(dump):
    for entry in dump["entries"]:
        entry["thread_id"] = "1"
        for frame in entry.get("frames", []):
            name = frame["filename"]
            torch_at = name.find("/torch/")
            if torch_at >= 0:
                frame["filename"] = "/opt/python/site-packages" + name[torch_at:]
            elif name == __file__:
                frame["filename"] = "/home/me/planted.py"
            else:
                frame["filename"] = "/opt/python/" + os.path.basename(name)
    return dump


def work(rank, folder, case):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(29640 + case))
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    CASES[case](rank, torch.ones(4))
    time.sleep(1.5)
    name = f"{folder}/nccl_trace_rank_{rank}"
    if CASES[case].__name__ in AS_JSON:
        with open(name, "w") as file:
            json.dump(anonymous(json.loads(_distributed_c10d._dump_fr_trace_json())), file)
    else:
        with open(name, "wb") as file:
            pickle.dump(anonymous(pickle.loads(_distributed_c10d._dump_fr_trace())), file, 2)
    os._exit(0)


def main(folder, *chosen):
    for i, case in enumerate(CASES):
        if chosen and case.__name__ not in chosen:
            continue
        place = f"{folder}/{case.__name__}"
        os.makedirs(place, exist_ok=True)
        ranks = [torch.multiprocessing.get_context("spawn").Process(target=work, args=(rank, place, i)) for rank in range(RANKS)]
        for rank in ranks:
            rank.start()
        for rank in ranks:
            rank.join()


os.environ["TORCH_FR_BUFFER_SIZE"] = "100"

import torch  # noqa: E402, I001 (after the variable)
import torch.distributed as dist  # noqa: E402
import torch.multiprocessing  # noqa: E402
from torch._C import _distributed_c10d  # noqa: E402

if __name__ == "__main__":
    main(*sys.argv[1:])
