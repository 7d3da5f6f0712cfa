import torch
from torch._inductor.decomposition import select_decomp_table

decompositions = dict(select_decomp_table())

# aot_function(f, compiler, decompositions=decompositions)
# exported_program.run_decompositions(decompositions)
