# Operators of PT2E quantization on plain tensors of integers. A float x is the integer round(x / scale) + zero_point,
# within quant_min and quant_max. Scales and zero points are for the whole tensor, for each index of an axis, for each
# row (token), or for each group of a row.

def as_float(input: Tensor) -> Tensor:
    if input.dtype == torch.float16 or input.dtype == torch.bfloat16:
        return input.to(torch.float32)
    assert input.dtype == torch.float32, "quantization takes float32, float16 or bfloat16"
    return input


def along_axis(parameter: Tensor, like: Tensor, axis: int) -> Tensor:
    shape = [1] * like.dim()
    shape[axis] = parameter.size(0)
    return parameter.view(shape)


def float_or(dtype: Optional[int]) -> int:
    return torch.float32 if dtype is None else dtype


def quantized_decomposed__quantize_per_tensor(input: Tensor, scale: float, zero_point: int, quant_min: int,
                                              quant_max: int, dtype: int) -> Tensor:
    steps = torch.round(as_float(input) * (1.0 / scale)) + zero_point
    return torch.clamp(steps, quant_min, quant_max).to(dtype)


def quantized_decomposed__quantize_per_tensor__fake(input: Tensor, scale: float, zero_point: int, quant_min: int,
                                                    quant_max: int, dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=dtype)


def quantized_decomposed__quantize_per_tensor__tensor(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int,
                                                      quant_max: int, dtype: int) -> Tensor:
    return quantized_decomposed__quantize_per_tensor(input, float(scale.item()), int(zero_point.item()), quant_min,
                                                     quant_max, dtype)


def quantized_decomposed__quantize_per_tensor__tensor__fake(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                            quant_min: int, quant_max: int, dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=dtype)


def quantized_decomposed__quantize_per_tensor__tensor2(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                       quant_min: Tensor, quant_max: Tensor, dtype: int) -> Tensor:
    return quantized_decomposed__quantize_per_tensor(input, float(scale.item()), int(zero_point.item()),
                                                     int(quant_min.item()), int(quant_max.item()), dtype)


def quantized_decomposed__quantize_per_tensor__tensor2__fake(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                             quant_min: Tensor, quant_max: Tensor,
                                                             dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=dtype)


def quantized_decomposed__dequantize_per_tensor(input: Tensor, scale: float, zero_point: int, quant_min: int,
                                                quant_max: int, dtype: int, *,
                                                out_dtype: Optional[int] = None) -> Tensor:
    return (input.to(float_or(out_dtype)) - zero_point) * scale


def quantized_decomposed__dequantize_per_tensor__fake(input: Tensor, scale: float, zero_point: int, quant_min: int,
                                                      quant_max: int, dtype: int, *,
                                                      out_dtype: Optional[int] = None) -> Tensor:
    return torch.empty_like(input, dtype=float_or(out_dtype))


def quantized_decomposed__dequantize_per_tensor__tensor(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                        quant_min: int, quant_max: int, dtype: int, *,
                                                        out_dtype: Optional[int] = None) -> Tensor:
    return (input.to(float_or(out_dtype)) - int(zero_point.item())) * float(scale.item())


def quantized_decomposed__dequantize_per_tensor__tensor__fake(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                              quant_min: int, quant_max: int, dtype: int, *,
                                                              out_dtype: Optional[int] = None) -> Tensor:
    return torch.empty_like(input, dtype=float_or(out_dtype))


def quantized_decomposed__dequantize_per_tensor__tensor2(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                         quant_min: Tensor, quant_max: Tensor, dtype: int, *,
                                                         out_dtype: Optional[int] = None) -> Tensor:
    return (input.to(float_or(out_dtype)) - int(zero_point.item())) * float(scale.item())


def quantized_decomposed__dequantize_per_tensor__tensor2__fake(input: Tensor, scale: Tensor, zero_point: Tensor,
                                                               quant_min: Tensor, quant_max: Tensor, dtype: int, *,
                                                               out_dtype: Optional[int] = None) -> Tensor:
    return torch.empty_like(input, dtype=float_or(out_dtype))


# The range always holds zero, which is exact.

