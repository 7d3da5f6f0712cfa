import torch
import torch._refs
from torch._decomp import core_aten_decompositions, get_decompositions
from torch._inductor.decomposition import select_decomp_table

decompositions = core_aten_decompositions()

# rules of inductor
table = dict(select_decomp_table())
for op in [
    torch.ops.aten.mm.default,
]:
    decompositions[op] = table[op]

# rules of prims
decompositions.update(get_decompositions([
    torch.ops.aten.add.Tensor,
]))

# kept as they are
for op in [
    torch.ops.aten.silu.default,
]:
    decompositions.pop(op, None)

# aot_function(f, compiler, decompositions=decompositions)
# exported_program.run_decompositions(decompositions)
