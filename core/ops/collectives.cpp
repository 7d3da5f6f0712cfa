#include "ops/collectives.h"

#include "ops/op_table.h"
#include "ops/redistribution.h"
#include "support/enumerators.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

/// The positions of arguments that every collective has.
struct CallLayout {
    std::string_view name;  ///< also with the suffixes "_", "_coalesced" and "_out"
    CollectiveKind kind;
    std::size_t group;
    int reduction, size;  ///< -1: no such argument
};

constexpr std::array<CallLayout, 8> kLayouts = {{
    {"all_reduce", CollectiveKind::allReduce, 2, 1, -1},
    {"all_gather_into_tensor", CollectiveKind::allGather, 2, -1, 1},
    {"reduce_scatter_tensor", CollectiveKind::reduceScatter, 3, 1, 2},
    {"all_to_all_single", CollectiveKind::allToAll, 3, -1, -1},
    {"shard_dim_alltoall", CollectiveKind::allToAll, 3, -1, -1},
    {"broadcast", CollectiveKind::broadcast, 2, -1, -1},
    {"isend", CollectiveKind::send, 3, -1, -1},
    {"irecv", CollectiveKind::receive, 3, -1, -1},
}};
constexpr CallLayout kBatch = {"batch_p2p_ops", CollectiveKind::batch, 4, -1, -1};

const CallLayout* callLayoutOf(std::string_view op) {
    if (!communicates(op)) return nullptr;
    std::string_view name = shortOpName(op);
    if (name == kBatch.name) return &kBatch;
    for (const std::string_view form : {"_", "_out", "_coalesced"})
        if (name.ends_with(form)) name.remove_suffix(form.size());
    const auto found = std::ranges::find(kLayouts, name, &CallLayout::name);
    return found == kLayouts.end() ? nullptr : &*found;
}

std::string textAt(const Node& node, std::size_t position) {
    if (position >= node.args().size()) return {};
    const auto* text = std::get_if<std::string>(&node.args()[position].value);
    return text ? *text : std::string();
}

std::int64_t bytesOf(const Argument& argument) {
    std::int64_t bytes = 0;
    forEachNode(argument, [&](const Node* node) { bytes += node->type.tensorBytes(); });
    return bytes;
}

/// The share of a ring's data that a rank sends.
std::int64_t shareOfOthers(std::int64_t bytes, std::int64_t size) {
    return static_cast<std::int64_t>(static_cast<double>(bytes) * static_cast<double>(size - 1) /
                                     static_cast<double>(size));
}

}  // namespace

std::string_view name(CollectiveKind kind) {
    return kind == CollectiveKind::batch ? "sends and receives" : spelled<'-'>(kind);
}

std::string kindAndReduction(const Collective& collective) {
    const std::string kind(name(collective.kind));
    return (collective.reduction.empty() ? kind : kind + " (" + collective.reduction + ")") +
           (collective.redistribution.empty() ? "" : ", redistributes " + collective.redistribution);
}

bool communicates(std::string_view op) {
    return op.starts_with("_c10d_functional.") || op.starts_with("_c10d_functional_autograd.") ||
           op.starts_with("_dtensor.shard_dim_alltoall");
}

std::optional<Collective> collectiveOf(const Node& node) {
    const CallLayout* layout = node.kind() == NodeKind::call ? callLayoutOf(node.op()) : nullptr;
    if (!layout) return std::nullopt;
    Collective collective;
    collective.kind = layout->kind;
    collective.group = textAt(node, layout->group);
    if (layout->reduction >= 0) collective.reduction = textAt(node, static_cast<std::size_t>(layout->reduction));
    const auto size = static_cast<std::size_t>(layout->size);
    if (layout->size >= 0 && size < node.args().size())
        if (const auto* count = node.args()[size].integer()) collective.groupSize = *count;
    const std::size_t inputs = layout == &kBatch ? 3 : 0;
    if (inputs < node.args().size()) collective.inputBytes = bytesOf(node.args()[inputs]);
    collective.resultBytes = node.type.tensorBytes();
    collective.redistribution = redistributionOf(node);
    return collective;
}

