#pragma once

#include "ir/argument.h"
#include "ir/node_attributes.h"
#include "ir/types.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// A value of the program and the operation that computes it. Owned by its Graph and always passed as a raw pointer;
/// edges change only through Graph, which keeps inputs and users consistent.
class Node {
public:
    NodeId id() const { return id_; }
    NodeKind kind() const { return kind_; }
    const std::string& name() const { return name_; }
    /// "aten.mm.default", "operator.getitem"; for a constant, the attribute's name; otherwise empty.
    const std::string& op() const { return op_; }
    bool isCall(std::string_view op) const { return kind_ == NodeKind::call && op_ == op; }

    const std::vector<Argument>& args() const { return args_; }
    const KeywordArguments& kwargs() const { return kwargs_; }
    /// The argument at `position`, or the one with that keyword; null if neither is given.
    const Argument* argument(std::size_t position, std::string_view keyword) const;
    /// Distinct nodes among the arguments, in order of first appearance.
    std::span<Node* const> inputs() const { return inputs_; }
    /// Distinct nodes that have this one among their arguments.
    std::span<Node* const> users() const { return users_; }

    ValueType type;
    Stage stage = Stage::forward;
    Role role = Role::none;  ///< placeholders only
    std::string label;       ///< placeholders: the user's name, "layer1.0.conv1.weight"
    std::shared_ptr<const SourceInfo> source;
    AutogradLink autograd;
    CheckpointTag checkpoint;

private:
    friend class Graph;
    NodeId id_ = kNoNode;
    NodeKind kind_ = NodeKind::call;
    std::string name_, op_;
    std::vector<Argument> args_;
    KeywordArguments kwargs_;
    std::vector<Node*> inputs_, users_;
};

/// A straight-line program in SSA form. nodes() is in execution order, which is also the order of printing and of table
/// rows. A finished graph ends with exactly one output node.
class Graph {
public:
    explicit Graph(std::string name) : name_(std::move(name)) {}
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    const std::string& name() const { return name_; }
    void rename(std::string name) { name_ = std::move(name); }

    /// The symbols used in sizes of this graph; empty if all sizes are static.
    const std::vector<Symbol>& symbols() const { return symbols_; }
    void setSymbols(std::vector<Symbol> symbols) { symbols_ = std::move(symbols); }

    std::size_t size() const { return nodes_.size(); }
    Node* at(std::size_t index) const { return nodes_[index].get(); }
    std::vector<Node*> nodes() const;
    std::vector<Node*> placeholders() const;
    Node* output() const;
    const std::vector<Argument>& outputs() const { return output()->args(); }
    const std::vector<OutputSlot>& outputSlots() const { return outputSlots_; }
    /// Number of leading outputs that belong to the forward; the rest are gradients (joint graphs).
    std::size_t forwardOutputCount() const;
    std::size_t callCount() const;
    Node* findByName(std::string_view name) const;
    Node* findById(NodeId id) const;

    /// New nodes are appended, before the output if present. `name` is made unique with a suffix _1, _2, ...
    Node* addPlaceholder(std::string_view name, ValueType type, Role role = Role::none, std::string label = {});
    Node* addConstant(std::string_view attribute, ValueType type, std::string_view name = {});
    Node* addCall(std::string op, std::vector<Argument> args, KeywordArguments kwargs, ValueType type,
                  std::string_view name = {});
    Node* setOutput(std::vector<Argument> values, std::vector<OutputSlot> slots);
    /// Copies `node` of another graph with its id and attributes; `map` maps its nodes.
    template <typename Map>
    Node* copyNode(const Node* node, Map&& map) {
        Node* copy = adopt(*node);
        std::vector<Argument> args;
        args.reserve(node->args().size());
        for (const auto& a : node->args()) args.push_back(mapNodes(a, map));
        KeywordArguments kwargs;
        for (const auto& [key, a] : node->kwargs()) kwargs.emplace_back(key, mapNodes(a, map));
        setArguments(copy, std::move(args), std::move(kwargs));
        return copy;
    }

    void setArguments(Node* node, std::vector<Argument> args, KeywordArguments kwargs = {});
    /// `name` is made unique, as for new nodes.
    void rename(Node* node, std::string_view name) { node->name_ = uniqueName(name); }
    void replaceAllUses(Node* node, Node* replacement);
    /// Removes every node for which `dead` is true. The remaining nodes must not use a removed one.
    template <typename Predicate>
    std::size_t eraseIf(Predicate&& dead) {
        std::vector<Node*> removed;
        for (auto& node : nodes_)
            if (dead(node.get())) removed.push_back(node.get());
        return erase(removed);
    }
    /// Puts the nodes into the order of `order`, a permutation of nodes().
    void reorder(const std::vector<Node*>& order);

    /// A deep copy with the same ids, names and attributes.
    std::unique_ptr<Graph> clone() const;

    /// For the parser, which assigns ids and names itself.
    void setIdentity(Node* node, NodeId id);
    /// Speeds up findById() if ids are not ascending, until the graph changes.
    void indexIds();

private:
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
    };

    Node* append(NodeKind kind, std::string_view baseName);
    Node* adopt(const Node& original);
    std::size_t erase(const std::vector<Node*>& removed);
    std::string uniqueName(std::string_view base);

    std::string name_;
    std::vector<Symbol> symbols_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<OutputSlot> outputSlots_;
    std::unordered_map<std::string, int, NameHash, std::equal_to<>> nameCounts_;
    std::vector<Node*> byId_;  ///< all nodes, by id; empty if ids ascend, or if the graph may still change
    NodeId nextId_ = 0;
};

/// The number of calls of each operation.
std::map<std::string, int> opHistogram(const Graph& graph);

}  // namespace aotscope
