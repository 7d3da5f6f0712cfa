#include "distributed/collective_kernels.h"

#include "distributed/collective_party.h"
#include "distributed/nccl.h"
#include "distributed/reductions.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/names.h"
#include "support/quoted.h"

#include <ATen/WrapDimUtils.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include <algorithm>
#include <numeric>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;
using Arguments = c10::ArrayRef<c10::IValue>;
using Tensors = std::vector<at::Tensor>;

/// The GPU work for each tensor that a rank contributes.
decltype(Outcome::onGpus) forEach(
    std::function<void(const NcclCommunicator&, const at::Tensor& mine, const at::Tensor& result)> make) {
    return [make = std::move(make)](const NcclCommunicator& nccl, const Tensors& mine, const Tensors& results) {
        for (std::size_t i = 0; i < mine.size(); ++i) make(nccl, mine[i], results[i]);
    };
}
bool ncclReduces(const Tensors& tensors, Reduction how) {
    return std::ranges::all_of(tensors,
                               [&](const at::Tensor& t) { return NcclCommunicator::reduces(t.scalar_type(), how); });
}

// --- Collectives on several tensors; those on one tensor pass a list of one ------------------------------------------

/// `results` receive the reduced values: new tensors, or the inputs.
void allReduce(const Tensors& inputs, const Tensors& results, const c10::IValue& reduction, const c10::IValue& group) {
    const Reduction how = reductionNamed(reduction.toStringRef());
    const Party party(group);
    Outcome outcome{results, [=](const Contributions& all) {
                        for (std::size_t i = 0; i < results.size(); ++i) results[i].copy_(reduced(all, i, how));
                    }};
    if (ncclReduces(inputs, how))
        outcome.onGpus = forEach(
            [how](const auto& nccl, const auto& mine, const auto& result) { nccl.allReduce(mine, result, how); });
    party.exchange(contribution("all_reduce (" + reduction.toStringRef() + ")", inputs), std::move(outcome));
}

void allGather(const Tensors& inputs, const Tensors& results, const Party& party) {
    Outcome outcome{results, [=](const Contributions& all) {
                        for (std::size_t i = 0; i < results.size(); ++i) gatherInto(results[i], all, i);
                    }};
    outcome.onGpus =
        forEach([](const auto& nccl, const auto& mine, const auto& result) { nccl.allGather(mine, result); });
    party.exchange(contribution("all_gather_into_tensor", inputs), std::move(outcome));
}

void reduceScatter(const Tensors& inputs, const Tensors& results, const c10::IValue& reduction, const Party& party) {
    const Reduction how = reductionNamed(reduction.toStringRef());
    const std::int64_t part = party.index(), parts = party.size();
    Outcome outcome{results, [=](const Contributions& all) {
                        for (std::size_t i = 0; i < results.size(); ++i)
                            results[i].copy_(reducedPart(all, i, how, part, parts));
                    }};
    if (ncclReduces(inputs, how))
        outcome.onGpus = forEach(
            [how](const auto& nccl, const auto& mine, const auto& result) { nccl.reduceScatter(mine, result, how); });
    party.exchange(contribution("reduce_scatter_tensor (" + reduction.toStringRef() + ")", inputs), std::move(outcome));
}

Tensors newLike(const Tensors& inputs) {
    Tensors results;
    for (const at::Tensor& t : inputs) results.push_back(at::zeros_like(t));
    return results;
}

/// A gathered tensor grows with the number of ranks, which may be absurdly large.
void requireRoom(const at::Tensor& input, const Party& party) {
    if (!input.is_cpu()) return;
    const std::int64_t parts = party.size(), available = party.world->room();
    const double bytes = static_cast<double>(input.nbytes()) * static_cast<double>(parts);
    if (bytes <= static_cast<double>(available)) return;
    throw Error("all_gather_into_tensor of " + counted(static_cast<std::size_t>(parts), "rank") + " makes " +
                formatBytes(static_cast<std::int64_t>(bytes)) + ", more than the " + formatBytes(available) +
                " of memory that are available here; run a smaller world, or only plan this one, without --check");
}

