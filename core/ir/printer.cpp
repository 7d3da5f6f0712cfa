#include "ir/printer.h"

#include "ir/subgraphs.h"
#include "support/formatted.h"
#include "support/joined.h"
#include "support/printable.h"

#include <limits>

namespace aotscope {

namespace {

std::string printIntegers(const std::vector<std::int64_t>& values) {
    return "[" + joined(values, ", ", [](auto v) { return std::to_string(v); }) + "]";
}

std::string printExpressions(const std::vector<SymExpr>& values) {
    return "[" + joined(values, ", ", [](const SymExpr& e) { return e.text(); }) + "]";
}

/// The nearest integer, clamped to the valid range.
std::int64_t integerHint(double hint) {
    constexpr double limit = 9223372036854775808.0;  // 2^63
    if (hint >= limit) return std::numeric_limits<std::int64_t>::max();
    return hint < -limit ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(hint);
}

std::string quoted(std::string_view text) {
    std::string escaped;
    for (char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        if (c == '\n') escaped += "\\n";
        else escaped += c;
    }
    return '"' + printable(escaped) + '"';
}

std::string printAttributes(const Node& node) {
    std::string text = "  ; id=" + std::to_string(node.id());
    auto add = [&](std::string_view key, const std::string& value) { text += " " + std::string(key) + "=" + value; };
    if (node.stage == Stage::backward) add("stage", "backward");
    if (!node.label.empty()) add("label", quoted(node.label));
    if (node.autograd.sequence >= 0) add("seq", std::to_string(node.autograd.sequence));
    if (node.autograd.savedOutput != SavedOutput::no)
        add("kept", node.autograd.savedOutput == SavedOutput::detached ? "detached" : "aliased");
    if (!node.autograd.function.empty()) add("fn", quoted(node.autograd.function));
    if (node.autograd.forward != kNoNode) add("forward", std::to_string(node.autograd.forward));
    if (node.checkpoint.policy != CheckpointPolicy::none) add("recompute", std::string(name(node.checkpoint.policy)));
    if (node.checkpoint.region >= 0) add("region", std::to_string(node.checkpoint.region));
    if (const auto& source = node.source) {
        if (!source->module.empty()) add("module", quoted(source->module));
        if (!source->moduleType.empty()) add("type", quoted(source->moduleType));
        if (!source->file.empty()) add("file", quoted(source->file));
        if (source->line) add("line", std::to_string(source->line));
        if (!source->text.empty()) add("text", quoted(source->text));
    }
    return text;
}

std::string printSymbol(const Symbol& symbol) {
    std::string text = symbol.name + " = " + std::to_string(symbol.hint) + " in " + std::to_string(symbol.min) + "..";
    if (symbol.max != Symbol::kNoMax) text += std::to_string(symbol.max);
    if (!symbol.origin.empty()) text += " from " + quoted(symbol.origin);
    return text;
}

std::string printOutput(const Node& node, const std::vector<OutputSlot>* slots) {
    std::string text = "return [";
    for (std::size_t i = 0; i < node.args().size(); ++i) {
        if (i) text += ", ";
        text += printArgument(node.args()[i]);
        if (!slots) continue;
        const OutputSlot& slot = (*slots)[i];
        text += " : " + std::string(name(slot.role));
        if (!slot.label.empty()) text += " " + quoted(slot.label);
    }
    return text + "]";
}

}  // namespace

std::string printTensorType(const TensorType& type, Detail detail) {
    std::string text(shortName(type.dtype));
    const auto* symbolic = type.symbolic.get();
    text += symbolic ? printExpressions(symbolic->sizes) : printIntegers(type.sizes);
    if (!type.isContiguous()) text += symbolic ? printExpressions(symbolic->strides) : printIntegers(type.strides);
    if (type.device.name != "cpu") text += type.device.name;
    if (detail == Detail::full) {
        text += "<" + std::to_string(type.storage) + ", " + std::to_string(type.storageOffset) + ", " +
                std::to_string(type.storageBytes) + (type.requiresGrad ? ", requires_grad" : "");
        // Strides of size-1 and empty dimensions do not follow from the sizes.
        if (symbolic) text += ", " + printExpressions(symbolic->strides) + ", at " + symbolic->storageOffset.text();
        else if (type.isContiguous() && type.strides != contiguousStrides(type.sizes))
            text += ", " + printIntegers(type.strides);
        text += ">";
    }
    return text;
}

std::string printType(const ValueType& type, Detail detail) {
    if (auto* tensor = type.tensor()) return printTensorType(*tensor, detail);
    if (auto* tuple = type.tuple())
        return "(" + joined(*tuple, ", ", [&](const ValueType& t) { return printType(t, detail); }) + ")";
    if (auto* scalar = type.scalar()) {
        if (scalar->expression) return "Sym(" + scalar->expression->text() + ")";
        switch (scalar->kind) {
            case ScalarType::Kind::integer: return "int(" + std::to_string(integerHint(scalar->hint)) + ")";
            case ScalarType::Kind::real: return "float(" + exactReal(scalar->hint) + ")";
            case ScalarType::Kind::boolean: return scalar->hint != 0 ? "bool(True)" : "bool(False)";
        }
    }
    return std::string(type.other() ? name(*type.other()) : "?");
}

std::string printSizes(const SymbolValues& sizes) {
    return joined(sizes, ", ", [](const auto& size) { return size.first + " = " + std::to_string(size.second); });
}

std::string printArgument(const Argument& argument) {
    struct Printer {
        std::string operator()(std::monostate) const { return "None"; }
        std::string operator()(const Node* node) const { return "%" + node->name(); }
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return exactReal(v); }
        std::string operator()(bool v) const { return v ? "True" : "False"; }
        std::string operator()(const std::string& v) const { return quoted(v); }
        std::string operator()(DType v) const { return "torch." + std::string(longName(v)); }
        std::string operator()(const Device& v) const { return "device(" + v.name + ")"; }
        std::string operator()(Layout v) const { return "torch." + std::string(name(v)); }
        std::string operator()(MemoryFormat v) const { return "torch." + std::string(name(v)); }
        std::string operator()(const std::complex<double>& v) const {
            return "complex(" + exactReal(v.real()) + ", " + exactReal(v.imag()) + ")";
        }
        std::string operator()(const Argument::List& v) const { return "[" + joined(v, ", ", printArgument) + "]"; }
        std::string operator()(const Argument::Subgraph& v) const { return "@" + v->name(); }
    };
    return std::visit(Printer{}, argument.value);
}

