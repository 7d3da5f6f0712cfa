#include "ir/node_pairing.h"
#include "ir/printer.h"
#include "ir/subgraphs.h"

#include <functional>

namespace aotscope {

namespace {

using Hash = std::size_t;

constexpr std::size_t kMostCandidates = 64;  ///< users of one value to consider
constexpr std::size_t kManyUsers = 1000;     ///< a size that everything uses does not identify a node

Hash mixed(Hash a, Hash b) { return a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2)); }

/// In-place and functional variants of an operation, and its overloads, count as alike.
std::string_view family(const Node& node) {
    std::string_view op = packetOf(node.op());
    if (op.ends_with('_')) op.remove_suffix(1);
    return op;
}

bool isAlike(const Node& a, const Node& b) {
    return a.kind() == b.kind() && a.stage == b.stage && family(a) == family(b);
}

/// Pairs values that are computed alike from the same inputs. Values computed from something that changed are found
/// through their operands, then through their users.
class ContentMatch : NodePairing {
public:
    ContentMatch(const Graph& before, const Graph& after) : NodePairing(before, after) {}

    NodePairs run() {
        pairPlaceholders();
        pairConstants();
        pairEqualValues();
        for (int round = 0; round < 2; ++round) {
            followOperands();
            followUsers();
        }
        pairLeftovers();
        pairReplaced();
        pairOutputs();
        return pairs();
    }

private:
    /// By name and type, then by name, then by position.
    void pairPlaceholders() {
        pairInputs([this](const Nodes& inputs, const Nodes& others) {
            pairByKey(inputs, others, [](const Node& n) { return nameOfInput(n) + "|" + printType(n.type); });
            pairByKey(inputs, others, nameOfInput);
            pairByKey(inputs, others, [](const Node& n) { return printType(n.type); });
            pairByKey(inputs, others, [](const Node&) { return 0; });
        });
        pairByKey(freeOf(before_, NodeKind::placeholder), freeOf(after_, NodeKind::placeholder), nameOfInput);
    }

    void pairConstants() {
        const Nodes constants = freeOf(before_, NodeKind::constant), others = freeOf(after_, NodeKind::constant);
        pairByKey(constants, others, [](const Node& n) { return n.op(); });
        pairByKey(constants, others, [](const Node& n) { return n.name(); });
        pairByKey(constants, others, [](const Node& n) { return printType(n.type); });
    }

    Hash hashOf(const Argument& argument) const {
        if (const Node* node = argument.node()) {
            const auto it = hashes_.find(node);
            return it == hashes_.end() ? 0 : it->second;
        }
        Hash hash = argument.value.index();
        if (const auto* list = argument.list()) {
            for (const Argument& element : *list) hash = mixed(hash, hashOf(element));
            return hash;
        }
        if (const auto* graph = argument.subgraph()) return mixed(hash, (*graph)->callCount());
        return mixed(hash, std::hash<std::string>()(printArgument(argument)));
    }

    /// Hashes how a value is computed, back to the inputs. Paired inputs have equal hashes.
    void hashValues(const Nodes& nodes, const std::unordered_map<const Node*, Hash>& inputs) {
        for (const Node* node : nodes) {
            if (const auto input = inputs.find(node); input != inputs.end()) {
                hashes_[node] = input->second;
                continue;
            }
            Hash hash = mixed(std::hash<std::string>()(node->op()), static_cast<Hash>(node->stage));
            for (const Argument& argument : node->args()) hash = mixed(hash, hashOf(argument));
            for (const auto& [key, argument] : node->kwargs())
                hash = mixed(hash, mixed(std::hash<std::string>()(key), hashOf(argument)));
            hashes_[node] = hash;
        }
    }

