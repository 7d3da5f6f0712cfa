# Operators of ExecuTorch's edge dialect, which says the order of dimensions in memory instead of a memory format:
# [0, 2, 3, 1] are channels that vary fastest.

def memory_format_of(dim_order: Optional[List[int]]) -> int:
    if dim_order is None:
        return torch.preserve_format
    if dim_order == [0, 2, 3, 1]:
        return torch.channels_last
    contiguous = True
    for i in range(len(dim_order)):
        contiguous = contiguous and dim_order[i] == i
    assert contiguous, "the order of dimensions is neither that of contiguous nor that of channels-last tensors"
    return torch.contiguous_format


def dim_order_ops___to_dim_order_copy(self: Tensor, *, dtype: Optional[int] = None, layout: Optional[int] = None,
                                      device: Optional[Device] = None, pin_memory: Optional[bool] = None,
                                      non_blocking: bool = False,
                                      dim_order: Optional[List[int]] = None) -> Tensor:
    return torch.ops.aten._to_copy(self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory,
                                   non_blocking=non_blocking, memory_format=memory_format_of(dim_order))


def dim_order_ops___to_dim_order_copy__backward(grad: Tensor, self: Tensor) -> Tensor:
    return torch.ops.aten._to_copy(grad, dtype=self.dtype, device=self.device)


def dim_order_ops___clone_dim_order(self: Tensor, *, non_blocking: bool = False,
                                    dim_order: Optional[List[int]] = None) -> Tensor:
    return torch.clone(self, memory_format=memory_format_of(dim_order))


def dim_order_ops___clone_dim_order__backward(grad: Tensor) -> Tensor:
    return grad


def dim_order_ops___empty_dim_order(size: List[int], *, dtype: Optional[int] = None, layout: Optional[int] = None,
                                    device: Optional[Device] = None, pin_memory: Optional[bool] = None,
                                    dim_order: Optional[List[int]] = None) -> Tensor:
    return torch.empty(size, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory,
                       memory_format=memory_format_of(dim_order))
