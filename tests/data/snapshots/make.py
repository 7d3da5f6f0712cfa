"""Makes memory snapshots as torch.cuda.memory._dump_snapshot writes them, of a training whose every allocation is known.

    python3 make.py FOLDER          the files of the tests
    python3 make.py FILE STEPS      a long one

There is no GPU in it: a caching allocator of a few lines gives out addresses, and a training of three layers calls it
from stacks as PyTorch records them. test_snapshots knows the bytes.
"""

import pickle
import sys

KB, MB = 1 << 10, 1 << 20
PY = "/opt/python/site-packages/torch/"
USER = "/home/me/train.py"


class Allocator:
    """First fit in segments of 20 MB (2 MB for blocks up to 1 MB), sizes rounded to 512 bytes."""

    def __init__(self, limit=None):
        self.segments = []  # [address, size, {address: (size, requested, frames, metadata)}]
        self.events = []
        self.frames = {}
        self.limit = limit
        self.clock = 1_700_000_000_000_000
        self.next = 0x7F0000000000
        self.metadata = ""

    def stack(self, *lines):
        """Each line as "file:line:function"; the innermost first, the script last. PyTorch shares equal frames."""
        frames = []
        script = () if all("::" in line for line in lines) else (f"{USER}:80:main", f"{USER}:99:<module>")
        for text in (*lines, *script):
            file, line, name = text.rsplit(":", 2) if "::" not in text else ("??", "0", text)
            if text not in self.frames:
                self.frames[text] = {"name": name, "filename": file, "line": int(line)}
            frames.append(self.frames[text])
        return frames

    def record(self, action, address, size, frames, **more):
        self.clock += 7
        place = {"device_free": address} if action == "oom" else {"addr": address}
        self.events.append(
            {
                "action": action,
                **place,
                "size": size,
                "stream": 0,
                "time_us": self.clock,
                "compile_context": "N/A",
                "user_metadata": self.metadata,
                "pool_id": (0, 0),
                "frames": list(frames),
                **more,
            }
        )

    def find(self, rounded, small):
        for address, size, blocks in self.segments:
            if (size == 2 * MB) != small:
                continue
            at = address
            for block in sorted(blocks):
                if block - at >= rounded:
                    return at, blocks
                at = block + blocks[block][0]
            if address + size - at >= rounded:
                return at, blocks
        return None

    def alloc(self, size, frames):
        rounded = (size + 511) // 512 * 512
        small = rounded <= MB
        if (found := self.find(rounded, small)) is None:
            segment = 2 * MB if small else max(20 * MB, (rounded + 2 * MB - 1) // (2 * MB) * (2 * MB))
            reserved = sum(size for _, size, _ in self.segments)
            if self.limit and reserved + segment > self.limit:
                self.record("oom", self.limit - reserved, size, frames)
                raise MemoryError
            self.segments.append([self.next, segment, {}])
            self.record("segment_alloc", self.next, segment, frames)
            self.next += segment + 64 * MB
            found = self.find(rounded, small)
        address, blocks = found
        blocks[address] = (rounded, size, frames, self.metadata)
        self.record("alloc", address, size, frames)
        return address

    def free(self, address, frames=None):
        for _, _, blocks in self.segments:
            if address in blocks:
                _, size, allocated, _ = blocks.pop(address)
        self.record("free_requested", address, size, allocated if frames is None else frames)
        self.record("free_completed", address, size, allocated if frames is None else frames)

    def snapshot(self, last=None):
        segments = []
        for address, size, blocks in self.segments:
            listed, at = [], address
            for block in [*sorted(blocks), address + size]:
                if block > at:
                    listed.append({"address": at, "size": block - at, "requested_size": 0, "state": "inactive", "frames": []})
                if block in blocks:
                    rounded, requested, frames, _ = blocks[block]
                    listed.append({"address": block, "size": rounded, "requested_size": requested,
                                   "state": "active_allocated", "frames": frames})
                    at = block + rounded
            active = sum(block["size"] for block in listed if block["state"] != "inactive")
            segments.append({"device": 0, "address": address, "total_size": size, "allocated_size": active,
                             "active_size": active, "requested_size": active, "stream": 0,
                             "segment_type": "small" if size == 2 * MB else "large", "segment_pool_id": (0, 0),
                             "is_expandable": False, "frames": [], "blocks": listed})
        settings = {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:64", "max_split_size": 64 * MB,
                    "expandable_segments": False, "roundup_power2_divisions": {"1": 0, "2": 0}}
        events = self.events if last is None else self.events[-last:]
        return {"segments": segments, "device_traces": [events, []], "allocator_settings": settings,
                "external_annotations": []}


class Training:
    """Three layers of `width` MB: parameters, AdamW, one saved activation for each layer."""

    def __init__(self, memory, native=True, leaks=False):
        self.memory, self.native, self.leaks = memory, native, leaks
        s = memory.stack
        self.init = s(PY + "nn/modules/module.py:1355:convert", PY + "nn/modules/module.py:942:_apply",
                      PY + "nn/modules/module.py:1371:to")
        call = (PY + "nn/modules/module.py:1784:_call_impl", PY + "nn/modules/module.py:1773:_wrapped_call_impl")
        self.linear = s(PY + "nn/modules/linear.py:125:forward", *call, "/home/me/model.py:31:forward", *call,
                        USER + ":41:train_step")
        self.gelu = s(PY + "nn/modules/activation.py:734:forward", *call, "/home/me/model.py:32:forward", *call,
                      USER + ":41:train_step")
        self.loss = s(PY + "nn/functional.py:3479:cross_entropy", USER + ":42:train_step")
        engine = ("at::native::mm", "torch::autograd::Engine::thread_main") if native else ()
        self.backward = s(*engine) if native else []
        self.accumulate = s("at::native::clone", "torch::autograd::AccumulateGrad::apply",
                            "torch::autograd::Engine::thread_main") if native else []
        self.zero = s(PY + "optim/optimizer.py:995:zero_grad", USER + ":46:train_step")
        self.state = s(PY + "optim/adamw.py:163:_init_group", PY + "optim/adamw.py:224:step",
                       PY + "optim/optimizer.py:493:wrapper", USER + ":45:train_step")
        self.update = s(PY + "optim/adamw.py:512:_multi_tensor_adamw", PY + "optim/adamw.py:240:step",
                        PY + "optim/optimizer.py:493:wrapper", USER + ":45:train_step")
        self.workspace = s("at::cuda::getCUDABlasLtWorkspace", PY + "nn/modules/linear.py:125:forward")
        self.log = s(USER + ":50:train_step")
        self.parameters = [memory.alloc(4 * MB, self.init) for _ in range(3)]
        self.gradients, self.states, self.losses, self.blas = [], [], [], None

    def step(self):
        memory, saved = self.memory, []
        if self.native and self.blas is None:
            self.blas = memory.alloc(8519680, self.workspace)
        for _ in range(3):
            product = memory.alloc(6 * MB, self.linear)
            saved += [product, memory.alloc(6 * MB, self.gelu)]
        scratch = memory.alloc(3 * MB, self.gelu)
        memory.free(scratch)
        loss = memory.alloc(4, self.loss)
        for address in reversed(saved):
            flowing = memory.alloc(6 * MB, self.backward)
            memory.free(address, self.backward)
            memory.free(flowing, self.backward)
        self.gradients = [memory.alloc(4 * MB, self.accumulate) for _ in range(3)]
        if not self.states:
            self.states = [memory.alloc(4 * MB, self.state) for _ in range(6)]
        update = memory.alloc(12 * MB, self.update)
        memory.free(update, self.update)
        for gradient in self.gradients:
            memory.free(gradient, self.zero)
        if self.leaks:
            self.losses.append(memory.alloc(2 * MB, self.log))
        memory.free(loss, self.log)


def write(path, snapshot, protocol=4):
    with open(path, "wb") as file:
        pickle.dump(snapshot, file, protocol)


def main(place, steps=None):
    if steps:
        import gc
        gc.disable()
        memory = Allocator()
        deep = [f"/home/me/deep.py:{i}:level" for i in range(40)]
        usual, memory.stack = memory.stack, lambda *lines: usual(*lines, *deep)
        training = Training(memory, leaks=False)
        for _ in range(int(steps)):
            training.step()
        # As in a large program, frames are not among the first 256 values, which pickles refer to by one byte.
        write(place, {"padding": [str(i) for i in range(300)], **memory.snapshot()})
        return
    for name, kind in {"training": {}, "python_stacks": {"native": False}, "leaking": {"leaks": True}}.items():
        memory = Allocator()
        training = Training(memory, **kind)
        for _ in range(6):
            training.step()
        write(f"{place}/{name}.pickle", memory.snapshot(), 2 if name == "python_stacks" else 4)
    write(f"{place}/without_history.pickle", {**memory.snapshot(), "device_traces": [[], []]})
    write(f"{place}/segments.pickle", memory.snapshot()["segments"])
    memory = Allocator()
    training = Training(memory)
    for _ in range(4):
        training.step()
    write(f"{place}/ring.pickle", memory.snapshot(last=60), 5)
    memory = Allocator(limit=100 * MB)
    training = Training(memory)
    try:
        training.step()
        memory.alloc(30 * MB, memory.stack(USER + ":60:evaluate"))
    except MemoryError:
        pass
    write(f"{place}/out_of_memory.pickle", memory.snapshot())


if __name__ == "__main__":
    main(*sys.argv[1:])