    /// Pairs equal values by name, then in order.
    void pairEqualValues() {
        std::unordered_map<const Node*, Hash> inputs;
        for (const auto& [a, b] : twins()) inputs[a] = inputs[b] = mixed(0x51ed, static_cast<Hash>(a->id()));
        hashValues(before_, inputs);
        hashValues(after_, inputs);
        const Nodes calls = freeOf(before_, NodeKind::call), others = freeOf(after_, NodeKind::call);
        pairByKey(calls, others,
                  [this](const Node& n) { return mixed(hashes_.at(&n), std::hash<std::string>()(n.name())); });
        pairByKey(calls, others, [this](const Node& n) { return hashes_.at(&n); });
    }

    /// The similarity of two calls; operands count most.
    int likeness(const Node& a, const Node& b) const {
        int points = (printType(a.type) == printType(b.type) ? 4 : 0) + (a.name() == b.name() ? 2 : 0) +
                     (a.op() == b.op() ? 4 : 0) + (a.args().size() == b.args().size() ? 1 : 0);
        for (std::size_t i = 0; i < std::min(a.args().size(), b.args().size()); ++i) {
            const Argument &x = a.args()[i], &y = b.args()[i];
            if (x.node() && y.node()) points += twinOf(x.node()) == y.node() ? 8 : 0;
            else points += x == y ? 2 : 0;
        }
        return points;
    }

    /// The unpaired call most similar to `node` among the users of its operands' counterparts.
    template <typename Accept>
    const Node* bestUser(const Node& node, Accept&& accept) const {
        const Node* best = nullptr;
        int most = -1;
        for (const Node* input : node.inputs()) {
            const Node* twin = twinOf(input);
            if (!twin || (twin->users().size() > kManyUsers && node.inputs().size() > 1)) continue;
            std::size_t seen = 0;
            for (const Node* user : twin->users()) {
                if (!isFree(user) || !accept(*user)) continue;
                if (++seen > kMostCandidates) break;
                if (const int points = likeness(node, *user); points > most) {
                    most = points;
                    best = user;
                }
            }
        }
        return best;
    }

    void followOperands() {
        for (const Node* node : before_) {
            if (node->kind() != NodeKind::call || !isFree(node)) continue;
            if (const Node* best = bestUser(*node, [&](const Node& user) { return isAlike(*node, user); }))
                pair(node, best);
        }
    }

    void followUsers() {
        pairOutputs();
        for (auto it = before_.rbegin(); it != before_.rend(); ++it)
            if (const Node* twin = twinOf(*it)) pairOperands((*it)->args(), twin->args());
    }

    void pairOperands(const Argument::List& args, const Argument::List& others) {
        for (std::size_t i = 0; i < std::min(args.size(), others.size()); ++i) {
            const Node *a = args[i].node(), *b = others[i].node();
            if (a && b && isFree(a) && isFree(b) && isAlike(*a, *b)) pair(a, b);
            if (args[i].list() && others[i].list()) pairOperands(*args[i].list(), *others[i].list());
        }
    }

    /// Pairs what neither operands nor users lead to.
    void pairLeftovers() {
        pairByKey(freeOf(before_, NodeKind::call), freeOf(after_, NodeKind::call), [](const Node& n) {
            return n.op() + "|" + (n.source ? n.source->module : "") + "|" + printType(n.type) + "|" +
                   (n.stage == Stage::backward ? "b" : "f");
        });
    }

    /// Pairs an operation with its replacement: equal first operands and result types.
    void pairReplaced() {
        for (const Node* node : before_) {
            if (node->kind() != NodeKind::call || !isFree(node) || node->inputs().empty()) continue;
            const Node* first = twinOf(node->inputs().front());
            const Node* best = bestUser(*node, [&](const Node& user) {
                return user.kind() == NodeKind::call && user.inputs().front() == first &&
                       printType(user.type) == printType(node->type);
            });
            if (best) pair(node, best);
        }
    }

    std::unordered_map<const Node*, Hash> hashes_;
};

}  // namespace

NodePairs matchByContent(const Graph& before, const Graph& after) { return ContentMatch(before, after).run(); }

}  // namespace aotscope
