#include "support/outcomes.h"
#include "support/rule_arguments.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/item.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sum.h>

namespace aotscope::test {

namespace {

Values embedding(Random& r) {
    return {r.tensor(r.sizes(2, 1, 5), r.floating()),
            r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 3)), 0, 4), r.oneOf({at::kLong, at::kInt})),
            int64_t{-1}, false, false};
}
Values embeddingBackward(Random& r) {
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 3)), 0, 4);
    const at::Tensor indices = r.tensor(sizes, r.oneOf({at::kLong, at::kInt}));
    sizes.push_back(r.number(1, 5));
    return {r.tensor(sizes, r.floating()), indices, r.number(1, 6), int64_t{-1}, r.coin()};
}

enum BagMode : std::int8_t { kSum, kMean, kMax };

Values embeddingBag(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kFloat, at::kDouble, at::kHalf});
    const auto index = r.oneOf({at::kLong, at::kInt});
    const int64_t count = r.number(1, 6), mode = r.number(kSum, kMax);
    const bool weighted = mode == kSum && r.coin();
    // All bags but the last are empty; the last offset may say where it ends.
    const bool lastIsEnd = r.coin();
    const at::Tensor offsets = r.plain({r.number(2, 4)}, index);
    if (lastIsEnd) offsets.select(0, offsets.size(0) - 1).fill_(count);
    return {r.tensor({r.number(1, 5), r.number(1, 4)}, type),
            r.plain({count}, index),
            offsets,
            false,
            mode,
            false,
            weighted ? c10::IValue(r.plain({count}, type)) : c10::IValue(),
            lastIsEnd,
            r.oneOf<int64_t>({-1, -1, 0})};
}
Values embeddingBagBackward(Random& r) {
    const Values a = embeddingBag(r), forward = call("aten::_embedding_bag", a);
    const at::Tensor output = forward[0].toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()),
            a[1],
            a[2],
            forward[1],
            forward[2],
            forward[3],
            a[0].toTensor().size(0),
            false,
            a[4],
            false,
            a[6],
            a[8]};
}
Values embeddingBagDenseBackward(Random& r) {
    Values a = embeddingBagBackward(r);
    // The fast forward leaves this open: every index is in the last bag.
    const at::Tensor indices = a[1].toTensor();
    const int64_t bags = a[0].toTensor().size(0);
    a[3] = at::empty(indices.sizes(), indices.options()).fill_(bags - 1);
    a.erase(a.begin() + 9);
    a.erase(a.begin() + 2);
    return a;
}
Values embeddingBagWeightsBackward(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    const auto index = r.oneOf({at::kLong, at::kInt});
    const int64_t count = r.number(1, 6), bags = r.number(1, 3), size = r.number(1, 4);
    return {r.plain({bags, size}, type),
            r.plain({r.number(1, 5), size}, type),
            r.plain({count}, index),
            r.plain({bags}, index),
            r.plain({count}, index),
            int64_t{kSum},
            int64_t{-1}};
}
Values indexSelect(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    const auto rank = static_cast<int64_t>(sizes.size());
    return {r.tensor(sizes, r.oneOf({at::kFloat, at::kBFloat16, at::kLong, at::kBool})), r.number(-rank, rank - 1),
            r.tensor({r.number(0, 4)}, r.oneOf({at::kLong, at::kInt}))};
}
Values repeatInterleave(Random& r) {
    const at::Tensor repeats = r.plain({r.number(1, 5)}, r.oneOf({at::kLong, at::kInt})).fill_(r.number(0, 3));
    return {repeats, repeats.sum().item().toLong()};
}
Values roll(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), r.number(0, 5) == 0 ? 0 : 1, 4);
    const auto rank = static_cast<int64_t>(sizes.size());
    const auto type = r.oneOf({at::kFloat, at::kBFloat16, at::kLong});
    if (r.number(0, 3) == 0) return {r.tensor(sizes, type), r.sizes(1, -5, 5), Sizes{}};
    const auto count = static_cast<std::size_t>(r.number(1, 2));
    return {r.tensor(sizes, type), r.sizes(count, -5, 5), r.sizes(count, -rank, rank - 1)};
}
Values multinomial(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 2)), 3, 5);
    return {r.tensor(sizes, r.oneOf({at::kFloat, at::kDouble, at::kBFloat16})), r.number(1, 3), r.coin(),
            c10::IValue()};
}
Values cumulativeExtreme(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    return {r.tensor(sizes, at::kFloat), r.plain(sizes, at::kFloat), r.plain(sizes, at::kLong),
            r.number(0, static_cast<int64_t>(sizes.size()) - 1)};
}
Values selectScatter(Random& r) {
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    const at::Tensor input = r.tensor(sizes, r.floating());
    const int64_t dim = r.number(0, static_cast<int64_t>(sizes.size()) - 1);
    sizes.erase(sizes.begin() + dim);
    return {input, r.tensor(sizes, input.scalar_type()), dim, int64_t{0}};
}
Values histogram(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    return {r.tensor(r.sizes(2, 1, 4), type), std::get<0>(r.plain({r.number(2, 5)}, type).sort()), c10::IValue(),
            r.coin()};
}

