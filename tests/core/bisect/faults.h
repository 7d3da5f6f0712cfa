// Programs, and faults that are put into their graphs.
#pragma once

#include "session/session.h"
#include "support/programs.h"
#include "verify/bisect.h"
#include "verify/check.h"

namespace aotscope::test {

inline ScriptModule unary(const std::string& lines, Attributes attributes = {}) {
    std::string text = "def forward(self, x: Tensor) -> Tensor:\n    ";
    for (const char c : lines) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
    return moduleFrom(text, std::move(attributes));
}

inline const std::string kInput = R"([{"shape":[3,3],"requires_grad":true}])", kPlainInput = R"([{"shape":[3,3]}])";

inline Node* only(Graph& graph, std::string_view op) {
    Node* found = nullptr;
    for (Node* node : graph.nodes())
        if (node->isCall(op)) found = node;
    if (!found) throw Error("the graph has no " + std::string(op));
    return found;
}

/// Replaces `node` by a call. The node is removed unless it is an argument of the call.
inline Node* replace(Graph& graph, Node* node, const std::string& op, std::vector<Argument> arguments) {
    if (!node) throw Error("nothing to replace");
    const bool wraps = !arguments.empty() && arguments[0].node() == node;
    Node* call = graph.addCall(op, arguments, {}, node->type);
    call->stage = node->stage;
    call->source = node->source;
    call->autograd = node->autograd;
    graph.replaceAllUses(node, call);
    graph.setArguments(call, std::move(arguments));
    std::vector<Node*> order;
    for (Node* other : graph.nodes()) {
        if (other != call) order.push_back(other);
        if (other == node) order.push_back(call);
    }
    graph.reorder(order);
    if (!wraps) graph.eraseIf([&](const Node* other) { return other == node; });
    return call;
}

/// Compiles, applying `fault` to the result of `pass`.
inline Compiled withFault(const ScriptModule& module, const std::string& spec, const std::string& pass,
                          const std::function<void(Graph&)>& fault, GraphKind kind, bool inference = false) {
    return compile(module, spec, {.inference = inference}, [=](PassId id, GraphKind made, Graph& graph) {
        if (name(id) == pass && made == kind) fault(graph);
    });
}

inline BisectResult bisect(const Compiled& compiled) {
    return bisectAgainstEager(compiled.modelRun, compiled.compilation, compiled.options, {});
}

inline const Difference* find(const CheckResult& result, Difference::Kind kind) {
    for (const auto& d : result.differences)
        if (d.kind == kind) return &d;
    return nullptr;
}

}  // namespace aotscope::test
