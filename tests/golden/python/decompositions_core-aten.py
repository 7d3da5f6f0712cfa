import torch
from torch._decomp import core_aten_decompositions

decompositions = core_aten_decompositions()

# aot_function(f, compiler, decompositions=decompositions)
# exported_program.run_decompositions(decompositions)
