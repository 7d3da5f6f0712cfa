#include "io/metadata_json.h"

#include "io/tables/metadata_tables.h"
#include "io/tables/table_text.h"
#include "ir/printer.h"
#include "ir/runtime_steps.h"

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;

json typeJson(const std::optional<TensorType>& type) { return type ? json(printTensorType(*type)) : json(); }

json inputsAndOutputs(const FunctionMetadata& metadata) {
    json tangents = json::array();
    for (const TensorType& tangent : metadata.tangents) tangents.push_back(printTensorType(tangent));
    return {{"inputs", tableJson(inputTable(metadata), {"after"})},
            {"outputs", tableJson(outputTable(metadata, metadata), {"base_idx", "repeats"})},
            {"num_intermediate_bases", metadata.intermediateBases},
            {"num_forward_returns", metadata.forwardReturns()},
            {"mutated_inp_runtime_indices", metadata.mutatedInputIndices()},
            {"mutated_graph_handled_indices", metadata.inputsMutatedInGraph()},
            {"aliased_out_indices", metadata.aliasedOutputIndices()},
            {"unsafe_view_out_indices", metadata.unsafeViewOutputIndices()},
            {"traced_tangents", tangents},
            {"refused_tangents", metadata.undifferentiableTangents}};
}

json dedupeJson(const CallingConvention& convention) {
    json mask = json::array(), map = json::array();
    std::vector<std::size_t> amongKept;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < convention.duplicateOf.size(); ++i) {
        const bool duplicate = convention.isDuplicate(i);
        amongKept.push_back(duplicate ? amongKept[convention.duplicateOf[i]] : kept++);
        mask.push_back(!duplicate);
        map.push_back(amongKept.back());
    }
    return {{"specialised", convention.specialised()}, {"keep_arg_mask", mask}, {"add_dupe_map", map}};
}

json syntheticBasesJson(const CallingConvention& convention) {
    json groups = json::array(), arguments = json::array();
    for (const GraphInput& input : convention.inputs)
        if (input.syntheticBase)
            groups.push_back({{"arguments", input.arguments}, {"whole_storage", input.wholeStorage}});
    for (const ArgumentSource& source : convention.arguments)
        arguments.push_back({{"graph_input", source.input}, {"view", typeJson(source.view)}});
    return {{"used", convention.hasSyntheticBases()}, {"groups", groups}, {"arguments", arguments}};
}

std::size_t aliasesOfIntermediates(const FunctionMetadata& metadata) {
    return static_cast<std::size_t>(
        std::count_if(metadata.outputs.begin(), metadata.outputs.end(),
                      [](const OutputInfo& o) { return o.isAlias() && !o.aliasesInput(); }));
}

}  // namespace

json runtimeStepsJson(const FunctionMetadata& function, const FunctionMetadata& graph) {
    json steps = json::array();
    for (const RuntimeStep& step : describeRuntime(function, graph))
        steps.push_back({{"when", name(step.when)},
                         {"text", step.text},
                         {"input", step.input ? json(*step.input) : json()},
                         {"output", step.output ? json(*step.output) : json()}});
    return steps;
}

json metadataJson(const FunctionMetadata& function, const FunctionMetadata& graph) {
    json j = inputsAndOutputs(function);
    const std::size_t aliased = function.aliasedOutputIndices().size();
    const std::size_t ofIntermediates = aliasesOfIntermediates(function);
    j["num_outputs"] = function.outputs.size();
    j["num_outputs_aliased"] = aliased;
    j["num_outputs_non_aliased"] = function.outputs.size() - aliased;
    j["num_outputs_aliased_to_inputs"] = aliased - ofIntermediates;
    j["num_outputs_aliased_to_intermediates"] = ofIntermediates;
    j["keep_input_mutations"] = function.keepInputMutations;
    j["needs_autograd"] = function.needsAutograd;
    j["why"] = function.whyAutograd;
    j["dedupe"] = dedupeJson(function.convention);
    j["synthetic_bases"] = syntheticBasesJson(function.convention);
    if (!function.convention.isPlain()) j["graph"] = inputsAndOutputs(graph);
    j["runtime_steps"] = runtimeStepsJson(function, graph);
    return j;
}

}  // namespace aotscope
