#include "runtime/guards.h"

#include "aten/random_state.h"
#include "ir/printer.h"
#include "ops/classify.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "support/names.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

namespace aotscope {

namespace {

/// "x" for an input, "sum" for %sum, literals unchanged.
std::string operandText(const Argument& argument) {
    if (const Node* node = argument.node())
        return node->label.empty() || node->kind() == NodeKind::constant ? node->name() : node->label;
    if (const auto* list = argument.list()) {
        std::string text;
        for (const Argument& element : *list) text += (text.empty() ? "" : ", ") + operandText(element);
        return "[" + text + "]";
    }
    return printArgument(argument);
}

std::string callText(const Node& node) {
    if (node.kind() != NodeKind::call || isGetitem(node)) return operandText(const_cast<Node*>(&node));
    std::string text;
    for (const Argument& argument : node.args()) text += (text.empty() ? "" : ", ") + operandText(argument);
    return std::string(packetOf(node.op())) + "(" + text + ")";
}

std::string lineText(const SourceInfo* source) {
    if (!source || source->line == 0) return {};
    const auto name = source->file.substr(source->file.find_last_of('/') + 1);
    return " (" + name + ":" + std::to_string(source->line) + ")";
}

std::string numberText(const c10::IValue& value) {
    if (value.isBool()) return value.toBool() ? "True" : "False";
    return c10::str(value);
}

std::string sizesText(const std::vector<std::int64_t>& sizes) { return c10::str(c10::IntArrayRef(sizes)); }

/// What the program has read: "bool(aten.gt(sum, 0)) is True", "aten.nonzero(x) has sizes [3, 1]".
std::string factText(const Node& node, const DataResult& result, bool ofMask) {
    if (ofMask) return callText(node) + " holds in " + counted(static_cast<std::size_t>(result.sizes.at(0)), "place");
    if (result.isTensor) return callText(node) + " has sizes " + sizesText(result.sizes);
    std::string what = callText(node);
    if (node.isCall("aten._local_scalar_dense.default") && node.args()[0].node()) {
        const char* reader = result.number.isBool() ? "bool" : result.number.isInt() ? "int" : "float";
        what = std::string(reader) + "(" + callText(*node.args()[0].node()) + ")";
    }
    return what + (result.number.isBool() ? " is " : " == ") + numberText(result.number);
}

/// The nodes that `roots` are computed from.
std::unordered_set<const Node*> ancestors(const std::vector<Node*>& roots) {
    std::unordered_set<const Node*> live;
    std::vector<const Node*> pending(roots.begin(), roots.end());
    while (!pending.empty()) {
        const Node* node = pending.back();
        pending.pop_back();
        if (live.insert(node).second) pending.insert(pending.end(), node->inputs().begin(), node->inputs().end());
    }
    return live;
}

/// A value of the graph that guards check; for a mask, the positions that it selects.
struct Guarded {
    Node* node;
    bool ofMask;
};

/// All inputs of `graph` and everything needed to compute `results`.
std::unique_ptr<Graph> sliceOf(const Graph& graph, const std::vector<Guarded>& results) {
    std::vector<Node*> roots;
    for (const Guarded& result : results) roots.push_back(result.node);
    const auto live = ancestors(roots);
    auto slice = std::make_unique<Graph>("guards");
    std::unordered_map<const Node*, Node*> copies;
    const auto copyOf = [&](Node* node) { return Argument(copies.at(node)); };
    for (const Node* node : graph.nodes())
        if (isPrimal(*node) || live.contains(node)) copies[node] = slice->copyNode(node, copyOf);
    std::vector<Argument> outputs;
    std::vector<OutputSlot> slots;
    for (const Guarded& result : results) {
        Node* copy = copies.at(result.node);
        outputs.emplace_back(result.ofMask ? slice->addCall("aten.nonzero.default", {copy}, {}, {}) : copy);
        slots.push_back({Role::userOutput, result.node->name()});
    }
    slice->setOutput(std::move(outputs), std::move(slots));
    return slice;
}

/// False for results that depend only on the program's constants.
bool dependsOnInputs(const Node& reader) {
    const auto nodes = ancestors({const_cast<Node*>(&reader)});
    return std::any_of(nodes.begin(), nodes.end(), [](const Node* n) { return n->kind() == NodeKind::placeholder; });
}

/// The operands of a loop that decide its number of steps. Nothing if random numbers decide it.
std::optional<std::vector<Node*>> decidersOf(const Node& loop) {
    const Graph &condition = **loop.args().at(0).subgraph(), &body = **loop.args().at(1).subgraph();
    std::set<std::size_t> deciding;  // indices of operands
    const auto follow = [&](const Graph& graph, std::size_t output) {
        const auto placeholders = graph.placeholders();
        Node* value = graph.outputs().at(output).node();
        const auto nodes = value ? ancestors({value}) : std::unordered_set<const Node*>();
        for (std::size_t i = 0; i < placeholders.size(); ++i)
            if (nodes.contains(placeholders[i])) deciding.insert(i);
        return std::none_of(nodes.begin(), nodes.end(), [](const Node* node) { return drawsRandomNumbers(*node); });
    };
    if (!follow(condition, 0)) return std::nullopt;
    for (std::size_t before = 0; before != deciding.size();) {
        before = deciding.size();
        for (const std::size_t i : std::set(deciding))
            if (i < body.outputs().size() && !follow(body, i)) return std::nullopt;
    }
    std::vector<Node*> operands, deciders;
    for (std::size_t i = 2; i < loop.args().size(); ++i)
        for (const Argument& operand : *loop.args()[i].list()) operands.push_back(operand.node());
    for (const std::size_t i : deciding)
        if (operands.at(i)) deciders.push_back(operands[i]);
    return deciders;
}

void refuseRandomness(const Node& reader) {
    std::vector<Node*> roots{const_cast<Node*>(&reader)};
    if (reader.isCall("higher_order.while_loop_stack_output"))
        if (auto deciders = decidersOf(reader)) roots = std::move(*deciders);
    for (const Node* node : ancestors(roots))
        if (drawsRandomNumbers(*node))
            throw Error("the program reads a value" + lineText(reader.source.get()) +
                        " that depends on random numbers of '" + node->op() +
                        "', so its control flow may change from run to run; draw that number outside the model and "
                        "pass it as an input");
}

bool sameNumber(const c10::IValue& a, const c10::IValue& b) {
    if (a.isDouble() && b.isDouble() && std::isnan(a.toDouble())) return std::isnan(b.toDouble());
    return a == b;
}

/// The actual value of `value`; nothing if it is as expected.
std::optional<std::string> difference(const DataResult& expected, const c10::IValue& value) {
    if (!expected.isTensor) return sameNumber(expected.number, value) ? std::nullopt : std::optional(numberText(value));
    const auto sizes = value.toTensor().sizes().vec();
    return sizes == expected.sizes ? std::nullopt : std::optional(sizesText(sizes));
}

}  // namespace

GuardSet::GuardSet(const Graph& graph, const ConstantTable& constants, const std::vector<TracedReading>& readings,
                   const Compiler& compiler) {
    std::vector<Guarded> results;
    const auto expect = [&](Node* node, const DataResult& result, bool ofMask) {
        results.push_back({node, ofMask});
        expectations_.push_back({guards_.size() - 1, result});
    };
    for (const TracedReading& reading : readings) {
        Node* node = graph.findById(reading.node);
        check(node != nullptr, "a reading of data without a node");
        refuseRandomness(*node);
        if (!dependsOnInputs(*node)) continue;
        const DataResult& first = reading.results.front();
        guards_.push_back({factText(*node, first, reading.ofMask) + lineText(node->source.get()), node->source,
                           first.isTensor ? Guard::Kind::shape : Guard::Kind::value});
        if (!node->type.tuple()) expect(node, first, reading.ofMask);
        else
            for (Node* item : node->users())
                if (isGetitem(*item))
                    expect(item, reading.results.at(static_cast<std::size_t>(*item->args()[1].integer())), false);
    }
    if (results.empty()) return;
    const auto slice = sliceOf(graph, results);
    const auto nodes = slice->nodes();
    draws_ = std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return drawsRandomNumbers(*node); });
    graph_ = compiler.compile(*slice, constants);
}

std::optional<std::string> GuardSet::failed(const std::vector<c10::IValue>& leaves) const {
    if (!graph_) return std::nullopt;
    std::vector<c10::IValue> args = leaves, values;
    for (auto& arg : args)
        if (arg.isTensor() && arg.toTensor().requires_grad()) arg = arg.toTensor().detach();
    std::optional<RandomStateGuard> numbers;  // the program draws random numbers
    if (draws_) numbers.emplace();
    try {
        const at::NoGradGuard noGrad;
        values = graph_->run(args);
    } catch (const std::exception& e) {
        // A later value may not be computable if an earlier one is not as expected.
        return "'" + guards_.front().text + "' or a condition after it does not hold: " + firstSentence(e.what());
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (const auto found = difference(expectations_[i].result, values[i]))
            return "'" + guards_[expectations_[i].guard].text + "' does not hold: found " + *found;
    return std::nullopt;
}

}  // namespace aotscope