def range_with_zero(input: Tensor) -> Tuple[Tensor, Tensor]:
    low = torch.amin(input)
    high = torch.amax(input)
    return torch.minimum(low, torch.zeros_like(low)), torch.maximum(high, torch.zeros_like(high))


def at_least(scale: Tensor, eps: float) -> Tensor:
    return torch.maximum(scale, torch.full([1], eps, dtype=torch.float32, device=scale.device))


def quantized_decomposed__choose_qparams__tensor(input: Tensor, quant_min: int, quant_max: int, eps: float,
                                                 dtype: int) -> Tuple[Tensor, Tensor]:
    low, high = range_with_zero(input)
    scale = at_least((high - low) / float(quant_max - quant_min), eps)
    zero_point = quant_min - torch.round(low / scale).to(torch.int)
    zero_point = torch.clamp(zero_point, quant_min, quant_max)
    return scale.to(torch.double), zero_point.to(torch.int64)


def quantized_decomposed__choose_qparams__tensor__fake(input: Tensor, quant_min: int, quant_max: int, eps: float,
                                                       dtype: int) -> Tuple[Tensor, Tensor]:
    return input.new_empty([1], dtype=torch.double), input.new_empty([1], dtype=torch.int64)


def quantized_decomposed__choose_qparams_symmetric__tensor(input: Tensor, quant_min: int, quant_max: int, eps: float,
                                                           dtype: int) -> Tuple[Tensor, Tensor]:
    low, high = range_with_zero(input)
    scale = at_least(torch.maximum(-low, high) / (float(quant_max - quant_min) / 2), eps)
    middle = 128 if dtype == torch.uint8 else 0
    return scale.to(torch.double), torch.full([1], middle, dtype=torch.int64, device=input.device)


def quantized_decomposed__choose_qparams_symmetric__tensor__fake(input: Tensor, quant_min: int, quant_max: int,
                                                                 eps: float, dtype: int) -> Tuple[Tensor, Tensor]:
    return input.new_empty([1], dtype=torch.double), input.new_empty([1], dtype=torch.int64)


def quantized_decomposed__quantize_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int,
                                               quant_min: int, quant_max: int, dtype: int) -> Tensor:
    values = as_float(input)
    steps = torch.round(values * (1.0 / along_axis(scales, values, axis))) + along_axis(zero_points, values, axis)
    return torch.clamp(steps, quant_min, quant_max).to(dtype)


def quantized_decomposed__quantize_per_channel__fake(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int,
                                                     quant_min: int, quant_max: int, dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=dtype)


def quantized_decomposed__dequantize_per_channel(input: Tensor, scales: Tensor, zero_points: Optional[Tensor],
                                                 axis: int, quant_min: int, quant_max: int, dtype: int, *,
                                                 out_dtype: Optional[int] = None) -> Tensor:
    steps = input
    if zero_points is not None:
        steps = input - along_axis(zero_points, input, axis)
    return (steps * along_axis(scales, input, axis)).to(float_or(out_dtype))


def quantized_decomposed__dequantize_per_channel__fake(input: Tensor, scales: Tensor, zero_points: Optional[Tensor],
                                                       axis: int, quant_min: int, quant_max: int, dtype: int, *,
                                                       out_dtype: Optional[int] = None) -> Tensor:
    return torch.empty_like(input, dtype=float_or(out_dtype))


def quantized_decomposed__choose_qparams_per_token(input: Tensor, dtype: int) -> Tuple[Tensor, Tensor]:
    assert dtype == torch.int8, "choose_qparams_per_token takes int8"
    scales = input.abs().amax(dim=-1, keepdim=True)
    if scales.dtype == torch.float16:
        scales = scales.to(torch.float32)
    scales = scales.clamp(min=1e-5).div(127)
    return scales, torch.zeros_like(scales)


def quantized_decomposed__choose_qparams_per_token__fake(input: Tensor, dtype: int) -> Tuple[Tensor, Tensor]:
    scales = input.amax(dim=-1, keepdim=True)
    if scales.dtype == torch.float16:
        scales = scales.to(torch.float32)
    return scales, torch.empty_like(scales)


