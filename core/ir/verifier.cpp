#include "ir/verifier.h"

#include "ir/subgraphs.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

class Verifier {
public:
    explicit Verifier(const Graph& graph) : graph_(graph) {}

    std::vector<std::string> run() {
        collectEdges();
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Node* node = graph_.at(i);
            identity(*node);
            edges(*node);
            position(*node, i);
            getitem(*node);
            subgraphs(*node);
            defined_.insert(node);
        }
        if (graph_.size() == 0 || graph_.at(graph_.size() - 1)->kind() != NodeKind::output)
            findings_.push_back("graph '" + graph_.name() + "' does not end with an output node");
        else if (graph_.outputs().size() != graph_.outputSlots().size())
            findings_.push_back("graph '" + graph_.name() + "' has " + counted(graph_.outputs().size(), "output") +
                                " but " + counted(graph_.outputSlots().size(), "slot"));
        return std::move(findings_);
    }

private:
    using Edge = std::pair<const Node*, const Node*>;  ///< a node, and one that uses it

    void found(const Node& node, const std::string& what) { findings_.push_back("%" + node.name() + ": " + what); }

    void identity(const Node& node) {
        if (!names_.insert(node.name()).second) found(node, "its name is used twice");
        if (!ids_.insert(node.id()).second) found(node, "its id " + std::to_string(node.id()) + " is used twice");
    }

    void edges(const Node& node) {
        for (const Node* input : node.inputs()) {
            if (!defined_.contains(input)) found(node, "uses %" + input->name() + ", which is not defined above it");
            if (!once(users_, {input, &node})) found(node, "is not among the users of its input %" + input->name());
        }
        for (const Node* user : node.users())
            if (!once(uses_, {&node, user}))
                found(node, "lists %" + user->name() + " as a user, which does not use it");
    }

    void collectEdges() {
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Node* node = graph_.at(i);
            for (const Node* input : node->inputs()) uses_.emplace_back(input, node);
            for (const Node* user : node->users()) users_.emplace_back(node, user);
        }
        std::ranges::sort(uses_);
        std::ranges::sort(users_);
    }

    static bool once(const std::vector<Edge>& edges, const Edge& edge) {
        return std::ranges::equal_range(edges, edge).size() == 1;
    }

    void position(const Node& node, std::size_t index) {
        if (node.kind() == NodeKind::output && index + 1 != graph_.size())
            found(node, "an output node must be the last");
        if (node.kind() == NodeKind::placeholder && calls_) found(node, "a placeholder must stand before all calls");
        calls_ = calls_ || node.kind() == NodeKind::call;
        if (node.kind() == NodeKind::call && node.op().empty()) found(node, "a call needs an operation");
    }

    void subgraphs(const Node& node) {
        for (const auto& subgraph : subgraphsOf(node)) {
            if (!subgraph) {
                found(node, "takes a subgraph that does not exist");
                continue;
            }
            const auto [it, isNew] = subgraphs_.emplace(subgraph->name(), subgraph.get());
            if (it->second != subgraph.get()) found(node, "takes a second subgraph of the name @" + subgraph->name());
            if (!isNew) continue;
            for (const std::string& finding : verifyGraph(*subgraph))
                findings_.push_back("@" + subgraph->name() + ": " + finding);
        }
    }

    void getitem(const Node& node) {
        if (!node.isCall("operator.getitem")) return;
        if (node.args().size() != 2 || !node.args()[0].node() || !node.args()[1].integer())
            return found(node, "getitem takes a node and an index");
        const auto* tuple = node.args()[0].node()->type.tuple();
        const auto index = *node.args()[1].integer();
        if (tuple && (index < 0 || index >= static_cast<std::int64_t>(tuple->size())))
            found(node, "takes element " + std::to_string(index) + " of a tuple of " + std::to_string(tuple->size()));
    }

    const Graph& graph_;
    std::vector<std::string> findings_;
    std::unordered_set<const Node*> defined_;
    std::vector<Edge> uses_, users_;  ///< according to inputs and to users, sorted
    std::unordered_set<std::string> names_;
    std::unordered_set<NodeId> ids_;
    std::unordered_map<std::string, const Graph*> subgraphs_;
    bool calls_ = false;  ///< whether a call has been seen
};

}  // namespace

std::vector<std::string> verifyGraph(const Graph& graph) { return Verifier(graph).run(); }

void requireSound(const Graph& graph, std::string_view after) {
    const auto findings = verifyGraph(graph);
    check(findings.empty(), "after pass '" + std::string(after) + "': " + (findings.empty() ? "" : findings.front()));
}

}  // namespace aotscope
