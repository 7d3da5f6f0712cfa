"""What is known to differ for PyTorch's operators, and why. Everything else that differs is a fault."""

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
        r"(BatchNorm|InstanceNorm|_batch_norm).*\.bfloat16",
        r"^-aten\._to_copy\.default$",
        "Python's shape function says that running statistics in bfloat16 become float32, and casts them back; the "
        "kernel leaves them in bfloat16",
    ),
    Known(
        r"/(linalg\.eig|linalg\.svd|svd|svd_lowrank|pca_lowrank)\.",
        r"^differs: .*; no gradients\)",
        "eager refuses gradients of a loss that depends on the phase of eigenvectors or singular vectors, by their "
        "values; the graph computes them, as Python's does",
    ),
    Known(
        r"linear_cross_entropy\.chunked",
        r"torch_nn::_linear_cross_entropy|aten\.addmm",
        "an operator that torch.nn defines in Python; --define can say what it computes",
    ),
)


def reason_for(case, said):
    """Why a case may differ; empty: it may not."""
    return next((known.why for known in KNOWN if re.search(known.cases, case) and re.search(known.said, said)), "")
