#include "support/outcomes.h"
#include "support/rule_arguments.h"

#include <ATen/ops/empty_like.h>

namespace aotscope::test {

namespace {

template <int rank>
Values adaptivePool(Random& r) {
    Sizes input = r.sizes(static_cast<std::size_t>(rank) + (r.coin() ? 2 : 1), 2, 6);
    return {r.tensor(input, r.oneOf({at::kFloat, at::kDouble})), r.sizes(rank, 1, 4)};
}

template <int rank>
Values adaptivePoolBackward(Random& r) {
    Values forward = adaptivePool<rank>(r);
    const char* name = rank == 2 ? "aten::_adaptive_avg_pool2d" : "aten::_adaptive_avg_pool3d";
    const at::Tensor output = call(name, forward).at(0).toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()), forward[0]};
}

template <int rank>
Sizes spatialSizes(Random& r, int64_t low, int64_t high) {
    return r.sizes(static_cast<std::size_t>(rank) + (r.coin() ? 2 : 1), low, high);
}

Values maxPool3d(Random& r) {
    return {r.tensor(spatialSizes<3>(r, 3, 6), r.floating()),
            r.sizes(3, 2, 3),
            r.coin() ? Sizes{} : r.sizes(3, 1, 2),
            r.sizes(3, 0, 1),
            Sizes(3, 1),
            r.coin()};
}
Values maxPool3dBackward(Random& r) {
    const Values a = maxPool3d(r), forward = call("aten::max_pool3d_with_indices", a);
    const at::Tensor output = forward[0].toTensor();
    return {at::empty_like(output).fill_(1), a[0], a[1], a[2], a[3], a[4], a[5], forward[1]};
}
Values fractionalMaxPool3dBackward(Random& r) {
    const Sizes sizes = spatialSizes<3>(r, 3, 5);
    Sizes output = sizes;
    for (std::size_t i = 0; i < 3; ++i) output[output.size() - 1 - i] = 2;
    return {r.plain(output, at::kFloat), r.tensor(sizes, at::kFloat), Sizes(3, 2), Sizes(3, 2),
            r.plain(output, at::kLong)};
}
template <int rank>
Values maxUnpool(Random& r) {
    const Sizes sizes = spatialSizes<rank>(r, 1, 3);
    Sizes output;
    for (std::size_t i = sizes.size() - rank; i < sizes.size(); ++i) output.push_back(2 * sizes[i]);
    Values arguments = {r.tensor(sizes, r.oneOf({at::kFloat, at::kDouble})), r.plain(sizes, at::kLong), output};
    if (rank == 3) arguments.insert(arguments.end(), {Sizes(3, 2), Sizes(3, 0)});
    return arguments;
}
template <int rank>
Values pad(Random& r) {
    return {r.tensor(spatialSizes<rank>(r, 3, 5), r.oneOf({at::kFloat, at::kDouble})),
            r.sizes(2 * std::size_t{rank}, 0, 2)};
}
template <int rank>
Values padBackward(Random& r) {
    const Values a = pad<rank>(r);
    const Values forward = call(rank == 2 ? "aten::reflection_pad2d" : "aten::reflection_pad3d", a);
    const at::Tensor output = forward[0].toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()), a[0], a[1]};
}
template <int rank>
Values gridSampler(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    Sizes input = r.sizes(rank + 2, 1, 4), grid = r.sizes(rank + 2, 1, 4);
    grid.front() = input.front();
    grid.back() = rank;
    return {r.tensor(input, type), r.tensor(grid, type), r.number(0, 1), r.number(0, 2), r.coin()};
}
template <int rank>
Values gridSamplerBackward(Random& r) {
    Values a = gridSampler<rank>(r);
    const at::Tensor output = call(rank == 2 ? "aten::grid_sampler_2d" : "aten::grid_sampler_3d", a)[0].toTensor();
    a.insert(a.begin(), r.tensor(output.sizes().vec(), output.scalar_type()));
    a.emplace_back(c10::List<bool>({r.coin(), true}));
    return a;
}
/// The kernel that is used where indices do not fit into 32 bits has no mask.
Values gridSamplerFallbackBackward(Random& r) {
    Values a = gridSamplerBackward<2>(r);
    a.pop_back();
    return a;
}
Values affineGrid(Random& r) {
    const int64_t batch = r.number(1, 3), rank = r.number(2, 3);
    Sizes sizes = {batch, r.number(1, 3)};
    for (int64_t i = 0; i < rank; ++i) sizes.push_back(r.number(1, 4));
    return {r.plain({batch, rank, rank + 1}, r.oneOf({at::kFloat, at::kDouble})), sizes, r.coin()};
}
template <int rank>
Values averagePool(Random& r) {
    return {r.tensor(spatialSizes<rank>(r, 3, 6), r.floating()),
            r.sizes(rank, 2, 3),
            r.coin() ? Sizes{} : r.sizes(rank, 1, 2),
            r.sizes(rank, 0, 1),
            r.coin(),
            r.coin(),
            c10::IValue()};
}
template <int rank>
Values averagePoolBackward(Random& r) {
    Values a = averagePool<rank>(r);
    const at::Tensor output = call(rank == 2 ? "aten::avg_pool2d" : "aten::avg_pool3d", a)[0].toTensor();
    a.insert(a.begin(), r.tensor(output.sizes().vec(), output.scalar_type()));
    return a;
}
/// input, kernel_size, output_size, random_samples
template <int rank>
Values fractionalMaxPool(Random& r) {
    const Sizes sizes = spatialSizes<rank>(r, 4, 6);
    const bool batch = sizes.size() == static_cast<std::size_t>(rank) + 2;
    return {r.tensor(sizes, at::kFloat), Sizes(rank, 2), Sizes(rank, 2),
            r.plain({batch ? sizes[0] : 1, batch ? sizes[1] : sizes[0], rank}, at::kFloat)};
}
Values maxPool2d(Random& r) {
    return {r.tensor(spatialSizes<2>(r, 3, 6), r.floating()),
            r.sizes(2, 2, 3),
            r.coin() ? Sizes{} : r.sizes(2, 1, 2),
            r.sizes(2, 0, 1),
            Sizes(2, 1),
            r.coin()};
}
Values maxPool2dBackward(Random& r) {
    const Values a = maxPool2d(r), forward = call("aten::max_pool2d_with_indices", a);
    const at::Tensor output = forward[0].toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()), a[0], a[1], a[2], a[3], a[4], a[5], forward[1]};
}
Values adaptiveMaxPoolBackward(Random& r) {
    const Values a = adaptivePool<2>(r), forward = call("aten::adaptive_max_pool2d", a);
    const at::Tensor output = forward[0].toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()), a[0], forward[1]};
}

