import torch
from torch import Tensor


def realtest__scale(x: Tensor, a: float) -> Tensor:
    return x * a


def realtest__scale__backward(grad: Tensor, a: float) -> Tensor:
    return grad * a
