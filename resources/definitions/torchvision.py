# Boxes are [x1, y1, x2, y2]. What nms() keeps are the indices of boxes by falling score that overlap no kept box of a
# higher score by more than the threshold (intersection over union). Its size depends on data: it has no __fake.

def torchvision__nms(dets: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    order = torch.argsort(scores, stable=True, dim=0, descending=True)
    boxes = dets.index_select(0, order)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    alive = torch.ones([boxes.size(0)], dtype=torch.bool, device=dets.device)
    for i in range(boxes.size(0)):
        if bool(alive[i].item()):
            corner = torch.maximum(boxes[:, :2], boxes[i, :2])
            opposite = torch.minimum(boxes[:, 2:], boxes[i, 2:])
            sides = torch.clamp(opposite - corner, min=0)
            shared = sides[:, 0] * sides[:, 1]
            overlaps = shared / (areas + areas[i] - shared) > iou_threshold
            overlaps[:i + 1] = False
            alive = torch.logical_and(alive, torch.logical_not(overlaps))
    return order.masked_select(alive)


# One axis of the grid of a region: positions of `count` samples in each of `bins` bins, and the two elements around each
# with their weights. Beyond one element outside of the picture, a sample is zero.

def axis_positions(start: Tensor, bin: Tensor, bins: int, count: int) -> Tensor:
    steps = torch.arange(bins * count, dtype=start.dtype, device=start.device)
    inside = torch.floor(steps / count)
    return start + bin * inside + (steps - inside * count + 0.5) * bin / count


def axis_weights(position: Tensor, size: int) -> Tuple[Tensor, Tensor]:
    # A matrix [samples, size] of weights would be large: indices [2, samples] and weights [2, samples] are not.
    valid = torch.logical_and(position >= -1.0, position <= size).to(position.dtype)
    at = torch.clamp(position, min=0.0)
    low = torch.clamp(torch.floor(at), max=size - 1)
    high = torch.clamp(low + 1, max=size - 1)
    above = torch.where(low >= size - 1, torch.zeros_like(at), at - low)
    indices = torch.stack([low, high]).to(torch.long)
    return indices, torch.stack([(1 - above) * valid, above * valid])


def region_geometry(roi: Tensor, scale: float, aligned: bool) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    offset = 0.5 if aligned else 0.0
    x = roi[1] * scale - offset
    y = roi[2] * scale - offset
    width = roi[3] * scale - offset - x
    height = roi[4] * scale - offset - y
    if not aligned:
        width = torch.clamp(width, min=1.0)
        height = torch.clamp(height, min=1.0)
    return x, y, width, height


def samples_per_bin(length: Tensor, bins: int, sampling_ratio: int) -> int:
    if sampling_ratio > 0:
        return sampling_ratio
    return int(torch.ceil(length / bins).item())


def torchvision__roi_align(input: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int,
                           sampling_ratio: int, aligned: bool) -> Tensor:
    result = torch.zeros([rois.size(0), input.size(1), pooled_height, pooled_width], dtype=input.dtype,
                         device=input.device)
    for r in range(rois.size(0)):
        x, y, width, height = region_geometry(rois[r], spatial_scale, aligned)
        rows = samples_per_bin(height, pooled_height, sampling_ratio)
        columns = samples_per_bin(width, pooled_width, sampling_ratio)
        if rows > 0 and columns > 0:
            picture = input[int(rois[r, 0].item())]
            yi, yw = axis_weights(axis_positions(y, height / pooled_height, pooled_height, rows), input.size(2))
            xi, xw = axis_weights(axis_positions(x, width / pooled_width, pooled_width, columns), input.size(3))
            lines = picture.index_select(1, yi[0]) * yw[0].unsqueeze(1) + picture.index_select(1, yi[1]) * yw[1].unsqueeze(1)
            values = lines.index_select(2, xi[0]) * xw[0] + lines.index_select(2, xi[1]) * xw[1]
            bins = values.reshape([input.size(1), pooled_height, rows, pooled_width, columns])
            result[r] = bins.mean([2, 4])
    return result


def torchvision__roi_align__fake(input: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int,
                                 pooled_width: int, sampling_ratio: int, aligned: bool) -> Tensor:
    return input.new_empty([rois.size(0), input.size(1), pooled_height, pooled_width])


def torchvision__roi_align__backward(grad: Tensor, input: Tensor, rois: Tensor, spatial_scale: float,
                                     pooled_height: int, pooled_width: int, sampling_ratio: int,
                                     aligned: bool) -> Tensor:
    return torch.ops.torchvision._roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width,
                                                     input.size(0), input.size(1), input.size(2), input.size(3),
                                                     sampling_ratio, aligned)


def torchvision___roi_align_backward(grad: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int,
                                     pooled_width: int, batch_size: int, channels: int, height: int, width: int,
                                     sampling_ratio: int, aligned: bool) -> Tensor:
    result = torch.zeros([batch_size, channels, height, width], dtype=grad.dtype, device=grad.device)
    for r in range(rois.size(0)):
        x, y, w, h = region_geometry(rois[r], spatial_scale, aligned)
        rows = samples_per_bin(h, pooled_height, sampling_ratio)
        columns = samples_per_bin(w, pooled_width, sampling_ratio)
        if rows > 0 and columns > 0:
            yi, yw = axis_weights(axis_positions(y, h / pooled_height, pooled_height, rows), height)
            xi, xw = axis_weights(axis_positions(x, w / pooled_width, pooled_width, columns), width)
            spread = grad[r].repeat_interleave(rows, 1).repeat_interleave(columns, 2) / (rows * columns)
            lines = torch.zeros([channels, spread.size(1), width], dtype=grad.dtype, device=grad.device)
            lines = lines.index_add(2, xi[0], spread * xw[0]).index_add(2, xi[1], spread * xw[1])
            picture = result[int(rois[r, 0].item())]
            picture.index_add_(1, yi[0], lines * yw[0].unsqueeze(1))
            picture.index_add_(1, yi[1], lines * yw[1].unsqueeze(1))
    return result


def torchvision___roi_align_backward__fake(grad: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int,
                                           pooled_width: int, batch_size: int, channels: int, height: int, width: int,
                                           sampling_ratio: int, aligned: bool) -> Tensor:
    return grad.new_empty([batch_size, channels, height, width])