def quantized_decomposed___choose_qparams_per_token_asymmetric_impl(input: Tensor,
                                                                    dtype: int) -> Tuple[Tensor, Tensor]:
    low = torch.amin(input, dim=[-1], keepdim=True)
    high = torch.amax(input, dim=[-1], keepdim=True)
    low = torch.minimum(low, torch.zeros_like(low))
    high = torch.maximum(high, torch.zeros_like(high))
    scale = ((high - low) / 255.0).clamp(min=1.1920928955078125e-07)
    low_steps = low / scale
    high_steps = high / scale
    from_low = -128 - low_steps
    from_high = 127 - high_steps
    zero_point = torch.where((-128 + low_steps) + (127 + high_steps) > 0, from_low, from_high)
    zero_point = torch.clamp(zero_point, -128, 127).round()
    return scale.to(torch.float64), zero_point.to(torch.int64)


def quantized_decomposed___choose_qparams_per_token_asymmetric_impl__fake(input: Tensor,
                                                                          dtype: int) -> Tuple[Tensor, Tensor]:
    like = input.amax(dim=-1, keepdim=True)
    return torch.empty_like(like, dtype=torch.float64), torch.empty_like(like, dtype=torch.int64)


def quantized_decomposed__choose_qparams_per_token_asymmetric(input: Tensor, dtype: int) -> Tuple[Tensor, Tensor]:
    return quantized_decomposed___choose_qparams_per_token_asymmetric_impl(input, dtype)


def quantized_decomposed__choose_qparams_per_token_asymmetric__fake(input: Tensor,
                                                                    dtype: int) -> Tuple[Tensor, Tensor]:
    return quantized_decomposed___choose_qparams_per_token_asymmetric_impl__fake(input, dtype)


def quantized_decomposed__quantize_per_token(input: Tensor, scales: Tensor, zero_points: Tensor, quant_min: int,
                                             quant_max: int, dtype: int) -> Tensor:
    return input.mul(1.0 / scales).add(zero_points).round().clamp(quant_min, quant_max).to(dtype)


def quantized_decomposed__quantize_per_token__fake(input: Tensor, scales: Tensor, zero_points: Tensor, quant_min: int,
                                                   quant_max: int, dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=dtype)


def quantized_decomposed__dequantize_per_token(input: Tensor, scales: Tensor, zero_points: Tensor, quant_min: int,
                                               quant_max: int, dtype: int, output_dtype: int) -> Tensor:
    return ((input - zero_points) * scales).to(output_dtype)


def quantized_decomposed__dequantize_per_token__fake(input: Tensor, scales: Tensor, zero_points: Tensor,
                                                     quant_min: int, quant_max: int, dtype: int,
                                                     output_dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=output_dtype)


# Groups are consecutive elements of a row.

def size_of_group(input: Tensor, scales: Tensor, group_size: int) -> int:
    assert input.dim() == 2, "quantization by groups takes matrices"
    size = input.size(1) if group_size > input.size(1) and scales.size(-1) == 1 else group_size
    assert size > 1 and input.size(1) % size == 0, "the rows are no multiples of the group"
    return size


def quantized_decomposed__quantize_per_channel_group(input: Tensor, scales: Tensor, zero_points: Tensor,
                                                     quant_min: int, quant_max: int, dtype: int,
                                                     group_size: int) -> Tensor:
    groups = input.reshape([-1, size_of_group(input, scales, group_size)])
    steps = groups.mul(1.0 / scales.reshape([-1, 1])).add(zero_points.reshape([-1, 1])).round()
    return steps.clamp(quant_min, quant_max).to(dtype).reshape_as(input)


def quantized_decomposed__quantize_per_channel_group__fake(input: Tensor, scales: Tensor, zero_points: Tensor,
                                                           quant_min: int, quant_max: int, dtype: int,
                                                           group_size: int) -> Tensor:
    return input.new_empty(input.size(), dtype=dtype)