std::vector<std::int64_t> gatheredSizes(const at::Tensor& input, std::int64_t parts) {
    std::vector<std::int64_t> sizes = input.sizes().vec();
    if (sizes.empty()) sizes.push_back(parts);
    else sizes[0] *= parts;
    return sizes;
}

at::Tensor gathered(const at::Tensor& input, const Party& party) {
    requireRoom(input, party);
    return at::zeros(gatheredSizes(input, party.size()), input.options());
}

std::vector<std::int64_t> scatteredSizes(const at::Tensor& input, std::int64_t parts) {
    if (input.dim() == 0 || input.size(0) % parts != 0)
        throw Error("reduce_scatter_tensor cuts " + typeText(input) + " into " + std::to_string(parts) +
                    " parts; its first dimension must be a multiple of the group's size");
    std::vector<std::int64_t> sizes = input.sizes().vec();
    sizes[0] /= parts;
    return sizes;
}

at::Tensor scattered(const at::Tensor& input, std::int64_t parts) {
    return at::zeros(scatteredSizes(input, parts), input.options());
}

/// Lets autograd know that `tensor` is written to.
at::Tensor written(const at::Tensor& tensor) {
    tensor.unsafeGetTensorImpl()->bump_version();
    return tensor;
}

// --- A kernel for each operator: its arguments become its results. For operators on one tensor, or on a list ---------

Tensors tensorsOf(const c10::IValue& given) {
    return given.isTensor() ? Tensors{given.toTensor()} : given.toTensorVector();
}

/// As many as `given` are.
c10::IValue oneOrList(const c10::IValue& given, Tensors results) {
    if (given.isTensor()) return results.front();
    return results;
}

c10::IValue allReduceNew(Arguments args) {
    const at::Tensor input = args[0].toTensor();
    const at::Tensor result = at::zeros_like(input, at::MemoryFormat::Contiguous);
    allReduce({input}, {result}, args[1], args[2]);
    return result;
}
c10::IValue allReduceInPlace(Arguments args) {
    const Tensors inputs = tensorsOf(args[0]);
    allReduce(inputs, inputs, args[1], args[2]);
    for (const at::Tensor& input : inputs) written(input);
    return args[0];
}
c10::IValue allReduceListNew(Arguments args) {
    const Tensors inputs = args[0].toTensorVector(), results = newLike(inputs);
    allReduce(inputs, results, args[1], args[2]);
    return results;
}
c10::IValue allGatherNew(Arguments args) {
    const Party party(args[2], args[1].toInt());
    const Tensors inputs = tensorsOf(args[0]);
    Tensors results;
    for (const at::Tensor& t : inputs) results.push_back(gathered(t, party));
    allGather(inputs, results, party);
    return oneOrList(args[0], std::move(results));
}
/// `out` must have the sizes of the result and the dtype of the input.
void requireSizes(const at::Tensor& out, const at::Tensor& input, at::IntArrayRef sizes, const char* what) {
    if (out.sizes() != sizes || out.scalar_type() != input.scalar_type())
        throw Error(std::string(what) + " writes " + typeText(input.scalar_type(), sizes) + " into a tensor that is " +
                    typeText(out));
}
c10::IValue allGatherOut(Arguments args) {
    const Party party(args[2], args[1].toInt());
    const at::Tensor input = args[0].toTensor(), out = args[3].toTensor();
    requireSizes(out, input, gatheredSizes(input, party.size()), "all_gather_into_tensor_out");
    allGather({input}, {out}, party);
    return written(out);
}
c10::IValue reduceScatterNew(Arguments args) {
    const Party party(args[3], args[2].toInt());
    const Tensors inputs = tensorsOf(args[0]);
    Tensors results;
    for (const at::Tensor& t : inputs) results.push_back(scattered(t, party.size()));
    reduceScatter(inputs, results, args[1], party);
    return oneOrList(args[0], std::move(results));
}
c10::IValue reduceScatterOut(Arguments args) {
    const Party party(args[3], args[2].toInt());
    const at::Tensor input = args[0].toTensor(), out = args[4].toTensor();
    requireSizes(out, input, scatteredSizes(input, party.size()), "reduce_scatter_tensor_out");
    reduceScatter({input}, {out}, args[1], party);
    return written(out);
}
/// Rows for each rank: as in the call, or equal shares.
std::vector<std::int64_t> splitsOf(const c10::IValue& splits, std::int64_t rows, const Party& party) {
    std::vector<std::int64_t> sizes = splits.toIntVector();
    if (sizes.empty()) sizes.assign(party.ranks(), rows / party.size());
    const bool fits = sizes.size() == party.ranks() && std::ranges::none_of(sizes, [](auto s) { return s < 0; }) &&
                      std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) == rows;
    if (!fits)
        throw Error("all_to_all_single splits " + std::to_string(rows) + " rows into other parts than the " +
                    counted(party.ranks(), "rank") + " of group " + inQuotes(party.group.name) +
                    " have; give the group's size with --world-size or --group");
    return sizes;
}

