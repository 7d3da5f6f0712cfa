"""PyTorch's own databases of operators and modules, as modules with inputs."""

import itertools
import sys
import types
import unittest
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.utils import _pytree as pytree

KINDS = ("operators", "in-place", "mutated inputs", "modules")
DTYPES = ("float32", "bfloat16", "complex64")
MOST_SAMPLES = 12  # generated ones, of which the first and the last are used


def databases():
    """Importing them needs a package of PyTorch's developers that is not used here."""
    if "expecttest" not in sys.modules:
        stand_in = types.ModuleType("expecttest")
        stand_in.TestCase = unittest.TestCase
        sys.modules["expecttest"] = stand_in
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.common_modules import module_db

    return op_db, module_db


class Call(torch.nn.Module):
    """A function of the tensors of a sample; its other arguments are constants."""

    def __init__(self, function, arguments, first=None):
        super().__init__()
        self._function, self._first = function, first or (lambda tensor: tensor)
        leaves, self._spec = pytree.tree_flatten(arguments)
        self._constants = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self._places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def forward(self, *tensors):
        leaves = list(self._constants)
        for place, tensor in zip(self._places, tensors):
            leaves[place] = tensor
        (first, *args), kwargs = pytree.tree_unflatten(leaves, self._spec)
        found = self._function(self._first(first), *args, **kwargs)
        return tuple(found) if isinstance(found, tuple) else found  # names of outputs cannot be saved for all operators


@dataclass(frozen=True)
class Unit:
    """An operator or module in one dtype and one use."""

    kind: str
    name: str
    dtype: str
    samples: Callable  # modules with their arguments

    @property
    def file_name(self):
        return f"{self.name.replace('/', '_')}.{self.dtype}"


def _ends(samples):
    found = list(itertools.islice(samples, MOST_SAMPLES))
    return [found[0], found[-1]] if len(found) > 1 else found


def _tensors(arguments):
    return tuple(leaf for leaf in pytree.tree_leaves(arguments) if isinstance(leaf, torch.Tensor))


def _of_function(op, dtype):
    for sample in _ends(op.sample_inputs("cpu", dtype, requires_grad=dtype in op.supported_backward_dtypes("cpu"))):
        arguments = ((sample.input, *sample.args), sample.kwargs)
        yield Call(op.op, arguments), _tensors(arguments)


def _in_place(op, dtype, first, requires_grad):
    """For one sample: samples differ in other respects."""
    for sample in op.sample_inputs("cpu", dtype, requires_grad=requires_grad):
        if isinstance(sample.input, torch.Tensor) and not sample.broadcasts_input:
            arguments = ((sample.input, *sample.args), sample.kwargs)
            yield Call(op.get_inplace(), arguments, first), _tensors(arguments)
            return


def _into_copy(op, dtype):
    differentiable = op.supports_inplace_autograd and dtype in op.supported_backward_dtypes("cpu")
    return _in_place(op, dtype, torch.clone, differentiable)


def _into_input(op, dtype):
    return _in_place(op, dtype, None, False)


def _of_module(info, dtype):
    for training in (True, False):
        for made in _ends(info.module_inputs_func(info, "cpu", dtype, True, training)):
            module = info.module_cls(*made.constructor_input.args, **made.constructor_input.kwargs).to(dtype)
            arguments = made.forward_input.args, made.forward_input.kwargs
            if info.is_lazy:
                module(*arguments[0], **arguments[1])
            call = Call(lambda inner, *args, **kwargs: inner(*args, **kwargs), ((None, *arguments[0]), arguments[1]))
            yield Owning(module.train(training), call), _tensors(arguments)


class Owning(torch.nn.Module):
    """Calls a module, which is part of it."""

    def __init__(self, module, call):
        super().__init__()
        self.module, call._first = module, lambda _: self.module
        self._call = (call,)  # not registered: it owns nothing

    def forward(self, *tensors):
        return self._call[0](*tensors)


def _full_name(op):
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def units(kinds=KINDS, dtypes=DTYPES):
    """All of them, in a fixed order."""
    op_db, module_db = databases()
    for text in dtypes:
        dtype = getattr(torch, text)
        for op in op_db:
            if dtype not in op.supported_dtypes("cpu"):
                continue
            ways = {"operators": _of_function}
            if op.get_inplace():
                ways |= {"in-place": _into_copy, "mutated inputs": _into_input}
            for kind in (kind for kind in ways if kind in kinds):
                yield Unit(kind, _full_name(op), text, lambda op=op, dtype=dtype, way=ways[kind]: way(op, dtype))
        if "modules" in kinds and not dtype.is_complex:
            for info in module_db:
                yield Unit("modules", info.name, text, lambda info=info, dtype=dtype: _of_module(info, dtype))
