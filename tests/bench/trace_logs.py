"""How fast a large log of TORCH_TRACE is read.

    python3 trace_logs.py AOTSCOPE LOG [GIGABYTES]   a log made of many copies of another one

tests/python/all_trace_logs.py compares the contents read from logs with PyTorch.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time


def large(aotscope, log, gigabytes="1"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.log")
        with open(log, "rb") as file:
            once = file.read()
        with open(path, "wb") as file:
            frame = 0
            while file.tell() < float(gigabytes) * 1e9:
                # Every copy has other functions.
                file.write(re.sub(rb'"frame_id": (\d+)', lambda m: b'"frame_id": %d' % (int(m[1]) + frame), once))
                frame += 1000
        size = os.path.getsize(path)
        with open(path, "rb") as file:  # in the page cache, as after writing it
            while file.read(1 << 24):
                pass
        for title, arguments in (("records of one compilation", ["--list", "records", "--compile-id", "0/0"]),
                                 ("one graph", ["--record", "aot_joint_graph", "--compile-id", "0/0"]),
                                 ("overview", [])):
            before = time.time()
            subprocess.run([aotscope, "compiles", path, *arguments], check=True, stdout=subprocess.DEVNULL)
            print(f"{size / 1e9:.2f} GB, {title}: {time.time() - before:.2f} s")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
        print(f"peak memory: {peak:.0f} MB")


if __name__ == "__main__":
    large(*sys.argv[1:])
