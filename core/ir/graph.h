#pragma once

#include "ir/types.h"

#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace aotscope {

class Graph;
class Node;

/// Identifies a node across the passes of one pipeline: a pass keeps the id of every node that it keeps.
using NodeId = std::int32_t;
inline constexpr NodeId kNoNode = -1;

enum class NodeKind : std::uint8_t { placeholder, constant, call, output };

/// Which half of a training step computes a node.
enum class Stage : std::uint8_t { forward, backward };

/// What a placeholder stands for, or what an output is for.
enum class Role : std::uint8_t {
    none,
    // placeholders
    parameter,
    buffer,
    userInput,
    syntheticBase,
    tangent,
    // outputs of a forward or inference graph
    mutatedInput,
    userOutput,
    intermediateBase,
    // outputs of a forward graph and placeholders of its backward
    saved,
    savedSymint,
    // outputs of a backward graph
    gradient,
};
std::string_view name(Role role);
std::optional<Role> roleFromName(std::string_view name);

/// Where in the user's model a node comes from. Shared by all nodes of one source operation.
struct SourceInfo {
    std::string module;      ///< "layer1.0.conv1"; empty for the top level
    std::string moduleType;  ///< "Conv2d"
    std::string file;
    std::int32_t line = 0;
    std::string text;  ///< the source line itself
    bool operator==(const SourceInfo&) const = default;
};

/// Whether autograd saves an operation's own result for its backward (as relu does), and what hides that result from
/// its own history: a detach, or an alias where detach is decomposed.
enum class SavedOutput : std::uint8_t { no, detached, aliased };

/// The autograd node that links a backward operation to the forward operation it differentiates.
struct AutogradLink {
    std::int64_t sequence = -1;                 ///< sequence number of the autograd node; -1: none
    std::string function;                       ///< backward only: "ConvolutionBackward0"
    NodeId forward = kNoNode;                   ///< backward only: the forward node that it differentiates
    SavedOutput savedOutput = SavedOutput::no;  ///< forward only
    bool operator==(const AutogradLink&) const = default;
};

/// What activation checkpointing asks of an operation's results. Source: CheckpointPolicy in torch/utils/checkpoint.py.
enum class CheckpointPolicy : std::uint8_t { none, mustSave, preferSave, mustRecompute, preferRecompute };
inline constexpr int kCheckpointPolicies = 5;
/// As PyTorch prints it: "MUST_SAVE"; empty for none.
std::string_view name(CheckpointPolicy policy);
/// Nothing for any other text.
std::optional<CheckpointPolicy> checkpointPolicyFromName(std::string_view name);

/// The tags of an operation in a checkpointed region: node.meta["recompute"] and node.meta["ac_graph_id"].
struct CheckpointTag {
    CheckpointPolicy policy = CheckpointPolicy::none;
    std::int32_t region = -1;  ///< regions that run later have larger numbers; -1: in none
    bool operator==(const CheckpointTag&) const = default;
    bool isSet() const { return policy != CheckpointPolicy::none || region >= 0; }
};

/// An argument of an operation. Lists nest; a Node* is an edge. A subgraph is what a higher-order operator runs (cond,
/// map): a finished graph with ids and names of its own that takes everything it reads as inputs, so that it has no
/// edges out of it. It never changes, and copies of a graph share it. Its name is unique within the graph that owns it.
struct Argument {
    using List = std::vector<Argument>;
    using Subgraph = std::shared_ptr<const Graph>;
    std::variant<std::monostate, Node*, std::int64_t, double, bool, std::string, DType, Device, Layout, MemoryFormat,
                 std::complex<double>, List, Subgraph>
        value;

    Argument() = default;
    template <typename T>
    Argument(T v) : value(std::move(v)) {}  // NOLINT(google-explicit-constructor): arguments read as literals
    Argument(const char* text) : value(std::string(text)) {}
    Argument(int number) : value(std::int64_t{number}) {}

    bool isNone() const { return std::holds_alternative<std::monostate>(value); }
    Node* node() const {
        auto* n = std::get_if<Node*>(&value);
        return n ? *n : nullptr;
    }
    const List* list() const { return std::get_if<List>(&value); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value); }
    const Subgraph* subgraph() const { return std::get_if<Subgraph>(&value); }
    bool operator==(const Argument&) const = default;
};