at::Tensor rowsFor(const Contribution& from, std::size_t rank) {
    const auto first =
        std::accumulate(from.splits.begin(), from.splits.begin() + static_cast<std::ptrdiff_t>(rank), std::int64_t{0});
    return from.tensors[0].narrow(0, first, from.splits[rank]);
}

/// A rank must send what the other one expects.
void requireRows(const Contributions& all, std::size_t from, const RankGroup& group, std::int64_t expected) {
    const std::int64_t sent = all[from].splits[group.index];
    if (sent == expected) return;
    throw Error("all_to_all_single of group " + inQuotes(group.name) + ": rank " + std::to_string(group.member(from)) +
                " sends " + counted(static_cast<std::size_t>(sent), "row") + " to rank " +
                std::to_string(group.member(group.index)) + ", which expects " + std::to_string(expected));
}

c10::IValue allToAll(Arguments args) {
    const Party party(args[3]);
    const at::Tensor input = args[0].toTensor();
    if (input.dim() == 0) throw Error("all_to_all_single splits rows of its input, which is a single number");
    std::vector<std::int64_t> sizes = input.sizes().vec(), expected = args[1].toIntVector();
    sizes[0] = expected.empty() ? sizes[0] : std::accumulate(expected.begin(), expected.end(), std::int64_t{0});
    expected = splitsOf(args[1], sizes[0], party);
    const at::Tensor result = at::zeros(sizes, input.options());
    Contribution mine = contribution("all_to_all_single", {input});
    mine.call = callText("all_to_all_single of rows", {input.narrow(0, 0, 0)});
    mine.splits = splitsOf(args[2], input.size(0), party);
    const auto check = [expected, group = party.group](const Contributions& all) {
        for (std::size_t i = 0; i < all.size() && !all.allSame(); ++i) requireRows(all, i, group, expected[i]);
    };
    const auto fill = [=, index = party.group.index](const Contributions& all) {
        check(all);
        std::int64_t row = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const at::Tensor rows = rowsFor(all[i], index);
            result.narrow(0, row, expected[i]).copy_(rows.size(0) == expected[i] ? rows : rows.sum(0, true));
            row += expected[i];
        }
    };
    const auto onGpus = [sent = mine.splits, expected](const NcclCommunicator& nccl, const Tensors& brought,
                                                       const Tensors& results) {
        nccl.allToAll(brought[0], sent, results[0], expected);
    };
    party.exchange(std::move(mine), {{result}, fill, check, onGpus});
    return result;
}

