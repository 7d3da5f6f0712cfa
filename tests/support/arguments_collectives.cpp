#include "support/rule_arguments.h"

namespace aotscope::test {

namespace {

constexpr const char* kGroup = "0";

at::Tensor anyTensor(Random& r) {
    return r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 3)), 1, 4), r.floating());
}
/// With rows for each of `ranks`.
at::Tensor withRows(Random& r, int64_t ranks) {
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 3)), 1, 4);
    sizes[0] *= ranks;
    return r.tensor(sizes, r.floating());
}
template <typename Make>
c10::IValue several(Random& r, Make&& make) {
    c10::List<at::Tensor> tensors;
    for (int64_t i = r.number(1, 3); i > 0; --i) tensors.push_back(make());
    return tensors;
}
const char* reduction(Random& r) { return r.oneOf({"sum", "avg", "max", "min", "product"}); }

Values reduce(Random& r) { return {anyTensor(r), reduction(r), kGroup}; }
Values reduceList(Random& r) {
    return {several(r, [&] { return anyTensor(r); }), reduction(r), kGroup};
}
Values gather(Random& r) { return {anyTensor(r), r.number(1, 4), kGroup}; }
Values gatherList(Random& r) {
    return {several(r, [&] { return anyTensor(r); }), r.number(1, 4), kGroup};
}
Values gatherOut(Random& r) {
    const int64_t ranks = r.number(1, 4);
    const at::Tensor input = withRows(r, 1);
    Sizes sizes = input.sizes().vec();
    sizes[0] *= ranks;
    return {input, ranks, kGroup, r.plain(sizes, input.scalar_type())};
}
Values scatter(Random& r) {
    const int64_t ranks = r.number(1, 4);
    return {withRows(r, ranks), reduction(r), ranks, kGroup};
}
Values scatterList(Random& r) {
    const int64_t ranks = r.number(1, 4);
    return {several(r, [&] { return withRows(r, ranks); }), reduction(r), ranks, kGroup};
}
Values scatterOut(Random& r) {
    const int64_t ranks = r.number(1, 4);
    const at::Tensor input = withRows(r, ranks);
    Sizes sizes = input.sizes().vec();
    sizes[0] /= ranks;
    return {input, reduction(r), ranks, kGroup, r.plain(sizes, input.scalar_type())};
}
/// The group is this rank alone.
Values allToAll(Random& r) {
    const at::Tensor input = withRows(r, 2);
    const Sizes all = r.coin() ? Sizes{input.size(0)} : Sizes{};
    return {input, all, all, kGroup};
}
Values broadcast(Random& r) { return {anyTensor(r), 0, kGroup}; }
Values shardDim(Random& r) {
    return {r.tensor({r.number(1, 4), r.number(1, 4), 2}, r.floating()), r.number(0, 2), r.number(-3, -1), kGroup};
}
Values message(Random& r) { return {anyTensor(r), 0, r.number(0, 3), kGroup}; }
Values messages(Random& r) {
    c10::List<std::string> operations({r.oneOf<std::string>({"isend", "irecv"}), "irecv"});
    return {operations, Sizes{0, 0}, Sizes{1, 2}, c10::List<at::Tensor>({anyTensor(r), anyTensor(r)}), kGroup};
}
Values wait(Random& r) { return {anyTensor(r)}; }

}  // namespace

Generators collectiveGenerators() {
    return {
        {"_c10d_functional::all_reduce", {reduce}},
        {"_c10d_functional::all_reduce_", {reduce}},
        {"_c10d_functional::all_reduce_coalesced", {reduceList}},
        {"_c10d_functional::all_reduce_coalesced_", {reduceList}},
        {"_c10d_functional::all_gather_into_tensor", {gather}},
        {"_c10d_functional::all_gather_into_tensor_coalesced", {gatherList}},
        {"_c10d_functional::all_gather_into_tensor_out", {gatherOut}},
        {"_c10d_functional::reduce_scatter_tensor", {scatter}},
        {"_c10d_functional::reduce_scatter_tensor_coalesced", {scatterList}},
        {"_c10d_functional::reduce_scatter_tensor_out", {scatterOut}},
        {"_c10d_functional::all_to_all_single", {allToAll}},
        {"_c10d_functional::broadcast", {broadcast}},
        {"_c10d_functional::broadcast_", {broadcast}},
        {"_c10d_functional::isend", {message}},
        {"_c10d_functional::irecv", {message}},
        {"_c10d_functional::batch_p2p_ops", {messages}},
        {"_c10d_functional::wait_tensor",
         {wait, nullptr, 0}},  // returns its argument, which is a new value in the graph
        {"_c10d_functional_autograd::all_gather_into_tensor", {gather}},
        {"_c10d_functional_autograd::reduce_scatter_tensor", {scatter}},
        {"_c10d_functional_autograd::all_to_all_single", {allToAll}},
        {"_dtensor::shard_dim_alltoall", {shardDim}},
    };
}

}  // namespace aotscope::test