using KeywordArguments = std::vector<std::pair<std::string, Argument>>;

/// Calls `visit(Node*)` for every node among `argument` and its nested lists, left to right.
template <typename Visit>
void forEachNode(const Argument& argument, Visit&& visit) {
    if (auto* node = argument.node()) visit(node);
    if (auto* list = argument.list())
        for (const auto& element : *list) forEachNode(element, visit);
}

/// `argument` with every node replaced by `map(Node*)`, itself an Argument.
template <typename Map>
Argument mapNodes(const Argument& argument, Map&& map) {
    if (auto* node = argument.node()) return map(node);
    if (auto* list = argument.list()) {
        Argument::List mapped;
        mapped.reserve(list->size());
        for (const auto& element : *list) mapped.push_back(mapNodes(element, map));
        return mapped;
    }
    return argument;
}

/// A value of the program and the operation that computes it. Owned by its Graph and always passed as a raw pointer;
/// edges change only through Graph, which keeps inputs and users consistent.
class Node {
public:
    NodeId id() const { return id_; }
    NodeKind kind() const { return kind_; }
    const std::string& name() const { return name_; }
    /// "aten.mm.default", "operator.getitem"; for a constant the attribute's name; else empty.
    const std::string& op() const { return op_; }
    bool isCall(std::string_view op) const { return kind_ == NodeKind::call && op_ == op; }

    const std::vector<Argument>& args() const { return args_; }
    const KeywordArguments& kwargs() const { return kwargs_; }
    /// Distinct nodes among the arguments, in order of first appearance.
    std::span<Node* const> inputs() const { return inputs_; }
    /// Distinct nodes that have this one among their arguments.
    std::span<Node* const> users() const { return users_; }

    ValueType type;
    Stage stage = Stage::forward;
    Role role = Role::none;  ///< placeholders only
    std::string label;       ///< placeholders: the user's name of it, "layer1.0.conv1.weight"
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

/// What an output of the graph is for; parallel to the arguments of the output node.
struct OutputSlot {
    Role role = Role::userOutput;
    std::string label;
    bool operator==(const OutputSlot&) const = default;
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

    /// The symbols that sizes in this graph are expressed by; empty where all sizes are fixed.
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

    /// New nodes are appended, before the output if there is one. `name` is made unique with a suffix _1, _2, ...
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
    void replaceAllUses(Node* node, Node* replacement);
    /// Removes every node for which `dead` is true. The remaining nodes must not use a removed one.
    template <typename Predicate>
    std::size_t eraseIf(Predicate&& dead) {
        byId_.clear();
        for (auto& node : nodes_)
            if (dead(node.get())) detach(node.get());
        return std::erase_if(nodes_, [](const auto& node) { return node->id_ == kNoNode; });
    }
    /// Puts the nodes into the order of `order`, a permutation of nodes().
    void reorder(const std::vector<Node*>& order);

    /// A deep copy with the same ids, names and attributes.
    std::unique_ptr<Graph> clone() const;

    /// For the parser, which sets ids and names itself.
    void setIdentity(Node* node, NodeId id);
    /// Lets findById() find nodes at once although ids do not ascend, until the graph changes.
    void indexIds();

private:
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
    };

    Node* append(NodeKind kind, std::string_view baseName);
    Node* adopt(const Node& original);
    void detach(Node* node);
    std::string uniqueName(std::string_view base);

    std::string name_;
    std::vector<Symbol> symbols_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<OutputSlot> outputSlots_;
    std::unordered_map<std::string, int, NameHash, std::equal_to<>> nameCounts_;
    std::vector<Node*> byId_;  ///< all nodes, by id; empty: ids ascend, or the graph may still change
    NodeId nextId_ = 0;
};

/// The operator without its overload: "aten.add" for "aten.add.Tensor". PyTorch's overload packet.
std::string_view packetOf(std::string_view op);
/// The bare name: "add" of "aten.add.Tensor".
std::string_view shortOpName(std::string_view op);

/// How often each operation occurs among the calls.
std::map<std::string, int> opHistogram(const Graph& graph);

}  // namespace aotscope