void broadcastInto(const at::Tensor& input, const at::Tensor& result, Arguments args) {
    const Party party(args[2]);
    const std::size_t source = party.peer(args[1].toInt(), "broadcast");
    Outcome outcome{{result}, [=](const Contributions& all) { result.copy_(all[source].tensors[0]); }};
    outcome.onGpus = forEach(
        [source](const auto& nccl, const auto& mine, const auto& filled) { nccl.broadcast(mine, filled, source); });
    party.exchange(contribution("broadcast from rank " + std::to_string(source), {input}), std::move(outcome));
}
c10::IValue broadcastNew(Arguments args) {
    const at::Tensor input = args[0].toTensor(), result = at::zeros_like(input);
    broadcastInto(input, result, args);
    return result;
}
c10::IValue broadcastInPlace(Arguments args) {
    const at::Tensor input = args[0].toTensor();
    broadcastInto(input, input, args);
    return written(input);
}

/// input, gather_dim, shard_dim, group: every rank gets its shard along shard_dim from all ranks, concatenated along
/// gather_dim. Synchronous.
c10::IValue shardDimAllToAll(Arguments args) {
    const Party party(args[3]);
    const at::Tensor input = args[0].toTensor();
    const std::int64_t dims = input.dim(), along = c10::maybe_wrap_dim(args[1].toInt(), dims),
                       across = c10::maybe_wrap_dim(args[2].toInt(), dims);
    if (input.size(across) % party.size() != 0)
        throw Error("shard_dim_alltoall cuts dimension " + std::to_string(across) + " of " + typeText(input) +
                    " into " + std::to_string(party.size()) + " parts, which does not go");
    const std::int64_t piece = input.size(across) / party.size(), rows = input.size(along);
    std::vector<std::int64_t> sizes = input.sizes().vec();
    sizes[static_cast<std::size_t>(across)] = piece;
    sizes[static_cast<std::size_t>(along)] *= party.size();
    at::Tensor result = at::zeros(sizes, input.options());
    const auto fill = [=, me = party.index()](const Contributions& all) {
        for (std::size_t i = 0; i < all.size(); ++i)
            result.narrow(along, static_cast<std::int64_t>(i) * rows, rows)
                .copy_(all[i].tensors[0].narrow(across, me * piece, piece));
    };
    party.exchange(contribution("shard_dim_alltoall", {input}), {{result}, fill});
    party.world->wait(result);
    return result;
}

void sendTo(const Party& party, const at::Tensor& tensor, std::int64_t peer, std::int64_t tag) {
    party.world->send(party.group, party.peer(peer, "isend"), tag, contribution("a message", {tensor}));
}
at::Tensor receiveFrom(const Party& party, const at::Tensor& like, std::int64_t peer, std::int64_t tag) {
    at::Tensor result = at::zeros_like(like);
    party.world->receive(party.group, party.peer(peer, "irecv"), tag, callText("a message", {like}), result);
    return result;
}
c10::IValue send(Arguments args) {
    const at::Tensor tensor = args[0].toTensor();
    sendTo(Party(args[3]), tensor, args[1].toInt(), args[2].toInt());
    return at::zeros({0}, tensor.options());
}
c10::IValue receive(Arguments args) {
    return receiveFrom(Party(args[3]), args[0].toTensor(), args[1].toInt(), args[2].toInt());
}
/// op_list, peer_list, tag_list, tensors, group
c10::IValue sendAndReceive(Arguments args) {
    const auto operations = args[0].toListRef();
    const auto peers = args[1].toIntVector(), tags = args[2].toIntVector();
    const Tensors tensors = args[3].toTensorVector();
    if (peers.size() != operations.size() || tags.size() != operations.size() || tensors.size() != operations.size())
        throw Error("batch_p2p_ops is given lists of different lengths");
    const Party party(args[4]);
    Tensors results;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const std::string& what = operations[i].toStringRef();
        if (what != "isend" && what != "irecv")
            throw Error("batch_p2p_ops is given the operation " + inQuotes(what) + "; expected isend or irecv");
        if (what == "isend") sendTo(party, tensors[i], peers[i], tags[i]);
        results.push_back(what == "isend" ? at::zeros({0}, tensors[i].options())
                                          : receiveFrom(party, tensors[i], peers[i], tags[i]));
    }
    return results;
}

