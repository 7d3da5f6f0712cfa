#include "io/tables/metadata_tables.h"

#include "ir/output_names.h"
#include "ir/printer.h"
#include "support/joined.h"

#include <algorithm>

namespace aotscope {

namespace {

using Cell = Table::Cell;

/// As in the text of a graph, with a space before the device: "f32[32, 64] cuda:0".
std::string typeText(const TensorType& type) {
    std::string text = printTensorType(type);
    if (type.device.name != "cpu") text.insert(text.size() - type.device.name.size(), " ");
    return text;
}

Cell typeCell(const std::optional<TensorType>& type) {
    return type ? Cell(printTensorType(*type), typeText(*type)) : Cell();
}

std::string roleWords(Role role) {
    std::string words(role == Role::none ? "input" : name(role));
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string_view mutationWords(MutationType mutation) {
    switch (mutation) {
        case MutationType::notMutated: return "not mutated";
        case MutationType::inGraph: return "in the graph";
        case MutationType::outOfGraph: return "by the wrapper, after the graph";
    }
    return {};
}

/// The input of the graph that an argument becomes.
std::string graphInput(const FunctionMetadata& function, std::size_t argument) {
    const CallingConvention& convention = function.convention;
    if (argument >= convention.arguments.size()) return "own";
    if (convention.isDuplicate(argument))
        return "duplicate of " + function.inputs[convention.duplicateOf[argument]].name;
    const ArgumentSource& source = convention.arguments[argument];
    const GraphInput& input = convention.inputs[source.input];
    if (!input.syntheticBase) return "own";
    return "view of synthetic base " + std::to_string(source.input) +
           (input.wholeStorage ? " (whole storage of " : " (of ") +
           joined(input.arguments, ", ", [&](std::size_t i) { return function.inputs[i].name; }) + ")";
}

std::string baseText(const FunctionMetadata& function, const OutputInfo& output,
                     const std::function<std::string(std::size_t)>& nameOfBase) {
    if (!output.base) return {};
    if (output.aliasesInput()) return "input " + function.inputs[*output.base].name;
    if (output.type == OutputType::aliasOfIntermediateBaseIsUserOutput) return outputText(function, *output.base);
    const std::string base = nameOfBase ? nameOfBase(*output.base) : std::string();
    return "intermediate base " + std::to_string(*output.base) + (base.empty() ? "" : " (" + base + ")");
}

/// What an output is: in a word or two, and as a sentence on why, and on what becomes of it.
struct OutputWords {
    std::string_view kind, why;
};
OutputWords wordsOf(OutputType type) {
    switch (type) {
        case OutputType::nonAlias: return {"not aliased", "does not alias any input or output"};
        case OutputType::aliasOfInput:
            return {"view of an input", "a view of an input: regenerated from the input after the graph has run"};
        case OutputType::isInput:
            return {"an input itself", "the input itself: the caller gets the same tensor object"};
        case OutputType::aliasOfIntermediateSaveAsOutput:
            return {"view of an intermediate, saved with its base",
                    "a view of an intermediate: the graph also returns the base, and the view is regenerated from it"};
        case OutputType::aliasOfIntermediate:
            return {"view of an already saved base",
                    "a view of an intermediate that the graph already returns as a base"};
        case OutputType::aliasOfIntermediateBaseIsUserOutput:
            return {"view of another output", "a view of another output"};
        case OutputType::unsafeViewAlias:
            return {"unsafe view", "a view of an intermediate that no other output uses: returned like a fresh tensor"};
        case OutputType::customFunctionView:
            return {"view of a custom function",
                    "a view made by a custom autograd function: returned as the graph computes it"};
    }
    return {};
}

std::string howRegenerated(const FunctionMetadata& function, const OutputInfo& output) {
    if (output.repeats) return "same tensor as " + outputText(function, *output.repeats);
    if (output.asWritten) return "with the strides of the original program";
    if (!output.isAlias()) return {};
    if (output.type == OutputType::isInput) return "the input itself";
    if (output.sameAsBase) return "as an alias of the base";
    if (!output.replaysViews) return "by as_strided";
    return output.views.empty() ? "by replaying its views" : "." + joined(output.views, ".");
}

}  // namespace

std::string_view describe(OutputType type) { return wordsOf(type).kind; }

Table inputTable(const FunctionMetadata& function) {
    constexpr TableUnit flag = TableUnit::flag;
    Table table{
        "inputs",
        {{"position", "#", "position among the function's inputs", {}, true},
         {"name", "name", "as the model calls it"},
         {"role", "role", "parameter, buffer or input of the user", {}, true},
         {"type", "type", "dtype and sizes before the call", {}, true},
         {"requires_grad", "requires grad", "after the call; a mutation can turn it on", flag},
         {"grad_turned_on", "grad turned on", "the program calls requires_grad_ on it", flag, true},
         {"is_leaf", "leaf", "a leaf of the caller's autograd graph", flag},
         {"mutation_type", "mutation",
          "whether the input is mutated, and whether by the graph or by the wrapper after it"},
         {"graph_input",
          "graph input",
          "how it is passed to the graph: as an input of its own, as the duplicate of another, or as a view of the "
          "synthetic base of overlapping inputs",
          {},
          true},
         {"mutates_data", "mutates data", "the program writes into it", flag},
         {"mutates_metadata", "mutates metadata", "the program changes its sizes, strides or offset", flag},
         {"mutates_storage_metadata", "mutates storage", "the program gives it another storage (set_)", flag},
         {"grows_storage", "grows storage", "the program grows its storage (resize_)", flag},
         {"hidden", "hidden from autograd", "all mutations are hidden from autograd: through detach() or .data", flag,
          true},
         {"no_grad", "under no_grad", "all mutations happen under no_grad or in inference mode", flag, true},
         {"behind_autograd", "behind autograd", "autograd records none of its mutations (no_grad or detach())", flag},
         {"after", "type after", "dtype and sizes after the call, if they change"},
         {"mutations_hidden_from_autograd", "", "true also if nothing mutates it"},
         {"mutations_under_no_grad_or_inference_mode", "", "true also if nothing mutates it"},
         {"restrided", "", "the program takes as_strided views of its memory"},
         {"counts_as_written", "", "eager increments its version counter"}}};
    for (const InputInfo& input : function.inputs) {
        const bool mutated = input.mutation != MutationType::notMutated;
        table.add(table.rows.size(), input.name, roleWords(input.role),
                  input.tensor ? typeText(*input.tensor) : "no tensor", input.requiresGrad, input.turnsDifferentiable(),
                  input.isLeaf, Cell(name(input.mutation), std::string(mutationWords(input.mutation))),
                  graphInput(function, table.rows.size()), input.mutatesData, input.mutatesMetadata,
                  input.mutatesStorageMetadata, input.growsStorage, mutated && input.mutationsHiddenFromAutograd,
                  mutated && input.mutationsUnderNoGrad, input.behindAutograd, typeCell(input.after),
                  input.mutationsHiddenFromAutograd, input.mutationsUnderNoGrad, input.restrided,
                  input.countsAsWritten);
    }
    return table;
}

Table outputTable(const FunctionMetadata& function, const FunctionMetadata& graph,
                  const std::function<std::string(std::size_t)>& nameOfBase) {
    constexpr TableUnit flag = TableUnit::flag;
    Table table{
        "outputs",
        {{"position", "#", "position among the function's outputs", {}, true},
         {"label", "name", "its place in what the function returns", {}, true},
         {"type", "output type", "how the output aliases inputs and other values"},
         {"base", "base", "the tensor that it is a view of", {}, true},
         {"regenerated", "regenerated", "how the wrapper regenerates it from its base", {}, true},
         {"tensor", "type", "dtype and sizes", {}, true},
         {"requires_grad", "requires grad", "as the caller sees it", flag},
         {"requires_grad_for_backward", "grad for backward",
          "a gradient flows through it; false for a view made under no_grad", flag},
         {"tangent", "tangent", "its gradient is an input of the backward graph", flag, true},
         {"severed", "severed", "its autograd history ends before its base: a view of a view made under no_grad", flag},
         {"own_history", "own history", "a detached alias of a mutated input: its gradient is not the input's", flag},
         {"as_written", "as written", "its layout in the program, if the graph's value has another one", {}, true},
         {"repeated", "repeats", "an earlier output that is the same tensor object", {}, true},
         {"why", "why", "what the output type means for the caller", {}, true},
         {"name", "", "its place in what the function returns; empty: not known"},
         {"base_idx", "", "of the input, output or intermediate base that it is a view of"},
         {"is_tensor", "", "false for a number"},
         {"repeats", "", "the position of an earlier output that is the same tensor object"},
         {"replays_views", "", "regenerated by view operations, else by as_strided"},
         {"views", "", "these operations"}}};
    const auto mask = graph.tangentMask();
    std::size_t slot = graph.mutatedInputIndices().size();
    for (const OutputInfo& output : function.outputs) {
        const bool tangent = graph.needsAutograd && slot < mask.size() && mask[slot];
        ++slot;
        table.add(table.rows.size(), outputLabel(function, table.rows.size()),
                  Cell(name(output.type), std::string(describe(output.type))), baseText(function, output, nameOfBase),
                  howRegenerated(function, output), output.tensor ? typeText(*output.tensor) : "no tensor",
                  output.requiresGrad, output.requiresGradForBackward, tangent, output.severed, output.ownHistory,
                  typeCell(output.asWritten), output.repeats ? outputText(function, *output.repeats) : "",
                  output.isTensor ? wordsOf(output.type).why : "not a tensor", output.name, Table::given(output.base),
                  output.isTensor, Table::given(output.repeats), output.replaysViews, output.views);
    }
    return table;
}

}  // namespace aotscope