def quantized_decomposed__dequantize_per_channel_group(input: Tensor, scales: Tensor, zero_points: Optional[Tensor],
                                                       quant_min: int, quant_max: int, dtype: int, group_size: int,
                                                       output_dtype: int) -> Tensor:
    groups = input.reshape([-1, size_of_group(input, scales, group_size)])
    zeros = torch.zeros([], dtype=torch.int32, device=scales.device)
    if zero_points is not None:
        zeros = zero_points.reshape([-1, 1])
    return groups.sub(zeros).mul(scales.reshape([-1, 1])).reshape_as(input).to(output_dtype)


def quantized_decomposed__dequantize_per_channel_group__fake(input: Tensor, scales: Tensor,
                                                             zero_points: Optional[Tensor], quant_min: int,
                                                             quant_max: int, dtype: int, group_size: int,
                                                             output_dtype: int) -> Tensor:
    return input.new_empty(input.size(), dtype=output_dtype)


def steps_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int) -> Tensor:
    scale = along_axis(scales.to(torch.float32), input, axis)
    return torch.round(input * (1.0 / scale)) + along_axis(zero_points.to(torch.int32), input, axis)


def quantized_decomposed__fake_quant_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int,
                                                 quant_min: int, quant_max: int) -> Tensor:
    assert input.dtype == torch.float32, "fake_quant_per_channel takes float32"
    steps = torch.clamp(steps_per_channel(input, scales, zero_points, axis), quant_min, quant_max)
    steps = steps - along_axis(zero_points.to(torch.int32), input, axis)
    return steps * along_axis(scales.to(torch.float32), input, axis)


def quantized_decomposed__fake_quant_per_channel__fake(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int,
                                                       quant_min: int, quant_max: int) -> Tensor:
    return torch.empty_like(input)


# What is rounded passes its gradient, what is clamped does not.

def quantized_decomposed__fake_quant_per_channel__backward(grad: Tensor, input: Tensor, scales: Tensor,
                                                           zero_points: Tensor, axis: int, quant_min: int,
                                                           quant_max: int) -> Tensor:
    steps = steps_per_channel(input, scales, zero_points, axis)
    return grad * torch.logical_and(steps >= quant_min, steps <= quant_max)


def quantized_decomposed__convert_element_type__no_fuse(input: Tensor, dtype: int) -> Tensor:
    return input.to(dtype, copy=True)


def quantized_decomposed__convert_element_type__no_fuse__fake(input: Tensor, dtype: int) -> Tensor:
    return torch.empty_like(input, dtype=dtype)


# Sums of two quantized tensors of unsigned bytes, as ExecuTorch makes them.

def quantized_decomposed__add(a: Tensor, a_scale: float, a_zero_point: int, a_quant_min: int, a_quant_max: int,
                              b: Tensor, b_scale: float, b_zero_point: int, b_quant_min: int, b_quant_max: int,
                              out_scale: float, out_zero_point: int, out_quant_min: int,
                              out_quant_max: int) -> Tensor:
    sum = (a.to(torch.float32) - a_zero_point) * a_scale + (b.to(torch.float32) - b_zero_point) * b_scale
    return quantized_decomposed__quantize_per_tensor(sum, out_scale, out_zero_point, out_quant_min, out_quant_max,
                                                     torch.uint8)


def quantized_decomposed__add_relu(a: Tensor, a_scale: float, a_zero_point: int, a_quant_min: int, a_quant_max: int,
                                   b: Tensor, b_scale: float, b_zero_point: int, b_quant_min: int, b_quant_max: int,
                                   out_scale: float, out_zero_point: int, out_quant_min: int,
                                   out_quant_max: int) -> Tensor:
    sum = (a.to(torch.float32) - a_zero_point) * a_scale + (b.to(torch.float32) - b_zero_point) * b_scale
    return quantized_decomposed__quantize_per_tensor(torch.relu(sum), out_scale, out_zero_point, out_quant_min,
                                                     out_quant_max, torch.uint8)


# Rows of a quantized table, whose scales are for rows, or for groups of a row. Several small numbers share a byte.

