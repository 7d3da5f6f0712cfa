"""Known differences of PyTorch's operators, and their reasons. Every other difference is a fault."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    cases: str  # a regular expression, as is the next
    said: str
    why: str


KNOWN = (
    Known(
        r".",
        r"^(\+aten\.zeros\.default|-aten\._efficientzerotensor\.default| )+$",
        "zeros of a gradient have memory here, as the manual says (python.md)",
    ),
    Known(
        r"/(fft\.|linalg\.lu_solve|conj|linalg\.ldl_solve)",
        r"^[+-]aten\.clone\.default$",
        "in Python the tangent of a lazily conjugated output is traced as conjugated, too; here as the plain tensor "
        "that a caller gives, so that one copy less or more resolves it",
    ),
    Known(
        r"/gradient\.",
        r"^-aten\.add\.Tensor -aten\.select\.int$",
        "Python's removal of repeated operations looks them up by hash(), and hash(-1) is hash(-2): select(x, 0, -1) "
        "stays as often as it occurs where select(x, 0, -2) came first",
    ),
    Known(
        r"(BatchNorm|InstanceNorm|batch_norm|instance_norm).*\.bfloat16",
        r"^(\+aten\.clone\.default )?-aten\._to_copy\.default$",
        "Python's shape function says that running statistics in bfloat16 become float32, and casts them back; the "
        "kernel leaves them in bfloat16",
    ),
    Known(
        r"/(linalg\.eigh?|linalg\.svd|svd|svd_lowrank|pca_lowrank)\.",
        r"^differs: .*; no gradients\)",
        "eager refuses gradients of a loss that depends on the phase of eigenvectors or singular vectors, by their "
        "values; the graph computes them, as Python's does",
    ),
    Known(
        r"linear_cross_entropy\.chunked",
        r"torch_nn::_linear_cross_entropy|aten\.addmm|-aten\.mul\.Tensor -aten\.squeeze\.dim",
        "an operator that torch.nn defines in Python; --define can say what it computes",
    ),
    Known(
        r"\.bfloat16\.",
        r"not implemented for 'BFloat16'",
        "LibTorch has no such kernel for the CPU, so that eager fails, too",
    ),
    Known(
        r"/to_sparse\.",
        r"a tensor is sparse|another kind of graph",
        "sparse tensors are not supported, as the manual says (limits.md)",
    ),
    Known(
        r"/index_fill\.",
        r"aten\._unique",
        "the gradient of the value counts which indices are given, which a trace does not know; Python refuses it, too",
    ),
    Known(
        r"functional\.dropout\.",
        r"^another kind of graph$",
        "dropout that drops nothing returns its input, as in eager; Python's graph copies it (python.md)",
    ),
    Known(
        r"(MultiLabelMarginLoss|multilabel_margin_loss)\.",
        r"^\+aten\.permute\.default \+aten\.unsqueeze\.default \+aten\.where\.self$",
        "PyTorch 2.13 adds losses for places after the end of the labels; here as in eager (python.md)",
    ),
    Known(
        r"/(pca|svd)_lowrank\.",
        r"^-aten\.transpose\.int$",
        "Python transposes a value and what it has detached of it; here they are one value, transposed once",
    ),
    Known(
        r"/isfinite\.complex64",
        r"^-aten\.view_as_real\.default$",
        "in inference graphs, too, what is computed twice is computed once; Python does so in joint graphs only",
    ),
    Known(
        r"/_batch_norm_with_update\.",
        r"^\+aten\.clone\.default$",
        "the formula copies the reserve where a backward may be called again, as here where one that fails is tried "
        "from fewer outputs",
    ),
    Known(
        r"max_unpool2d\.grad\.",
        r"^-aten\.clone\.default$",
        "Python's shape function says that the result is contiguous, and copies its tangent into channels-last; the "
        "kernel's result is channels-last as its input",
    ),
)


def reason_for(case, said):
    """Why a case may differ; empty: it may not."""
    return next((known.why for known in KNOWN if re.search(known.cases, case) and re.search(known.said, said)), "")