/// An input, twice or three times as large an output, whether corners align, no scales.
template <int rank, bool aligns>
Values upsample(Random& r) {
    const Sizes sizes = r.sizes(rank + 2, 1, 4);
    Sizes output;
    for (int i = 0; i < rank; ++i) output.push_back(r.number(2, 3) * sizes[static_cast<std::size_t>(i) + 2]);
    Values arguments = {r.tensor(sizes, r.floating()), output};
    if (aligns) arguments.emplace_back(r.coin());
    for (int i = 0; i < rank; ++i) arguments.emplace_back();
    return arguments;
}
template <int rank, bool aligns>
Values upsampleBackward(Random& r) {
    Values a = upsample<rank, aligns>(r);
    const at::Tensor input = a[0].toTensor();
    const Sizes output = a[1].toIntVector();
    Sizes sizes = {input.size(0), input.size(1)};
    sizes.insert(sizes.end(), output.begin(), output.end());
    a[0] = r.tensor(sizes, input.scalar_type());
    a.insert(a.begin() + 2, input.sizes().vec());
    return a;
}
Values im2col(Random& r) {
    return {r.tensor(spatialSizes<2>(r, 3, 5), r.floating()), r.sizes(2, 1, 2), r.sizes(2, 1, 2), r.sizes(2, 0, 1),
            r.sizes(2, 1, 2)};
}
Values col2im(Random& r) {
    const Values a = im2col(r);
    const at::Tensor input = a[0].toTensor(), columns = call("aten::im2col", a)[0].toTensor();
    return {r.tensor(columns.sizes().vec(), columns.scalar_type()),
            Sizes{input.size(-2), input.size(-1)},
            a[1],
            a[2],
            a[3],
            a[4]};
}
Values unfoldBackward(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 2, 5);
    const int64_t dim = r.number(0, static_cast<int64_t>(sizes.size()) - 1), size = r.number(1, 2),
                  step = r.number(1, 2);
    const at::Tensor windows = r.plain(sizes, r.floating()).unfold(dim, size, step);
    return {r.tensor(windows.sizes().vec(), windows.scalar_type()), sizes, dim, size, step};
}
Values channelShuffle(Random& r) {
    const int64_t groups = r.number(1, 3);
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(3, 5)), 1, 4);
    sizes[1] = groups * r.number(1, 3);
    return {r.tensor(sizes, r.floating()), groups};
}
Values pixelShuffle(Random& r) {
    const int64_t factor = r.number(1, 3);
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(3, 5)), 1, 3);
    sizes[sizes.size() - 3] = factor * factor * r.number(1, 2);
    return {r.tensor(sizes, r.floating()), factor};
}
Values pixelUnshuffle(Random& r) {
    const int64_t factor = r.number(1, 3);
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(3, 5)), 1, 3);
    for (std::size_t i = 1; i <= 2; ++i) sizes[sizes.size() - i] = factor * r.number(1, 2);
    return {r.tensor(sizes, r.floating()), factor};
}

}  // namespace