std::string printArguments(const Node& node) { return printArguments(node.args(), node.kwargs()); }

std::string printArguments(const std::vector<Argument>& positional, const KeywordArguments& keywords) {
    std::string text = joined(positional, ", ", printArgument);
    for (const auto& [key, value] : keywords) {
        if (!text.empty()) text += ", ";
        text += key + "=" + printArgument(value);
    }
    return text;
}

std::string printNode(const Node& node, Detail detail) {
    if (node.kind() == NodeKind::output) return printOutput(node, nullptr);
    std::string text = "%" + node.name() + " : " + printType(node.type, detail) + " = ";
    switch (node.kind()) {
        case NodeKind::placeholder:
            text += "placeholder";
            if (node.role != Role::none) text += "(" + std::string(name(node.role)) + ")";
            break;
        case NodeKind::constant: text += "constant(" + node.op() + ")"; break;
        default: text += node.op() + "(" + printArguments(node) + ")";
    }
    if (detail == Detail::full) text += printAttributes(node);
    return text;
}

namespace {

/// `path`: the graph's name, prefixed by those of its owners.
void printInto(const Graph& graph, const std::string& path, Detail detail, std::string& text) {
    text += "graph " + path;
    if (!graph.symbols().empty()) text += " where " + joined(graph.symbols(), ", ", printSymbol);
    text += "\n";
    for (const Node* node : graph.nodes()) {
        text += "  ";
        if (node->kind() == NodeKind::output) {
            text += printOutput(*node, &graph.outputSlots());
            if (detail == Detail::full) text += "  ; id=" + std::to_string(node->id());
        } else {
            text += printNode(*node, detail);
        }
        text += "\n";
    }
    for (const auto& subgraph : subgraphsOf(graph)) printInto(*subgraph, path + "." + subgraph->name(), detail, text);
}

}  // namespace

std::string printGraph(const Graph& graph, Detail detail) {
    std::string text;
    printInto(graph, graph.name(), detail, text);
    return text;
}

}  // namespace aotscope