def rows_of_table(weight: Tensor, weight_scales: Tensor, weight_zero_points: Optional[Tensor], quant_min: int,
                  quant_max: int, indices: Tensor, dtype: Optional[int]) -> Tensor:
    groups = weight_scales.size(1) if weight_scales.dim() == 2 else 1
    table = quantized_decomposed__dequantize_per_channel_group(
        weight, weight_scales, weight_zero_points, quant_min, quant_max, weight.dtype, weight.size(1) // groups,
        weight_scales.dtype if dtype is None else dtype)
    return torch.embedding(table, indices)


def rows_like(weight: Tensor, weight_scales: Tensor, indices: Tensor, per_byte: int, dtype: Optional[int]) -> Tensor:
    return weight_scales.new_empty(indices.size() + [weight.size(1) * per_byte],
                                   dtype=weight_scales.dtype if dtype is None else dtype)


def unpacked_4bit(weight: Tensor) -> Tensor:
    parts = torch.stack([weight.div(16, rounding_mode="trunc"), weight.remainder(16)], dim=-1)
    return parts.view([weight.size(0), -1]).to(torch.int8).add(-8)


def unpacked_2bit(weight: Tensor) -> Tensor:
    parts = torch.stack([torch.bitwise_and(weight, 3),
                         torch.bitwise_right_shift(torch.bitwise_and(weight, 12), 2),
                         torch.bitwise_right_shift(torch.bitwise_and(weight, 48), 4),
                         torch.bitwise_right_shift(torch.bitwise_and(weight, 192), 6)], dim=-1)
    return parts.view([weight.size(0), -1]).to(torch.int8).add(-2)


def quantized_decomposed__embedding_byte(weight: Tensor, weight_scales: Tensor,
                                         weight_zero_points: Optional[Tensor],
                                         weight_quant_min: int, weight_quant_max: int,
                                         indices: Tensor) -> Tensor:
    return rows_of_table(weight, weight_scales, weight_zero_points, weight_quant_min,
                         weight_quant_max, indices, None)


def quantized_decomposed__embedding_byte__fake(weight: Tensor, weight_scales: Tensor,
                                               weight_zero_points: Optional[Tensor],
                                               weight_quant_min: int, weight_quant_max: int,
                                               indices: Tensor) -> Tensor:
    return rows_like(weight, weight_scales, indices, 1, None)


def quantized_decomposed__embedding_byte__dtype(weight: Tensor, weight_scales: Tensor,
                                                weight_zero_points: Optional[Tensor],
                                                weight_quant_min: int, weight_quant_max: int,
                                                indices: Tensor, *,
                                                dtype: Optional[int] = None) -> Tensor:
    return rows_of_table(weight, weight_scales, weight_zero_points, weight_quant_min,
                         weight_quant_max, indices, dtype)


def quantized_decomposed__embedding_byte__dtype__fake(weight: Tensor, weight_scales: Tensor,
                                                      weight_zero_points: Optional[Tensor],
                                                      weight_quant_min: int, weight_quant_max: int,
                                                      indices: Tensor, *,
                                                      dtype: Optional[int] = None) -> Tensor:
    return rows_like(weight, weight_scales, indices, 1, dtype)


def quantized_decomposed__embedding_4bit(weight: Tensor, weight_scales: Tensor,
                                         weight_zero_points: Optional[Tensor],
                                         weight_quant_min: int, weight_quant_max: int,
                                         indices: Tensor) -> Tensor:
    return rows_of_table(unpacked_4bit(weight), weight_scales, weight_zero_points, weight_quant_min,
                         weight_quant_max, indices, None)


def quantized_decomposed__embedding_4bit__fake(weight: Tensor, weight_scales: Tensor,
                                               weight_zero_points: Optional[Tensor],
                                               weight_quant_min: int, weight_quant_max: int,
                                               indices: Tensor) -> Tensor:
    return rows_like(weight, weight_scales, indices, 2, None)


def quantized_decomposed__embedding_4bit__dtype(weight: Tensor, weight_scales: Tensor,
                                                weight_zero_points: Optional[Tensor],
                                                weight_quant_min: int, weight_quant_max: int,
                                                indices: Tensor, *,
                                                dtype: Optional[int] = None) -> Tensor:
    return rows_of_table(unpacked_4bit(weight), weight_scales, weight_zero_points, weight_quant_min,
                         weight_quant_max, indices, dtype)


