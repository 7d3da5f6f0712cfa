# Quantization by blocks: elements of a block share a scale and a zero point. Zero points are integers, or floats that
# belong to the middle of the range.

def sizes_of_blocks(block_size: List[int], size: List[int], merged: bool) -> List[int]:
    sizes: List[int] = []
    for i in range(len(size)):
        if block_size[i] != size[i] and block_size[i] > 1:
            assert size[i] % block_size[i] == 0, "a dimension is no multiple of its block"
            sizes.append(size[i] // block_size[i])
            sizes.append(1 if merged else block_size[i])
        else:
            sizes.append(1 if merged and block_size[i] != 1 else size[i])
    return sizes


def bounds_of(dtype: int, quant_min: Optional[number], quant_max: Optional[number]) -> Tuple[float, float]:
    low = 0 if dtype == torch.uint8 else -128
    high = 255 if dtype == torch.uint8 else 127
    if dtype == torch.int16:
        low = -32768
        high = 32767
    if dtype == torch.int32:
        low = -2147483648
        high = 2147483647
    return float(low if quant_min is None else quant_min), float(high if quant_max is None else quant_max)


def torchao__quantize_affine(input: Tensor, block_size: List[int], scale: Tensor, zero_point: Optional[Tensor],
                             output_dtype: int, quant_min: Optional[number] = None,
                             quant_max: Optional[number] = None, zero_point_domain: str = "INT") -> Tensor:
    low, high = bounds_of(output_dtype, quant_min, quant_max)
    blocks = input.view(sizes_of_blocks(block_size, input.size(), False))
    shared = sizes_of_blocks(block_size, input.size(), True)
    scales = scale.view(shared)
    if zero_point_domain == "FLOAT":
        assert zero_point is not None, "zero points that are floats are missing"
        least = zero_point.view(shared) - scales * ((high + low + 1) / 2)
        steps = torch.round((blocks - least) / scales)
    else:
        steps = torch.round(blocks * (1.0 / scales))
        if zero_point is not None:
            steps = steps + zero_point.view(shared)
    return torch.clamp(steps, low, high).to(output_dtype).view(input.size())


def torchao__quantize_affine__fake(input: Tensor, block_size: List[int], scale: Tensor, zero_point: Optional[Tensor],
                                   output_dtype: int, quant_min: Optional[number] = None,
                                   quant_max: Optional[number] = None, zero_point_domain: str = "INT") -> Tensor:
    return torch.empty_like(input, dtype=output_dtype)


def torchao__dequantize_affine(input: Tensor, block_size: List[int], scale: Tensor, zero_point: Optional[Tensor],
                               input_dtype: int, quant_min: Optional[number] = None,
                               quant_max: Optional[number] = None, zero_point_domain: str = "INT", *,
                               output_dtype: int = 6) -> Tensor:
    low, high = bounds_of(input_dtype, quant_min, quant_max)
    blocks = input.view(sizes_of_blocks(block_size, input.size(), False))
    shared = sizes_of_blocks(block_size, input.size(), True)
    if zero_point_domain == "FLOAT":
        values = ((blocks - (high + low + 1) / 2).to(output_dtype) * scale.view(shared)).to(output_dtype)
        if zero_point is not None:
            values = values + zero_point.view(shared)
    else:
        steps = blocks.to(torch.int32)
        if zero_point is not None:
            steps = steps - zero_point.view(shared).to(torch.int32)
        values = steps.to(output_dtype) * scale.view(shared)
    return values.to(output_dtype).view(input.size())


def torchao__dequantize_affine__fake(input: Tensor, block_size: List[int], scale: Tensor, zero_point: Optional[Tensor],
                                     input_dtype: int, quant_min: Optional[number] = None,
                                     quant_max: Optional[number] = None, zero_point_domain: str = "INT", *,
                                     output_dtype: int = 6) -> Tensor:
    return torch.empty_like(input, dtype=output_dtype)


# A dynamic scale and zero point of each block, from its least and its greatest value. The range always holds zero.

def smallest_normal(dtype: int) -> float:
    if dtype == torch.float16:
        return 6.103515625e-05
    return 2.2250738585072014e-308 if dtype == torch.float64 else 1.1754943508222875e-38


def dimensions_of_blocks(block_size: List[int], size: List[int]) -> List[int]:
    dimensions: List[int] = []
    at = 0
    for i in range(len(size)):
        if block_size[i] != size[i] and block_size[i] > 1:
            dimensions.append(at + 1)
            at += 1
        elif block_size[i] != 1:
            dimensions.append(at)
        at += 1
    return dimensions


def greatest_of_blocks(input: Tensor, block_size: List[int], keepdim: bool) -> Tensor:
    blocks = input.view(sizes_of_blocks(block_size, input.size(), False))
    return torch.amax(blocks, dimensions_of_blocks(block_size, input.size()), keepdim)


def count_of_blocks(block_size: List[int], size: List[int]) -> List[int]:
    counts: List[int] = []
    for i in range(len(size)):
        counts.append(size[i] // block_size[i])
    return counts


def torchao__choose_qparams_affine(input: Tensor, mapping_type: str, block_size: List[int], target_dtype: int,
                                   quant_min: Optional[number] = None, quant_max: Optional[number] = None,
                                   eps: Optional[float] = None, scale_dtype: Optional[int] = None,
                                   zero_point_dtype: Optional[int] = None,
                                   keepdim: bool = False) -> Tuple[Tensor, Tensor]:
    low, high = bounds_of(target_dtype, quant_min, quant_max)
    greatest = torch.clamp(greatest_of_blocks(input, block_size, keepdim), min=0)
    least = -torch.clamp(greatest_of_blocks(-input, block_size, keepdim), min=0)
    smallest = smallest_normal(input.dtype) if eps is None else eps
    dtype = zero_point_dtype
    if mapping_type == "ASYMMETRIC":
        scale = torch.clamp((greatest - least) / (high - low), min=smallest)
        zero_point = torch.clamp(low - torch.round(least / scale), low, high)
        if dtype is None:
            dtype = torch.int32
    else:
        if mapping_type == "SYMMETRIC":
            scale = torch.maximum(-least, greatest) / ((high - low) / 2)
        else:
            assert mapping_type == "SYMMETRIC_NO_CLIPPING_ERR", "the mapping is neither symmetric nor asymmetric"
            scale = torch.maximum(least / low, greatest / high)
        zero_point = torch.full_like(scale, int((high + low + 1) / 2))
        scale = torch.clamp(scale, min=smallest)
    if keepdim:
        counts = count_of_blocks(block_size, input.size())
        scale = scale.reshape(counts)
        zero_point = zero_point.reshape(counts)
    if dtype is not None:
        zero_point = zero_point.to(dtype)
    return scale.to(input.dtype if scale_dtype is None else scale_dtype), zero_point


def torchao__choose_qparams_affine__fake(input: Tensor, mapping_type: str, block_size: List[int], target_dtype: int,
                                         quant_min: Optional[number] = None, quant_max: Optional[number] = None,
                                         eps: Optional[float] = None, scale_dtype: Optional[int] = None,
                                         zero_point_dtype: Optional[int] = None,
                                         keepdim: bool = False) -> Tuple[Tensor, Tensor]:
    like = greatest_of_blocks(input, block_size, keepdim)
    if keepdim:
        like = like.reshape(count_of_blocks(block_size, input.size()))
    of_zero = input.dtype if mapping_type != "ASYMMETRIC" else torch.int32
    return (torch.empty_like(like, dtype=input.dtype if scale_dtype is None else scale_dtype),
            torch.empty_like(like, dtype=of_zero if zero_point_dtype is None else zero_point_dtype))


# Scales of numbers of 8 bits, which are floats.

def greatest_float8(dtype: int) -> float:
    if dtype == torch.float8_e4m3fn:
        return 448.0
    return 240.0 if dtype == torch.float8_e4m3fnuz else 57344.0


def torchao__choose_scale_float8(tensor: Tensor, block_size: List[int], float8_dtype: int = 24, scale_dtype: int = 6,
                                 hp_value_lb: Optional[float] = None,
                                 hp_value_ub: Optional[float] = None) -> Tensor:
    greatest = greatest_of_blocks(tensor.abs(), block_size, True)
    if hp_value_lb is not None or hp_value_ub is not None:
        greatest = torch.clamp(greatest, hp_value_lb, hp_value_ub)
    scale = (greatest / greatest_float8(float8_dtype)).reshape(count_of_blocks(block_size, tensor.size()))
    if scale_dtype != torch.float32:
        scale = torch.exp2(torch.round(torch.log2(scale)))
    return scale.to(torch.float32)


def torchao__choose_scale_float8__fake(tensor: Tensor, block_size: List[int], float8_dtype: int = 24,
                                       scale_dtype: int = 6, hp_value_lb: Optional[float] = None,
                                       hp_value_ub: Optional[float] = None) -> Tensor:
    return tensor.new_empty(count_of_blocks(block_size, tensor.size()), dtype=torch.float32)


def scale_for_all(scale: Tensor, size: List[int]) -> Tensor:
    if scale.numel() == 1 or scale.dim() != len(size):
        return scale
    for i in range(len(size)):
        if scale.size(i) != 1 and scale.size(i) != size[i]:
            assert size[i] % scale.size(i) == 0, "a dimension is no multiple of its scales"
            scale = scale.repeat_interleave(size[i] // scale.size(i), i)
    return scale


def torchao__quantize_affine_float8_non_decomposed(tensor: Tensor, scale: Tensor, float8_dtype: int = 24) -> Tensor:
    greatest = greatest_float8(float8_dtype)
    steps = tensor.to(torch.float32) / scale_for_all(scale, tensor.size())
    return steps.clamp(-greatest, greatest).to(float8_dtype)


def torchao__quantize_affine_float8_non_decomposed__fake(tensor: Tensor, scale: Tensor,
                                                         float8_dtype: int = 24) -> Tensor:
    return torch.empty_like(tensor, dtype=float8_dtype)


def torchao__dequantize_affine_float8_non_decomposed(tensor: Tensor, scale: Tensor, output_dtype: int = 6) -> Tensor:
    return (tensor.to(torch.float32) * scale_for_all(scale, tensor.size())).to(output_dtype)


def torchao__dequantize_affine_float8_non_decomposed__fake(tensor: Tensor, scale: Tensor,
                                                           output_dtype: int = 6) -> Tensor:
    return torch.empty_like(tensor, dtype=output_dtype)
