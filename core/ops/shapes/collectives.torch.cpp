// Functional collectives. LibTorch has no meta kernels for them; these are the shapes of _functional_collectives.py.

#include "distributed/world.h"
#include "ops/shapes/rule_results.h"
#include "support/error.h"

#include <ATen/WrapDimUtils.h>

namespace aotscope {

namespace {

std::int64_t countOf(const c10::IValue& size) {
    const std::int64_t count = size.toInt();
    if (count < 1 || count > static_cast<std::int64_t>(kMostRanks))
        throw Error("a collective is told that its group has " + std::to_string(count) + " ranks; expected 1 to " +
                    std::to_string(kMostRanks));
    return count;
}

at::Tensor gathered(const at::Tensor& input, std::int64_t count) {
    std::vector<int64_t> sizes = input.sizes().vec();
    if (sizes.empty()) sizes.push_back(1);
    TORCH_CHECK(!__builtin_mul_overflow(sizes[0], count, &sizes[0]), "all_gather_into_tensor makes too many rows");
    return contiguous(sizes, input);
}

at::Tensor scattered(const at::Tensor& input, std::int64_t count) {
    TORCH_CHECK(input.dim() > 0, "reduce_scatter_tensor cuts rows of its input, which is a single number");
    std::vector<int64_t> sizes = input.sizes().vec();
    TORCH_CHECK(sizes[0] % count == 0, "reduce_scatter_tensor cuts ", sizes[0], " rows into ", count,
                " parts: they have to be a multiple of the group's size");
    sizes[0] /= count;
    return contiguous(sizes, input);
}

template <typename Map>
c10::IValue forEach(const c10::IValue& list, Map&& map) {
    c10::List<at::Tensor> results;
    for (const at::Tensor& t : list.toTensorVector()) results.push_back(map(t));
    return results;
}

Results gatherRule(const RuleCall& call) { return {gathered(call.tensor(0), countOf(call.args[1]))}; }
Results gatherListRule(const RuleCall& call) {
    const std::int64_t count = countOf(call.args[1]);
    return {forEach(call.args[0], [&](const at::Tensor& t) { return gathered(t, count); })};
}
Results scatterRule(const RuleCall& call) { return {scattered(call.tensor(0), countOf(call.args[2]))}; }
Results scatterListRule(const RuleCall& call) {
    const std::int64_t count = countOf(call.args[2]);
    return {forEach(call.args[0], [&](const at::Tensor& t) { return scattered(t, count); })};
}
Results preservedListRule(const RuleCall& call) {
    return {forEach(call.args[0], [](const at::Tensor& t) { return preserved(t); })};
}
Results sameListRule(const RuleCall& call) { return {call.args[0]}; }
Results gatherOutRule(const RuleCall& call) { return {call.tensor(3)}; }
Results scatterOutRule(const RuleCall& call) { return {call.tensor(4)}; }

/// input, output_split_sizes, input_split_sizes, group
Results allToAllRule(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.dim() > 0, "all_to_all_single splits rows of its input, which is a single number");
    std::vector<int64_t> sizes = input.sizes().vec();
    const auto splits = call.args[1].toIntVector();
    if (!splits.empty()) sizes[0] = 0;
    for (const int64_t rows : splits)
        TORCH_CHECK(rows >= 0 && !__builtin_add_overflow(sizes[0], rows, &sizes[0]), "all_to_all_single expects ", rows,
                    " rows from a rank");
    return {contiguous(sizes, input)};
}

/// input, gather_dim, shard_dim, group
Results shardDimRule(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    const auto gather = static_cast<std::size_t>(c10::maybe_wrap_dim(call.args[1].toInt(), input.dim()));
    const auto shard = static_cast<std::size_t>(c10::maybe_wrap_dim(call.args[2].toInt(), input.dim()));
    const std::int64_t count = World::current()->groups().sizeOf(call.args[3].toStringRef());
    std::vector<int64_t> sizes = input.sizes().vec();
    sizes[gather] *= count;
    sizes[shard] /= count;
    return {contiguous(sizes, input)};
}

Results sendRule(const RuleCall& call) { return {contiguous({0}, call.tensor(0))}; }

/// op_list, peer_list, tag_list, tensors, group
Results batchRule(const RuleCall& call) {
    const auto operations = call.args[0].toListRef();
    const auto tensors = call.args[3].toTensorVector();
    TORCH_CHECK(operations.size() == tensors.size(), "batch_p2p_ops is given lists of different lengths");
    c10::List<at::Tensor> results;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        results.push_back(operations[i].toStringRef() == "irecv" ? preserved(tensors[i]) : contiguous({0}, tensors[i]));
    return {results};
}

}  // namespace

std::vector<ShapeRuleRow> collectiveRules() {
    return {
        {"_c10d_functional::all_reduce", contiguousRule},
        {"_c10d_functional::all_reduce_", inPlaceRule},
        {"_c10d_functional::all_reduce_coalesced", preservedListRule},
        {"_c10d_functional::all_reduce_coalesced_", sameListRule},
        {"_c10d_functional::all_gather_into_tensor", gatherRule},
        {"_c10d_functional::all_gather_into_tensor_coalesced", gatherListRule},
        {"_c10d_functional::all_gather_into_tensor_out", gatherOutRule},
        {"_c10d_functional::reduce_scatter_tensor", scatterRule},
        {"_c10d_functional::reduce_scatter_tensor_coalesced", scatterListRule},
        {"_c10d_functional::reduce_scatter_tensor_out", scatterOutRule},
        {"_c10d_functional::all_to_all_single", allToAllRule},
        {"_c10d_functional::broadcast", preservedRule},
        {"_c10d_functional::broadcast_", inPlaceRule},
        {"_c10d_functional::isend", sendRule},
        {"_c10d_functional::irecv", preservedRule},
        {"_c10d_functional::batch_p2p_ops", batchRule},
        {"_c10d_functional::wait_tensor", preservedRule},
        {"_c10d_functional_autograd::all_gather_into_tensor", gatherRule},
        {"_c10d_functional_autograd::reduce_scatter_tensor", scatterRule},
        {"_c10d_functional_autograd::all_to_all_single", allToAllRule},
        {"_dtensor::shard_dim_alltoall", shardDimRule},
    };
}

}  // namespace aotscope