c10::IValue wait(Arguments args) {
    const at::Tensor tensor = args[0].toTensor();
    World::current()->wait(tensor);
    return tensor;
}

template <c10::IValue (*kernel)(Arguments)>
void runKernel(const c10::OperatorHandle& op, Stack* stack) {
    const at::AutoDispatchBelowADInplaceOrView noHistory;
    const std::size_t count = op.schema().arguments().size();
    c10::IValue result = kernel(torch::jit::last(*stack, count));
    torch::jit::drop(*stack, count);
    stack->push_back(std::move(result));
}

template <c10::IValue (*kernel)(Arguments)>
torch::CppFunction boxed() {
    return torch::CppFunction::makeFromBoxedFunction<&runKernel<kernel>>();
}

void registerFunctional(torch::Library& library) {
    library.impl("all_reduce", boxed<allReduceNew>());
    library.impl("all_reduce_", boxed<allReduceInPlace>());
    library.impl("all_reduce_coalesced", boxed<allReduceListNew>());
    library.impl("all_reduce_coalesced_", boxed<allReduceInPlace>());
    library.impl("all_gather_into_tensor", boxed<allGatherNew>());
    library.impl("all_gather_into_tensor_out", boxed<allGatherOut>());
    library.impl("all_gather_into_tensor_coalesced", boxed<allGatherNew>());
    library.impl("reduce_scatter_tensor", boxed<reduceScatterNew>());
    library.impl("reduce_scatter_tensor_out", boxed<reduceScatterOut>());
    library.impl("reduce_scatter_tensor_coalesced", boxed<reduceScatterNew>());
    library.impl("all_to_all_single", boxed<allToAll>());
    library.impl("broadcast", boxed<broadcastNew>());
    library.impl("broadcast_", boxed<broadcastInPlace>());
    library.impl("isend", boxed<send>());
    library.impl("irecv", boxed<receive>());
    library.impl("batch_p2p_ops", boxed<sendAndReceive>());
    library.impl("wait_tensor", boxed<wait>());
}

/// Messages between ranks, which LibTorch 2.11 does not have yet.
class MessageSchemas {
public:
    MessageSchemas() : library_(torch::Library::FRAGMENT, "_c10d_functional", std::nullopt, __FILE__, __LINE__) {
        define("isend", "(Tensor tensor, int dst, int tag, str group_name) -> Tensor");
        define("irecv", "(Tensor tensor, int src, int tag, str group_name) -> Tensor");
        define("batch_p2p_ops",
               "(str[] op_list, int[] peer_list, int[] tag_list, Tensor[] tensors, str group_name) "
               "-> Tensor[]");
    }

private:
    void define(const std::string& name, const std::string& signature) {
        if (!c10::Dispatcher::singleton().findSchema({"_c10d_functional::" + name, ""}))
            library_.def((name + signature).c_str());
    }

    torch::Library library_;
};

/// Kernels for one type of device; LibTorch's own, for all devices, require process groups.
class Registration {
public:
    explicit Registration(c10::DispatchKey key)
        : functional_(torch::Library::IMPL, "_c10d_functional", key, __FILE__, __LINE__),
          differentiable_(torch::Library::IMPL, "_c10d_functional_autograd", key, __FILE__, __LINE__),
          placements_(torch::Library::IMPL, "_dtensor", key, __FILE__, __LINE__) {
        registerFunctional(functional_);
        differentiable_.impl("all_gather_into_tensor", boxed<allGatherNew>());
        differentiable_.impl("reduce_scatter_tensor", boxed<reduceScatterNew>());
        differentiable_.impl("all_to_all_single", boxed<allToAll>());
        placements_.impl("shard_dim_alltoall", boxed<shardDimAllToAll>());
    }

private:
    torch::Library functional_, differentiable_, placements_;
};

}  // namespace

void registerCollectiveKernels() {
    static const MessageSchemas schemas;
    static const Registration cpu(c10::DispatchKey::CPU), cuda(c10::DispatchKey::CUDA);
}

}  // namespace aotscope
