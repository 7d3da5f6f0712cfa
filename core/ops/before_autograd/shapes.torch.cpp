#include "ops/before_autograd/rules.h"
#include "ops/decompositions/decomposition_support.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/_assert_async.h>
#include <ATen/ops/all.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/select_scatter.h>

#include <algorithm>

namespace aotscope {

namespace {

using namespace rules;

/// Whether matmul folds the batch of its larger argument into one plain matrix product.
bool foldsBatch(const Tensor& a, const Tensor& b) {
    const auto& [larger, smaller] = a.dim() >= b.dim() ? std::tie(a, b) : std::tie(b, a);
    if (larger.dim() < 3 || smaller.dim() > 2) return false;
    if (smaller.requires_grad()) return true;
    if (a.dim() == 2) return false;
    return larger.numel() == 0 || larger.is_contiguous();
}

/// The product of two batches, or of a batch and a vector, ends in a view, which partitioners recompute for free;
/// ATen's own composite ends in _unsafe_view, which they do not.
std::optional<Tensor> batchedMatmul(const Tensor& a, const Tensor& b) {
    if (a.dim() < 1 || b.dim() < 1 || (a.dim() <= 2 && b.dim() <= 2) || foldsBatch(a, b)) return std::nullopt;
    const auto batch = [](const Tensor& t) {
        return t.sizes().slice(0, static_cast<std::size_t>(std::max<std::int64_t>(t.dim() - 2, 0)));
    };
    // ATen folds a broadcast batch of one that requires grad.
    if (a.dim() == 3 && b.dim() == 3 && a.size(0) != b.size(0) &&
        ((a.size(0) == 1 && a.requires_grad()) || (b.size(0) == 1 && b.requires_grad())))
        return std::nullopt;
    Sizes shape = at::infer_size(batch(a), batch(b));
    const std::int64_t count = c10::multiply_integers(shape);
    const auto expanded = [&](const Tensor& t, const Sizes& matrix) {
        Sizes sizes = shape, folded = {count};
        sizes.insert(sizes.end(), matrix.begin(), matrix.end());
        folded.insert(folded.end(), matrix.begin(), matrix.end());
        return t.expand(sizes).reshape(folded);
    };
    const std::int64_t rows = a.dim() > 1 ? a.size(-2) : 1;
    const Tensor left = expanded(a, {rows, a.size(-1)});
    if (b.dim() == 1) {
        const Tensor right = expanded(b, {b.size(0)}).unsqueeze(2);
        shape.push_back(rows);
        return left.bmm(right).squeeze(-1).view(shape);
    }
    const Tensor right = expanded(b, {b.size(-2), b.size(-1)});
    if (a.dim() > 1) shape.push_back(rows);
    shape.push_back(b.size(-1));
    return left.bmm(right).view(shape);
}

/// tensor_split reads the memory of the tensor of split indices; here its elements are read as in the program.
std::optional<std::vector<Tensor>> splitByTensor(const Tensor& input, const Tensor& places, std::int64_t dim) {
    if (places.dim() > 1) return std::nullopt;
    if (places.dim() == 0) return input.tensor_split(places.item<std::int64_t>(), dim);
    Sizes indices;
    for (std::int64_t i = 0; i < places.size(0); ++i) indices.push_back(places.select(0, i).item<std::int64_t>());
    return input.tensor_split(indices, dim);
}

/// Copies one row after the other into a padding tensor.
std::optional<Tensor> padSequence(const std::vector<Tensor>& sequences, bool batchFirst, double padding,
                                  const std::string& side) {
    if (sequences.empty() || (side != "left" && side != "right")) return std::nullopt;
    const Tensor& first = sequences.front();
    if (first.dim() == 0) return std::nullopt;
    std::int64_t longest = 0;
    for (const Tensor& sequence : sequences) longest = std::max(longest, sequence.size(0));
    const auto count = static_cast<std::int64_t>(sequences.size());
    Sizes sizes = batchFirst ? Sizes{count, longest} : Sizes{longest, count};
    sizes.insert(sizes.end(), first.sizes().begin() + 1, first.sizes().end());
    Tensor result = first.new_full(sizes, padding);
    for (std::int64_t i = 0; i < count; ++i) {
        const Tensor& sequence = sequences[static_cast<std::size_t>(i)];
        Sizes pad(static_cast<std::size_t>(2 * first.dim()), 0);
        pad[pad.size() - (side == "right" ? 1 : 2)] = longest - sequence.size(0);
        const Tensor row = at::constant_pad_nd(cast(sequence, result.scalar_type()), pad, padding);
        result = at::select_scatter(result, row, batchFirst ? 0 : 1, i);
    }
    return result;
}

/// Compares with all classes at once; ATen's own writes ones into zeros and reads the smallest class.
std::optional<Tensor> oneHot(const Tensor& self, std::int64_t classes) {
    if (self.numel() == 0 || self.scalar_type() != at::kLong) return std::nullopt;
    if (classes == -1) classes = self.max().item<std::int64_t>() + 1;
    if (classes < 1) return std::nullopt;
    at::_assert_async(at::all(self.ge(0)), "one_hot: Class values must be non-negative.");
    at::_assert_async(at::all(self.lt(classes)), "one_hot: Class values must be smaller than num_classes.");
    return cast(self.unsqueeze(-1).eq(arange(classes, self, self.scalar_type())), at::kLong);
}

}  // namespace

std::vector<BeforeAutogradRow> shapesBeforeAutograd() {
    return {
        {"aten.matmul.default", "batched_matmul", rule<batchedMatmul>},
        {"aten.one_hot.default", "one_hot", rule<oneHot>, /*everyDialect=*/true},
        {"aten.pad_sequence.default", "pad_sequence", rule<padSequence>},
        {"aten.tensor_split.tensor_indices_or_sections", "split_by_tensor", rule<splitByTensor>,
         /*everyDialect=*/true},
    };
}

}  // namespace aotscope