Generators spatialGenerators() {
    return {
        {"aten::_adaptive_avg_pool2d", {adaptivePool<2>}},
        {"aten::_adaptive_avg_pool3d", {adaptivePool<3>}},
        {"aten::_adaptive_avg_pool2d_backward", {adaptivePoolBackward<2>}},
        {"aten::_adaptive_avg_pool3d_backward", {adaptivePoolBackward<3>}},
        {"aten::max_pool3d_with_indices", {maxPool3d}},
        {"aten::max_pool3d_with_indices_backward", {maxPool3dBackward}},
        {"aten::fractional_max_pool3d_backward", {fractionalMaxPool3dBackward}},
        {"aten::max_unpool2d", {maxUnpool<2>}},
        {"aten::max_unpool3d", {maxUnpool<3>}},
        {"aten::reflection_pad2d", {pad<2>}},
        {"aten::reflection_pad3d", {pad<3>}},
        {"aten::replication_pad2d", {pad<2>}},
        {"aten::replication_pad3d", {pad<3>}},
        {"aten::reflection_pad2d_backward", {padBackward<2>}},
        {"aten::reflection_pad3d_backward", {padBackward<3>}},
        {"aten::replication_pad2d_backward", {padBackward<2>}},
        {"aten::replication_pad3d_backward", {padBackward<3>}},
        {"aten::grid_sampler_2d", {gridSampler<2>}},
        {"aten::grid_sampler_3d", {gridSampler<3>}},
        {"aten::grid_sampler_2d_backward", {gridSamplerBackward<2>}},
        {"aten::grid_sampler_3d_backward", {gridSamplerBackward<3>}},
        {"aten::_grid_sampler_2d_cpu_fallback", {gridSampler<2>}},
        {"aten::_grid_sampler_2d_cpu_fallback_backward", {gridSamplerFallbackBackward}},
        {"aten::affine_grid_generator", {affineGrid}},
        {"aten::avg_pool2d", {averagePool<2>}},
        {"aten::avg_pool3d", {averagePool<3>}},
        {"aten::avg_pool2d_backward", {averagePoolBackward<2>}},
        {"aten::avg_pool3d_backward", {averagePoolBackward<3>}},
        {"aten::fractional_max_pool2d", {fractionalMaxPool<2>}},
        {"aten::fractional_max_pool3d", {fractionalMaxPool<3>}},
        {"aten::max_pool2d_with_indices", {maxPool2d}},
        {"aten::max_pool2d_with_indices_backward", {maxPool2dBackward}},
        {"aten::adaptive_max_pool2d_backward", {adaptiveMaxPoolBackward}},
        {"aten::upsample_nearest1d", {upsample<1, false>}},
        {"aten::upsample_nearest1d_backward", {upsampleBackward<1, false>}},
        {"aten::upsample_nearest2d", {upsample<2, false>}},
        {"aten::upsample_nearest2d_backward", {upsampleBackward<2, false>}},
        {"aten::upsample_nearest3d", {upsample<3, false>}},
        {"aten::upsample_nearest3d_backward", {upsampleBackward<3, false>}},
        {"aten::_upsample_nearest_exact1d", {upsample<1, false>}},
        {"aten::_upsample_nearest_exact1d_backward", {upsampleBackward<1, false>}},
        {"aten::_upsample_nearest_exact2d", {upsample<2, false>}},
        {"aten::_upsample_nearest_exact2d_backward", {upsampleBackward<2, false>}},
        {"aten::_upsample_nearest_exact3d", {upsample<3, false>}},
        {"aten::_upsample_nearest_exact3d_backward", {upsampleBackward<3, false>}},
        {"aten::upsample_linear1d", {upsample<1, true>}},
        {"aten::upsample_linear1d_backward", {upsampleBackward<1, true>}},
        {"aten::upsample_bilinear2d", {upsample<2, true>}},
        {"aten::upsample_bilinear2d_backward", {upsampleBackward<2, true>}},
        {"aten::upsample_bicubic2d", {upsample<2, true>}},
        {"aten::upsample_bicubic2d_backward", {upsampleBackward<2, true>}},
        {"aten::_upsample_bilinear2d_aa", {upsample<2, true>}},
        {"aten::_upsample_bilinear2d_aa_backward", {upsampleBackward<2, true>}},
        {"aten::_upsample_bicubic2d_aa", {upsample<2, true>}},
        {"aten::_upsample_bicubic2d_aa_backward", {upsampleBackward<2, true>}},
        {"aten::upsample_trilinear3d", {upsample<3, true>}},
        {"aten::upsample_trilinear3d_backward", {upsampleBackward<3, true>}},
        {"aten::im2col", {im2col}},
        {"aten::col2im", {col2im}},
        {"aten::unfold_backward", {unfoldBackward}},
        {"aten::channel_shuffle", {channelShuffle}},
        {"aten::pixel_shuffle", {pixelShuffle}},
        {"aten::pixel_unshuffle", {pixelUnshuffle}},
    };
}

}  // namespace aotscope::test
