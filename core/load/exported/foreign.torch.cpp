#include "load/exported/foreign.h"

#include "aten/convert.h"
#include "load/exported/opaque_schema.h"
#include "load/exported/uses.h"
#include "ops/operator_policy.h"
#include "support/error.h"
#include "support/names.h"
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

bool returnsNothing(const exported::Node& node) {
    const auto& outputs = node.outputs;
    return std::all_of(outputs.begin(), outputs.end(), [](const exported::Argument& output) {
        return std::holds_alternative<std::monostate>(output.value);
    });
}

/// In a program that is not functionalized, nothing says whether an unknown operator writes into its arguments. An
/// undetected write would be lost.
void refuseLikelyWrites(const c10::OperatorName& name, const std::vector<OperatorCall>& calls) {
    const bool nothing =
        std::any_of(calls.begin(), calls.end(), [](const OperatorCall& call) { return returnsNothing(*call.node); });
    if (!nothing && !name.name.ends_with('_')) return;
    throw Error("it calls the operator " + inQuotes(c10::toString(name)) + ", which is unknown here and " +
                (nothing ? "returns nothing" : "has a name that ends in '_'") +
                ", so that it seems to write into its arguments; what it writes is in the file if the model is "
                "exported with torch.export.export(...).run_decompositions(), or load the library that has the "
                "operator with --library");
}

GivenRules rulesAmong(const Definitions& definitions) {
    GivenRules rules;
    for (const auto& [name, defined] : definitions)
        if (belongsToLibTorch(defined.schema.name())) rules.emplace(defined.schema.operator_name(), defined.definition);
    return rules;
}

}  // namespace

/// LibTorch may have another version of the operator. Python has its own prims.
bool isForeign(const c10::OperatorName& name) {
    if (belongsToLibTorch(name.name) && !name.name.starts_with("prims::")) return false;
    const auto known = c10::Dispatcher::singleton().findSchema(name);
    return !known || isRegisteredHere(name);
}

void requireAllTaken(const exported::Node& node, const ForeignOperator& foreign) {
    const std::size_t returned = foreign.op.schema().returns().size(), taken = node.outputs.size();
    if (!foreign.definition || (taken >= returned && !returnsNothing(node))) return;
    throw Error("its definition returns " + counted(returned, "value") + ", the exported program takes " +
                std::to_string(returnsNothing(node) ? 0 : taken) +
                "; if the operator writes into its arguments, export the model with "
                "torch.export.export(...).run_decompositions()");
}

std::string whatIsUnknown(const std::string& name, bool asWritten) {
    return "operator '" + name +
           "' is unknown here: it can be traced and partitioned, but not run, and gradients stop at it; load the "
           "library that has it with --library, or define it with --define" +
           (asWritten
                ? "; if it writes into its arguments, this is not detected: export the model with run_decompositions()"
                : "");
}

ForeignOperators::ForeignOperators(const exported::Document& document, const std::filesystem::path& file,
                                   OperatorKinds allow) {
    rememberOwnNamespaces();
    if (!file.empty()) definitions_ = readDefinitions(file, allow);
    if (definitions_) rules_ = rulesAmong(*definitions_);
    Calls calls;
    collectCalls(document.graph, calls);
    std::erase_if(calls,
                  [](const auto& call) { return !isForeign(operatorName(call.first.substr(kOperators.size()))); });
    if (calls.size() > kMostOperators)
        throw Error("it calls more than " + std::to_string(kMostOperators) + " unregistered operators");
    if (calls.empty()) return;
    for (const auto& [target, nodes] : calls)
        install(builtInDefinitions(libraryOf(operatorName(target.substr(kOperators.size())))));
    if (definitions_) install(*definitions_);
    const auto definitionFor = [&](const c10::OperatorName& name) {
        const auto given = definitions_ ? findDefinition(*definitions_, name) : std::nullopt;
        return given ? given : findDefinition(builtInDefinitions(libraryOf(name)), name);
    };
    for (const auto& [target, nodes] : calls) {
        const c10::OperatorName name = operatorName(target.substr(kOperators.size()));
        const auto defined = definitionFor(name);
        if (!defined && document.asWritten) refuseLikelyWrites(name, nodes);
        const auto schema = defined ? defined->schema : opaqueSchema(name, nodes);
        const auto definition = defined ? defined->definition : nullptr;
        operators_.emplace(target, ForeignOperator{registerOperator(schema), definition});
        define(definitionKey(name), definition, definition && !definition->fake && hasUnknownSizes(nodes));
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
