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
