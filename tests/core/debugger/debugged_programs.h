// Programs to step through, and their nodes.
#pragma once

#include "debug/measure.h"
#include "debug/step_debugger.h"
#include "session/session.h"
#include "support/programs.h"
#include "support/text.h"

namespace aotscope::test {

using Reason = DebugStop::Reason;

/// As text, in which NaNs are equal.
inline std::string textOf(const std::optional<ValueFacts>& facts) {
    if (!facts) return "none";
    std::string text = describe(*facts) + " |";
    for (const double x : facts->first) text += " " + numberText(x);
    text += " |";
    for (const auto n : facts->histogram) text += " " + std::to_string(n);
    return text;
}

/// Every value of a run, by graph and node.
using Values = std::map<std::pair<GraphKind, std::string>, std::string>;

inline std::string difference(const Values& a, const Values& b) {
    for (const auto& [key, text] : a)
        if (b.at(key) != text) return "%" + key.second + ": " + text + " and " + b.at(key);
    return {};
}

inline std::shared_ptr<StepDebugger> debug(const Compiled& compiled) {
    if (!compiled.compilation.function) throw Error(compiled.record().error);
    const std::shared_ptr<const ModelRun> modelRun(std::shared_ptr<void>(), &compiled.modelRun);
    return std::make_shared<StepDebugger>(modelRun, compiled.compilation, compiled.options);
}

inline std::shared_ptr<const Session> sample(const char* name, Options options = {}) {
    options.model = std::string("sample:") + name;
    return Session::open(options, {});
}

inline const Node& callOf(const CompileRecord& record, GraphKind kind, const char* op) {
    for (const Node* node : record.graph(kind)->nodes())
        if (node->isCall(op)) return *node;
    throw Error(std::string("no ") + op + " in\n" + printGraph(*record.graph(kind)));
}

inline ScriptModule unary(const std::string& body, Attributes attributes = {}) {
    return moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    " + body, std::move(attributes));
}

inline const std::string kSquare = R"([{"shape":[3,3],"requires_grad":true}])", kPlain = R"([{"shape":[3,3]}])";

}  // namespace aotscope::test
