#include "load/exported_foreign.h"

#include "aten/convert.h"
#include "load/exported_uses.h"
#include "load/opaque_schema.h"
#include "ops/operator_policy.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

using exported::kOperators;
constexpr std::size_t kMostOperators = 256;

using Calls = std::map<std::string, std::vector<OperatorCall>>;

void collectCalls(const exported::Graph& graph, Calls& calls) {
    exported::forEachGraph(graph, [&](const exported::Graph& one) {
        for (const exported::Node& node : one.nodes)
            if (node.target.starts_with(kOperators) && !node.target.starts_with(exported::kHigherOrder))
                calls[node.target].push_back({&node, &one});
    });
}

bool hasUnknownSizes(const std::vector<OperatorCall>& calls) {
    return std::any_of(calls.begin(), calls.end(), [](const OperatorCall& call) {
        const auto types = resultTypes(call);
        return std::any_of(types.begin(), types.end(), [](const exported::TensorMeta* type) {
            return std::any_of(type->sizes.begin(), type->sizes.end(), [](const auto& size) { return !size.known; });
        });
    });
}

/// Lets the operators of `definitions` be computed by them, also those that only gradients call.
void install(const Definitions& definitions) {
    for (const auto& [name, defined] : definitions)
        if (isRegisteredHere({name, ""})) define(name, defined.definition);
}

}  // namespace

/// LibTorch may have the operator in another version.
bool isForeign(const c10::OperatorName& name) {
    if (belongsToLibTorch(name.name)) return false;
    const auto known = c10::Dispatcher::singleton().findSchema(name);
    return !known || isRegisteredHere(name);
}

ForeignOperators::ForeignOperators(const exported::Document& document, const std::filesystem::path& file,
                                   OperatorKinds allow) {
    rememberOwnNamespaces();
    if (!file.empty()) definitions_ = readDefinitions(file, allow);
    Calls calls;
    collectCalls(document.graph, calls);
    std::erase_if(calls,
                  [](const auto& call) { return !isForeign(operatorName(call.first.substr(kOperators.size()))); });
    if (calls.size() > kMostOperators)
        throw Error("it calls more than " + std::to_string(kMostOperators) + " operators that nobody has registered");
    if (calls.empty()) return;
    install(builtInDefinitions());
    if (definitions_) install(*definitions_);
    const auto definitionFor = [&](const std::string& name) -> const DefinedOperator* {
        for (const Definitions* definitions : {definitions_.get(), &builtInDefinitions()}) {
            if (!definitions) continue;
            if (const auto it = definitions->find(name); it != definitions->end()) return &it->second;
        }
        return nullptr;
    };
    for (const auto& [target, nodes] : calls) {
        const c10::OperatorName name = operatorName(target.substr(kOperators.size()));
        const bool definable = name.overload_name.empty() || name.overload_name == "functional";
        const DefinedOperator* defined = definable ? definitionFor(name.name) : nullptr;
        const auto schema = defined ? defined->schema : opaqueSchema(name, nodes);
        const auto definition = defined ? defined->definition : nullptr;
        operators_.emplace(target, ForeignOperator{registerOperator(schema), definition});
        define(name.name, definition, definition && !definition->fake && hasUnknownSizes(nodes));
    }
}

const ForeignOperator* ForeignOperators::find(const std::string& target) const {
    const auto it = operators_.find(target);
    return it == operators_.end() ? nullptr : &it->second;
}

std::vector<std::string> ForeignOperators::opaque() const {
    std::vector<std::string> names;
    for (const auto& [target, foreign] : operators_)
        if (!foreign.definition) names.push_back(foreign.op.operator_name().name);
    return names;
}

}  // namespace aotscope
