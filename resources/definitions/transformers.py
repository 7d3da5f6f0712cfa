# Products of the rows that belong to each expert with that expert's weights. offs[i] is where the rows of expert i end;
# rows after the last end belong to nobody and stay zero.

def transformers__grouped_mm_fallback(input: Tensor, weight: Tensor, offs: Tensor) -> Tensor:
    result = torch.zeros([input.size(0), weight.size(2)], dtype=input.dtype, device=input.device)
    start = 0
    for i in range(offs.size(0)):
        end = int(offs[i].item())
        if end > start:
            result[start:end] = torch.mm(input[start:end], weight[i])
        start = end
    return result


def transformers__grouped_mm_fallback__fake(input: Tensor, weight: Tensor, offs: Tensor) -> Tensor:
    return input.new_empty([input.size(0), weight.size(2)])


def transformers__grouped_mm_fallback__backward(grad: Tensor, input: Tensor, weight: Tensor,
                                                offs: Tensor) -> Tuple[Tensor, Tensor]:
    return torch.ops.transformers.grouped_mm_fallback_backward(grad, input, weight, offs)


def transformers__grouped_mm_fallback_backward(grad_output: Tensor, input: Tensor, weight: Tensor,
                                               offs: Tensor) -> Tuple[Tensor, Tensor]:
    grad_input = torch.zeros_like(input)
    grad_weight = torch.zeros_like(weight)
    start = 0
    for i in range(offs.size(0)):
        end = int(offs[i].item())
        if end > start:
            rows = grad_output[start:end]
            grad_input[start:end] = torch.mm(rows, weight[i].t())
            grad_weight[i] = torch.mm(input[start:end].t(), rows)
        start = end
    return grad_input, grad_weight


def transformers__grouped_mm_fallback_backward__fake(grad_output: Tensor, input: Tensor, weight: Tensor,
                                                     offs: Tensor) -> Tuple[Tensor, Tensor]:
    return torch.empty_like(input), torch.empty_like(weight)
