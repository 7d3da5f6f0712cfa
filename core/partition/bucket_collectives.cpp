#include "partition/bucket_collectives.h"

#include "ir/printer.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "partition/collective_places.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace aotscope {

namespace {

constexpr std::string_view kOverload = ".default";

/// Whether the operator has a coalesced form with the same arguments, except for a list of operands.
bool canBeCoalesced(const Node& node) {
    constexpr std::array<std::string_view, 3> ops = {"_c10d_functional.all_gather_into_tensor.default",
                                                     "_c10d_functional.reduce_scatter_tensor.default",
                                                     "_c10d_functional.all_reduce.default"};
    if (node.kind() != NodeKind::call || std::ranges::find(ops, node.op()) == ops.end()) return false;
    const auto users = node.users();
    return node.kwargs().empty() && !node.args().empty() && node.args()[0].node() && node.type.tensor() &&
           !users.empty() && std::ranges::all_of(users, [](const Node* user) { return isWait(*user); });
}

/// Equal for collectives that can be merged: the operator, its arguments except the operand, dtype and device.
std::string keyOf(const Node& node) {
    const TensorType& type = *node.type.tensor();
    std::string key = node.op() + " " + std::string(shortName(type.dtype)) + " " + type.device.name;
    for (std::size_t i = 1; i < node.args().size(); ++i) key += " " + printArgument(node.args()[i]);
    return key;
}

struct Bucket {
    std::vector<Node*> members;
    std::int64_t bytes = 0;
    std::size_t first = 0;  ///< where the first member is issued
    std::size_t ready = 0;  ///< where all operands are available
    std::size_t use = 0;    ///< where the first result is needed

    /// Before this node of the old order.
    std::size_t place() const { return std::max(first, ready); }
};

/// Buckets that respect graph order: after operands, and before uses.
std::vector<Bucket> bucketsIn(const CollectivePlaces& places, std::int64_t most) {
    std::vector<Bucket> buckets;
    std::map<std::string, std::size_t> open;  // by key: the bucket being filled
    const auto joins = [&](const Bucket& bucket, const Bucket& one) {
        return bucket.bytes + one.bytes <= most &&
               std::max({bucket.first, bucket.ready, one.ready}) <= std::min(bucket.use, one.use);
    };
    for (Node* node : places.nodes()) {
        if (!canBeCoalesced(*node)) continue;
        const std::int64_t bytes = std::max(node->args()[0].node()->type.tensorBytes(), node->type.tensorBytes());
        const Bucket one{{node}, bytes, places.of(node), places.ready(*node), places.use(*node)};
        const auto [last, isNew] = open.try_emplace(keyOf(*node), buckets.size());
        if (!isNew && joins(buckets[last->second], one)) {
            Bucket& bucket = buckets[last->second];
            bucket.members.push_back(node);
            bucket.bytes += bytes;
            bucket.ready = std::max(bucket.ready, one.ready);
            bucket.use = std::min(bucket.use, one.use);
            continue;
        }
        last->second = buckets.size();
        buckets.push_back(one);
    }
    std::erase_if(buckets, [](const Bucket& bucket) { return bucket.members.size() < 2; });
    std::ranges::stable_sort(buckets, {}, [](const Bucket& bucket) { return std::pair(bucket.place(), bucket.first); });
    return buckets;
}

class BucketWriter {
public:
    BucketWriter(Graph& graph, const CollectivePlaces& places, NodeId& nextId)
        : graph_(graph), places_(places), nextId_(nextId), order_(places) {}

    std::size_t write(const std::vector<Bucket>& buckets) {
        std::set<const Node*> gone;
        for (const Bucket& bucket : buckets) {
            std::vector<Node*> late;  // waits that now precede the bucket, and views of their results
            for (const Node* member : bucket.members)
                for (const Node* wait : waitsFor(*member)) {
                    const std::vector<Node*> held = places_.waitAndViews(*wait, bucket.place());
                    late.insert(late.end(), held.begin(), held.end());
                }
            place(bucket);
            std::ranges::sort(late, {}, [&](const Node* node) { return places_.of(node); });
            for (Node* node : late) order_.put(bucket.place(), node);
            gone.insert(bucket.members.begin(), bucket.members.end());
        }
        for (const Node* node : gone) order_.drop(node);
        const std::vector<Node*> order = order_.order();
        graph_.eraseIf([&](const Node* node) { return gone.contains(node); });
        graph_.reorder(order);
        return gone.size();
    }

private:
    void place(const Bucket& bucket) {
        const Node& first = *bucket.members.front();
        Argument::List operands;
        TupleType types;
        for (const Node* member : bucket.members) {
            operands.push_back(member->args()[0]);
            types.push_back(member->type);
        }
        std::vector<Argument> args = first.args();
        args[0] = std::move(operands);
        const std::string op = first.op().substr(0, first.op().size() - kOverload.size()) + "_coalesced.default";
        Node* all = make(op, std::move(args), {std::move(types)}, first);
        order_.put(bucket.place(), all);
        for (std::size_t i = 0; i < bucket.members.size(); ++i) {
            Node* member = bucket.members[i];
            Node* element = make("operator.getitem", {all, static_cast<std::int64_t>(i)}, member->type, *member);
            graph_.replaceAllUses(member, element);
            order_.put(bucket.place(), element);
        }
    }

    Node* make(std::string op, std::vector<Argument> args, ValueType type, const Node& like) {
        Node* node = graph_.addCall(std::move(op), std::move(args), {}, std::move(type));
        graph_.setIdentity(node, nextId_++);
        node->stage = like.stage;
        node->source = like.source;
        node->autograd = like.autograd;
        return node;
    }

    Graph& graph_;
    const CollectivePlaces& places_;
    NodeId& nextId_;
    Reordering order_;
};

}  // namespace

std::size_t bucketCollectives(Graph& graph, std::int64_t bytes, NodeId& nextId) {
    if (exchangesMessages(graph)) return 0;
    const CollectivePlaces places(graph.nodes());
    const std::vector<Bucket> buckets = bucketsIn(places, bytes);
    return buckets.empty() ? 0 : BucketWriter(graph, places, nextId).write(buckets);
}

}  // namespace aotscope
