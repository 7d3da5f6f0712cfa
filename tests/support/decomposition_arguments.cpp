#include "support/decomposition_arguments.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

namespace aotscope::test {

namespace {

Sizes anySizes(Random& r, int64_t least = 0) {
    return r.sizes(static_cast<std::size_t>(r.number(least, 4)), r.number(0, 9) == 0 ? 0 : 1, 4);
}
int64_t dimensionOf(Random& r, const Sizes& sizes) {
    const auto rank = static_cast<int64_t>(sizes.size());
    return r.number(-rank, rank - 1);
}
int64_t& at(Sizes& sizes, int64_t dim) {
    return sizes[static_cast<std::size_t>(dim < 0 ? dim + static_cast<int64_t>(sizes.size()) : dim)];
}
at::ScalarType real(Random& r) { return r.floating(); }
/// As many zeros as `sizes` say: places that always exist.
at::Tensor places(const Sizes& sizes) { return at::zeros(sizes, at::kLong); }

Values twoAlike(Random& r) {
    const Sizes sizes = anySizes(r);
    const auto type = real(r);
    return {r.tensor(sizes, type), r.tensor(sizes, type)};
}
template <int64_t extra>
Values twoAlikeAndNumbers(Random& r) {
    Values arguments = twoAlike(r);
    if (extra > 0) arguments.emplace_back(r.oneOf({0.25, 0.5}));
    if (extra > 1) arguments.emplace_back(r.oneOf({1.0, 20.0}));
    return arguments;
}
Values threeAlike(Random& r) {
    const Sizes sizes = anySizes(r);
    const auto type = real(r);
    return {r.tensor(sizes, type), r.tensor(sizes, type), r.tensor(sizes, type)};
}
Values leakyBackward(Random& r) {
    Values arguments = twoAlikeAndNumbers<1>(r);
    arguments.emplace_back(false);
    return arguments;
}
Values hardtanhBackward(Random& r) {
    Values arguments = twoAlike(r);
    arguments.emplace_back(-0.5);
    arguments.emplace_back(0.5);
    return arguments;
}
Values logSigmoidBackward(Random& r) {
    Values arguments = twoAlike(r);
    const at::Tensor self = arguments[1].toTensor();
    arguments.emplace_back(self.abs().neg().exp());
    return arguments;
}
Values prelu(Random& r) {
    Sizes sizes = anySizes(r, 2);
    const auto type = real(r);
    Sizes weight(sizes.size(), 1);
    weight[1] = sizes[1];
    return {r.tensor(sizes, type), r.tensor(weight, type)};
}
Values preluBackward(Random& r) {
    Values arguments = prelu(r);
    const at::Tensor self = arguments[0].toTensor();
    arguments.insert(arguments.begin(), r.tensor(self.sizes().vec(), self.scalar_type()));
    return arguments;
}
Values softmaxBackward(Random& r) {
    const Sizes sizes = anySizes(r, 1);
    const auto type = real(r);
    return {r.tensor(sizes, type), r.tensor(sizes, type), dimensionOf(r, sizes), type};
}
Values emptyPermuted(Random& r) {
    const bool swapped = r.coin();
    return {r.sizes(2, 1, 3), swapped ? Sizes{1, 0} : Sizes{0, 1}, {}, {}, {}, {}};
}
Values matrixAndVector(Random& r) {
    const int64_t rows = r.number(0, 4), columns = r.number(1, 4);
    const auto type = real(r);
    return {r.tensor({rows, columns}, type), r.tensor({columns}, type)};
}
Values addmv(Random& r) {
    Values arguments = matrixAndVector(r);
    const at::Tensor matrix = arguments[0].toTensor();
    arguments.insert(arguments.begin(), r.tensor({matrix.size(0)}, matrix.scalar_type()));
    arguments.emplace_back(r.oneOf({0.0, 1.0, 2.0}));
    arguments.emplace_back(r.oneOf({1.0, 3.0}));
    return arguments;
}
Values crossEntropyWithLogits(Random& r) {
    const Sizes sizes = anySizes(r, 1);
    const auto type = real(r);
    const auto like = [&] { return r.tensor(sizes, type); };
    return {like(), like(), r.coin() ? c10::IValue(like()) : c10::IValue(),
            r.coin() ? c10::IValue(like()) : c10::IValue(), r.number(0, 2)};
}
Values nllLoss(Random& r) {
    const bool batched = r.coin();
    const int64_t batch = r.number(1, 4), classes = r.number(1, 4);
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const Sizes sizes = batched ? Sizes{batch, classes} : Sizes{classes};
    return {r.tensor(sizes, type), places(batched ? Sizes{batch} : Sizes{}),
            r.coin() ? c10::IValue(r.tensor({classes}, type)) : c10::IValue(), r.number(0, 2), int64_t{-100}};
}
Values selectBackward(Random& r) {
    Sizes sizes = anySizes(r, 1);
    const int64_t dim = dimensionOf(r, sizes);
    if (at(sizes, dim) == 0) at(sizes, dim) = 1;
    const int64_t size = at(sizes, dim);
    Sizes rest = sizes;
    rest.erase(rest.begin() + (dim < 0 ? dim + static_cast<int64_t>(sizes.size()) : dim));
    return {r.tensor(rest, real(r)), sizes, dim, r.number(-size, size - 1)};
}
Values sliceBackward(Random& r) {
    Sizes sizes = anySizes(r, 1), part = sizes;
    const int64_t dim = dimensionOf(r, sizes), step = r.number(1, 2), size = at(sizes, dim);
    at(part, dim) = (size + step - 1) / step;
    return {r.tensor(part, real(r)), sizes, dim, int64_t{0}, size, step};
}
Values diagonalBackward(Random& r) {
    const int64_t rows = r.number(1, 4), columns = r.number(1, 4);
    return {r.tensor({std::min(rows, columns)}, real(r)), Sizes{rows, columns}, int64_t{0}, int64_t{0}, int64_t{1}};
}
Values reshapeAlias(Random& r) {
    const int64_t a = r.number(1, 3), b = r.number(1, 3);
    return {r.plain({a, b}, real(r)), Sizes{b, a}, Sizes{a, 1}};
}
Values indexAdd(Random& r) {
    Sizes sizes = anySizes(r, 1), source = sizes;
    const int64_t dim = dimensionOf(r, sizes), count = r.number(0, 3);
    if (at(sizes, dim) == 0) at(sizes, dim) = 1;
    at(source, dim) = count;
    const auto type = real(r);
    return {r.tensor(sizes, type), dim, places({count}), r.tensor(source, type), r.oneOf({1.0, 2.0})};
}
Values dropout(Random& r) {
    return {r.tensor(r.sizes(3, 1, 4), real(r)), r.oneOf({0.25, 0.5}), r.oneOf<c10::IValue>({true, false})};
}
Values attention(Random& r) {
    const int64_t batch = r.number(1, 2), heads = r.number(1, 3), queries = r.number(1, 4), keys = r.number(1, 4);
    const auto type = real(r);
    const auto tensor = [&](int64_t length) { return r.plain({batch, heads, length, 8}, type); };
    const bool causal = r.coin();
    const bool masked = !causal && r.coin();
    return {tensor(queries),
            tensor(keys),
            tensor(keys),
            0.0,
            causal,
            masked ? c10::IValue(r.plain({queries, keys}, type)) : c10::IValue(),
            r.coin() ? c10::IValue(0.5) : c10::IValue()};
}
Values indexPut(Random& r) {
    const int64_t rows = r.number(1, 4), columns = r.number(1, 4), count = r.number(1, 3);
    const auto type = real(r);
    c10::List<std::optional<at::Tensor>> indices;
    indices.push_back(places({count}));
    return {r.tensor({rows, columns}, type), indices, r.tensor({count, columns}, type), true};
}
Values maskedIndex(Random& r) {
    const int64_t rows = r.number(1, 4), columns = r.number(1, 4), count = r.number(1, 3);
    c10::List<std::optional<at::Tensor>> indices;
    indices.push_back(places({count}));
    return {r.tensor({rows, columns}, real(r)), r.tensor({count, 1}, at::kBool), indices, 0.5};
}
Values maskedIndexPut(Random& r) {
    const int64_t rows = r.number(1, 4), columns = r.number(1, 4), count = r.number(1, 3);
    const auto type = real(r);
    c10::List<std::optional<at::Tensor>> indices;
    indices.push_back(places({count}));
    return {r.tensor({rows, columns}, type), r.tensor({count, 1}, at::kBool), indices,
            r.tensor({count, columns}, type)};
}
Values groupNorm(Random& r) {
    const int64_t batch = r.number(1, 3), groups = r.number(1, 2), channels = groups * r.number(1, 3);
    const auto type = real(r);
    const auto input = r.plain({batch, channels, 2, 3}, type);
    const bool affine = r.coin();
    const auto vector = [&] { return affine ? c10::IValue(r.plain({channels}, type)) : c10::IValue(); };
    return {input, vector(), vector(), batch, channels, int64_t{6}, groups, 1e-5};
}
Values groupNormBackward(Random& r) {
    const int64_t batch = r.number(1, 3), groups = r.number(1, 2), channels = groups * r.number(1, 3);
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const auto like = [&] { return r.plain({batch, channels, 2, 3}, type); };
    const auto statistic = [&] { return r.plain({batch, groups}, type); };
    return {
        like(), like(),   statistic(), statistic(), r.coin() ? c10::IValue(r.plain({channels}, type)) : c10::IValue(),
        batch,  channels, int64_t{6},  groups,      c10::List<bool>({true, true, true})};
}
template <std::size_t dims>
Values padding(Random& r) {
    Sizes sizes = r.sizes(dims + 2, 2, 4);
    return {r.tensor(sizes, real(r)), r.sizes(2 * dims, 0, 1)};
}

}  // namespace

const Generators& decompositionGenerators() {
    static const Generators all = {
        {"aten::tanh_backward", {twoAlike}},
        {"aten::sigmoid_backward", {twoAlike}},
        {"aten::silu_backward", {twoAlike}},
        {"aten::mish_backward", {twoAlike}},
        {"aten::hardsigmoid_backward", {twoAlike}},
        {"aten::hardswish_backward", {twoAlike}},
        {"aten::lerp.Tensor", {threeAlike}},
        {"aten::threshold_backward", {twoAlikeAndNumbers<1>}},
        {"aten::softplus_backward", {twoAlikeAndNumbers<2>}},
        {"aten::leaky_relu_backward", {leakyBackward}},
        {"aten::hardtanh_backward", {hardtanhBackward}},
        {"aten::log_sigmoid_backward", {logSigmoidBackward}},
        {"aten::_prelu_kernel", {prelu}},
        {"aten::_prelu_kernel_backward", {preluBackward}},
        {"aten::_softmax_backward_data", {softmaxBackward}},
        {"aten::_log_softmax_backward_data", {softmaxBackward}},
        {"aten::empty_permuted", {emptyPermuted}},
        {"aten::mv", {matrixAndVector}},
        {"aten::addmv", {addmv}},
        {"aten::binary_cross_entropy_with_logits", {crossEntropyWithLogits}},
        {"aten::nll_loss_forward", {nllLoss}},
        {"aten::select_backward", {selectBackward}},
        {"aten::slice_backward", {sliceBackward}},
        {"aten::diagonal_backward", {diagonalBackward}},
        {"aten::_reshape_alias", {reshapeAlias}},
        {"aten::index_add", {indexAdd}},
        {"aten::native_dropout", {dropout}},
        {"aten::_scaled_dot_product_flash_attention_for_cpu", {attention}},
        {"aten::_unsafe_index_put", {indexPut}},
        {"aten::_unsafe_masked_index", {maskedIndex}},
        {"aten::_unsafe_masked_index_put_accumulate", {maskedIndexPut}},
        {"aten::native_group_norm", {groupNorm}},
        {"aten::native_group_norm_backward", {groupNormBackward}},
        {"aten::reflection_pad1d", {padding<1>}},
        {"aten::reflection_pad2d", {padding<2>}},
        {"aten::reflection_pad3d", {padding<3>}},
        {"aten::replication_pad1d", {padding<1>}},
        {"aten::replication_pad2d", {padding<2>}},
        {"aten::replication_pad3d", {padding<3>}},
    };
    return all;
}

}  // namespace aotscope::test
