#include "io/python/graph.h"

#include "io/python/call.h"
#include "io/python/literal.h"
#include "ir/printer.h"
#include "ir/subgraphs.h"
#include "support/quoted.h"

#include <set>
#include <unordered_map>

namespace aotscope {

namespace {

constexpr std::size_t kPythonIndent = 4;

/// Tuples have none: FX annotates their elements.
std::string annotationOf(const Node& node) {
    if (!node.type.tensor() && !node.type.scalar()) return {};
    std::string text = ": \"";
    for (const char c : oneLine(printType(node.type))) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}

std::string checkpointText(const CheckpointTag& tag) {
    if (!tag.isSet()) return {};
    const std::string policy(name(tag.policy));
    if (tag.region < 0) return " recompute: " + policy;
    return " ac_graph_id: " + std::to_string(tag.region) + (policy.empty() ? "" : " - " + policy);
}

/// The origin of a node, and its tags.
std::string commentOn(const Node& node) {
    const SourceInfo* source = node.source.get();
    std::string text = checkpointText(node.checkpoint);
    if (source && !source->file.empty()) {
        text += " File: " + oneLine(source->file) + ":" + std::to_string(source->line);
        if (!source->module.empty()) text += " in " + oneLine(source->module);
        if (!source->text.empty()) text += ", code: " + oneLine(source->text);
    } else if (source && !source->module.empty()) {
        text += " Module: " + oneLine(source->module);
    }
    return "#" + (text.empty() ? " No stacktrace found for following nodes" : text);
}

/// A subgraph, and the properties of its class.
struct InnerClass {
    const Graph* graph;
    bool returnsOneValue;  ///< instead of a tuple
};

/// The class of one graph, which contains those of its subgraphs.
class PythonClass {
public:
    PythonClass(const Graph& graph, std::size_t indent, std::string& text)
        : graph_(graph),
          indent_(indent),
          text_(text),
          naming_{[this](const Node* node) { return names_.at(node); },
                  [this](const Graph* subgraph) { return attributes_.at(subgraph); }} {
        giveNames();
        findLastUses();
    }

    void write(const std::string& className, bool returnsOneValue) {
        line(0, "class " + className + "(torch.nn.Module):");
        line(1, "def forward(self" + parameters() + "):");
        for (const Node* node : graph_.nodes()) {
            if (node->kind() == NodeKind::call) call(*node);
            if (node->kind() == NodeKind::constant) constant(*node);
        }
        line(2, "return " + results(returnsOneValue));
        for (const auto& inner : inner_) {
            text_ += "\n";
            PythonClass(*inner.graph, indent_ + kPythonIndent, text_)
                .write(attributes_.at(inner.graph), inner.returnsOneValue);
        }
    }

private:
    void line(std::size_t depth, const std::string& content) {
        text_.append(indent_ + depth * kPythonIndent, ' ');
        text_ += content;
        text_ += '\n';
    }

    void giveNames() {
        PythonNames unique;
        for (const Node* node : graph_.nodes())
            if (node->kind() != NodeKind::output) names_[node] = unique.take(node->name());
        for (const Node* node : graph_.nodes()) {
            const Subgraphs run = subgraphsOf(*node);
            for (const auto& subgraph : run) {
                // A loop takes a boolean from its first graph.
                const bool condition = node->op().starts_with("higher_order.while_loop") && subgraph == run[0];
                if (attributes_.try_emplace(subgraph.get()).second) inner_.push_back({subgraph.get(), condition});
            }
        }
        for (const auto& inner : inner_) attributes_[inner.graph] = unique.take(inner.graph->name());
    }

    /// Returned values have none.
    void findLastUses() {
        for (const Node* node : graph_.nodes()) {
            if (node->kind() != NodeKind::output) lastUses_[node] = node;
            for (const Node* input : node->inputs()) lastUses_[input] = node;
        }
    }

    std::string parameters() const {
        std::string text;
        for (const Node* node : graph_.placeholders()) text += ", " + names_.at(node) + annotationOf(*node);
        return text;
    }

    void constant(const Node& node) {
        line(2, names_.at(&node) + annotationOf(node) + " = self." + pythonName(node.op()) + freed(node));
    }

    void call(const Node& node) {
        if (const std::string comment = commentOn(node); comment != comment_) line(2, comment_ = comment);
        for (const auto& subgraph : subgraphsOf(node))
            if (read_.insert(subgraph.get()).second) {
                const std::string& attribute = attributes_.at(subgraph.get());
                line(2, attribute + " = self." + attribute);
            }
        line(2, names_.at(&node) + annotationOf(node) + " = " + pythonCall(node, naming_) + freed(node));
    }

    /// Sets values to None after their last use by `node`.
    std::string freed(const Node& node) const {
        std::string text;
        const auto free = [&](const Node* value) {
            if (lastUses_.at(value) == &node) text += names_.at(value) + " = ";
        };
        for (const Node* input : node.inputs()) free(input);
        free(&node);
        return text.empty() ? text : ";  " + text + "None";
    }

    /// A subgraph returns a tuple: loops do not accept a list.
    std::string results(bool oneValue) const {
        const std::vector<Argument>& outputs = graph_.outputs();
        if (oneValue && outputs.size() == 1) return pythonArgument(outputs[0], naming_);
        return indent_ == 0 ? pythonArgument(Argument::List(outputs), naming_) : pythonTuple(outputs, naming_);
    }

    const Graph& graph_;
    std::size_t indent_;
    std::string& text_;
    PythonNaming naming_;
    std::unordered_map<const Node*, std::string> names_;
    std::unordered_map<const Node*, const Node*> lastUses_;
    std::unordered_map<const Graph*, std::string> attributes_;
    std::vector<InnerClass> inner_;
    std::set<const Graph*> read_;  ///< subgraphs
    std::string comment_;          ///< the latest one
};

void addConstants(const Graph& graph, std::set<std::string>& known, std::vector<const Node*>& constants) {
    for (const Node* node : graph.nodes())
        if (node->kind() == NodeKind::constant && known.insert(node->op()).second) constants.push_back(node);
}

}  // namespace

std::string pythonClassName(const Graph& graph) { return pythonName(graph.name()); }

std::string pythonModule(const Graph& graph, const std::string& className) {
    std::string text;
    PythonClass(graph, 0, text).write(className, false);
    return text;
}

std::vector<const Node*> constantsWithin(const Graph& graph) {
    std::set<std::string> known;
    std::vector<const Node*> constants;
    addConstants(graph, known, constants);
    for (const auto& subgraph : subgraphsWithin(graph)) addConstants(*subgraph, known, constants);
    return constants;
}

}  // namespace aotscope