bool isWait(const Node& node) {
    return node.kind() == NodeKind::call && packetOf(node.op()) == "_c10d_functional.wait_tensor";
}

const Node* waitedFor(const Node& wait) {
    const Node* made = isWait(wait) && !wait.args().empty() ? wait.args()[0].node() : nullptr;
    if (made && isGetitem(*made)) made = made->args().empty() ? nullptr : made->args()[0].node();
    return made && collectiveOf(*made) ? made : nullptr;
}

std::vector<const Node*> waitsFor(const Node& collective) {
    std::vector<const Node*> waits;
    const auto collect = [&](const Node& result) {
        for (const Node* user : result.users())
            if (isWait(*user)) waits.push_back(user);
    };
    collect(collective);
    for (const Node* user : collective.users())
        if (isGetitem(*user)) collect(*user);
    return waits;
}

void noteGroupSizes(const Graph& graph, RankGroups& groups) {
    for (const Node* node : graph.nodes())
        if (const auto collective = collectiveOf(*node); collective && collective->groupSize)
            groups.note(collective->group, *collective->groupSize);
}

bool isMessage(CollectiveKind kind) {
    return kind == CollectiveKind::send || kind == CollectiveKind::receive || kind == CollectiveKind::batch;
}

std::vector<RankMessage> messagesOf(const Node& node, const Collective& call) {
    const auto& args = node.args();
    const bool batch = call.kind == CollectiveKind::batch;
    if (!isMessage(call.kind) || args.size() < 4) return {};
    const auto listed = [](const Argument& argument) {
        return argument.list() ? *argument.list() : Argument::List{argument};
    };
    const auto peers = listed(args[1]), tags = listed(args[2]), tensors = listed(args[batch ? 3 : 0]);
    const auto kinds = batch ? listed(args[0]) : Argument::List();
    std::vector<RankMessage> messages;
    for (std::size_t m = 0; m < std::min({peers.size(), tags.size(), tensors.size()}); ++m) {
        const auto *peer = peers[m].integer(), *tag = tags[m].integer();
        const auto* kind = m < kinds.size() ? std::get_if<std::string>(&kinds[m].value) : nullptr;
        const bool sends = batch ? kind && *kind == "isend" : call.kind == CollectiveKind::send;
        if (peer && tag && tensors[m].node()) messages.push_back({*peer, *tag, sends, tensors[m].node()});
    }
    return messages;
}

std::int64_t bytesOnTheWire(const Collective& collective, std::int64_t size) {
    if (size <= 1) return 0;
    switch (collective.kind) {
        case CollectiveKind::allReduce: return 2 * shareOfOthers(collective.inputBytes, size);
        case CollectiveKind::allGather: return shareOfOthers(collective.resultBytes, size);
        case CollectiveKind::reduceScatter:
        case CollectiveKind::allToAll: return shareOfOthers(collective.inputBytes, size);
        case CollectiveKind::broadcast:
        case CollectiveKind::send:
        case CollectiveKind::batch: return collective.inputBytes;
        case CollectiveKind::receive: return collective.resultBytes;
    }
    return 0;
}

std::int64_t bytesAtMeeting(const Collective& collective, std::int64_t size) {
    const std::int64_t input = collective.inputBytes;
    switch (collective.kind) {
        case CollectiveKind::allReduce: return input + input * size;
        case CollectiveKind::allGather: return input + collective.resultBytes;
        case CollectiveKind::reduceScatter:
        case CollectiveKind::allToAll:
        case CollectiveKind::broadcast: return 2 * input;
        case CollectiveKind::send:
        case CollectiveKind::batch: return input;
        case CollectiveKind::receive: return collective.resultBytes;
    }
    return 0;
}

}  // namespace aotscope