def quantized_decomposed__embedding_4bit__dtype__fake(weight: Tensor, weight_scales: Tensor,
                                                      weight_zero_points: Optional[Tensor],
                                                      weight_quant_min: int, weight_quant_max: int,
                                                      indices: Tensor, *,
                                                      dtype: Optional[int] = None) -> Tensor:
    return rows_like(weight, weight_scales, indices, 2, dtype)


def quantized_decomposed__embedding_2bit(weight: Tensor, weight_scales: Tensor,
                                         weight_zero_points: Optional[Tensor],
                                         weight_quant_min: int, weight_quant_max: int,
                                         indices: Tensor) -> Tensor:
    return rows_of_table(unpacked_2bit(weight), weight_scales, weight_zero_points, weight_quant_min,
                         weight_quant_max, indices, None)


def quantized_decomposed__embedding_2bit__fake(weight: Tensor, weight_scales: Tensor,
                                               weight_zero_points: Optional[Tensor],
                                               weight_quant_min: int, weight_quant_max: int,
                                               indices: Tensor) -> Tensor:
    return rows_like(weight, weight_scales, indices, 4, None)


def quantized_decomposed__embedding_2bit__dtype(weight: Tensor, weight_scales: Tensor,
                                                weight_zero_points: Optional[Tensor],
                                                weight_quant_min: int, weight_quant_max: int,
                                                indices: Tensor, *,
                                                dtype: Optional[int] = None) -> Tensor:
    return rows_of_table(unpacked_2bit(weight), weight_scales, weight_zero_points, weight_quant_min,
                         weight_quant_max, indices, dtype)


def quantized_decomposed__embedding_2bit__dtype__fake(weight: Tensor, weight_scales: Tensor,
                                                      weight_zero_points: Optional[Tensor],
                                                      weight_quant_min: int, weight_quant_max: int,
                                                      indices: Tensor, *,
                                                      dtype: Optional[int] = None) -> Tensor:
    return rows_like(weight, weight_scales, indices, 4, dtype)


# Products with a quantized matrix, as ExecuTorch computes them: the scales are for its rows, or for groups of a row.

def as_weight(weight: Tensor, scales: Tensor, zero_points: Optional[Tensor], dtype: int) -> Tensor:
    values = weight.to(dtype)
    groups = scales.size(1) if scales.dim() == 2 else 1
    size = (weight.size(1) + groups - 1) // groups
    if zero_points is not None:
        values = values - zero_points.reshape([-1, groups]).repeat_interleave(size, 1).narrow(1, 0, weight.size(1))
    return values * scales.reshape([-1, groups]).repeat_interleave(size, 1).narrow(1, 0, weight.size(1))


def quantized_decomposed__mixed_mm(input: Tensor, weight: Tensor, weight_scales: Tensor,
                                   weight_zero_points: Optional[Tensor]) -> Tensor:
    return torch.mm(input, as_weight(weight, weight_scales, weight_zero_points, input.dtype))


def quantized_decomposed__mixed_mm__fake(input: Tensor, weight: Tensor, weight_scales: Tensor,
                                         weight_zero_points: Optional[Tensor]) -> Tensor:
    return input.new_empty([input.size(0), weight.size(1)])


def quantized_decomposed__mixed_linear(input: Tensor, weight: Tensor, weight_scales: Tensor,
                                       weight_zero_points: Optional[Tensor], dtype: Optional[int] = None) -> Tensor:
    product = torch.mm(input, as_weight(weight, weight_scales, weight_zero_points, input.dtype).t())
    return product if dtype is None else product.to(dtype)


def quantized_decomposed__mixed_linear__fake(input: Tensor, weight: Tensor, weight_scales: Tensor,
                                             weight_zero_points: Optional[Tensor],
                                             dtype: Optional[int] = None) -> Tensor:
    return input.new_empty([input.size(0), weight.size(0)], dtype=input.dtype if dtype is None else dtype)