/// input, numbers of bins or edges
Values histogramOfColumns(Random& r) {
    const int64_t columns = r.number(1, 3);
    return {r.tensor({r.number(1, 5), columns}, r.oneOf({at::kFloat, at::kDouble})),
            r.sizes(static_cast<std::size_t>(columns), 1, 4), c10::IValue(), c10::IValue(), r.coin()};
}
Values histogramBetweenEdges(Random& r) {
    const int64_t columns = r.number(1, 3);
    const auto type = r.oneOf({at::kFloat, at::kDouble});
    c10::List<at::Tensor> edges;
    for (int64_t i = 0; i < columns; ++i) edges.push_back(std::get<0>(r.plain({r.number(2, 5)}, type).sort()));
    return {r.tensor({r.number(1, 5), columns}, type), edges, c10::IValue(), r.coin()};
}

/// The ends of rows of one list with `total` positions.
at::Tensor ends(Random& r, int64_t rows, int64_t total) {
    at::Tensor offsets = r.plain({rows + 1}, at::kLong);
    offsets.select(0, rows).fill_(total);
    return offsets;
}
Values jaggedRows(Random& r) {
    const int64_t total = r.number(1, 5);
    return {r.plain({total, r.number(1, 4)}, at::kFloat), c10::List<at::Tensor>({ends(r, r.number(1, 3), total)}),
            Sizes{r.number(1, 5)}, 0.5};
}
Values paddedRows(Random& r) {
    const int64_t rows = r.number(1, 3), total = r.number(1, 4);
    return {r.plain({rows, total, r.number(1, 4)}, at::kFloat), c10::List<at::Tensor>({ends(r, rows, total)}), total};
}

/// data, reduce, lengths, indices, offsets, axis, unsafe, initial
Values segmentReduce(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 3)), 1, 4);
    const int64_t axis = r.number(0, static_cast<int64_t>(sizes.size()) - 1), segments = r.number(1, 3),
                  size = sizes[static_cast<std::size_t>(axis)];
    // The kernels write outside of their results if offsets do not rise from 0 to the size.
    Sizes counts(sizes.begin(), sizes.begin() + axis);
    counts.push_back(segments + 1);
    at::Tensor offsets = r.plain(counts, at::kLong).remainder(size + 1);
    offsets.select(-1, 0).fill_(0);
    offsets.select(-1, segments).fill_(size);
    offsets = std::get<0>(offsets.sort(-1)).contiguous();
    const bool lengths = r.coin();
    return {r.tensor(sizes, r.oneOf({at::kFloat, at::kDouble})),
            r.oneOf({"sum", "mean", "max", "min"}),
            lengths ? c10::IValue(offsets.diff().contiguous()) : c10::IValue(),
            c10::IValue(),
            lengths ? c10::IValue() : c10::IValue(offsets),
            axis,
            false,
            1.0};
}
Values segmentReduceBackward(Random& r) {
    Values a = segmentReduce(r);
    a[0] = a[0].toTensor().contiguous();
    const at::Tensor output = call("aten::segment_reduce", a)[0].toTensor();
    return {r.plain(output.sizes().vec(), output.scalar_type()), output, a[0], a[1], a[2], a[4], a[5], a[7]};
}

}  // namespace

Generators indexingGenerators() {
    return {
        {"aten::embedding", {embedding}},
        {"aten::embedding_dense_backward", {embeddingBackward}},
        {"aten::_embedding_bag", {embeddingBag}},
        {"aten::_embedding_bag_forward_only", {embeddingBag}},
        {"aten::_embedding_bag_backward", {embeddingBagBackward}},
        {"aten::_embedding_bag_dense_backward", {embeddingBagDenseBackward}},
        {"aten::_embedding_bag_per_sample_weights_backward", {embeddingBagWeightsBackward}},
        {"aten::index_select", {indexSelect}},
        {"aten::repeat_interleave.Tensor", {repeatInterleave}},
        {"aten::roll", {roll}},
        {"aten::multinomial", {multinomial}},
        {"aten::_cummax_helper", {cumulativeExtreme}},
        {"aten::_cummin_helper", {cumulativeExtreme}},
        {"aten::select_scatter", {selectScatter}},
        {"aten::histogram.bins_tensor", {histogram}},
        {"aten::_histogramdd_bin_edges", {histogramOfColumns}},
        {"aten::_histogramdd_from_bin_cts", {histogramOfColumns}},
        {"aten::_histogramdd_from_bin_tensors", {histogramBetweenEdges}},
        {"aten::_jagged_to_padded_dense_forward", {jaggedRows}},
        {"aten::_padded_dense_to_jagged_forward", {paddedRows}},
        {"aten::segment_reduce", {segmentReduce}},
        {"aten::_segment_reduce_backward", {segmentReduceBackward}},
    };
}

}  // namespace aotscope::test
