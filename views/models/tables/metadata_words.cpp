#include "models/tables/metadata_words.h"

#include "ir/output_names.h"
#include "models/tables/table_cells.h"
#include "models/words/node_words.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

MetadataField flag(const char* title, const char* help, bool value) {
    return {tr(title), tr(help), value ? tr("yes") : QString(), value};
}

MetadataField words(const char* title, const char* help, const QString& text) {
    return {tr(title), tr(help), text, {}};
}

MetadataField tensor(const char* title, const char* help, const std::optional<TensorType>& type,
                     const QString& otherwise) {
    return type ? MetadataField{tr(title), tr(help), typeText(*type), static_cast<qint64>(type->numel())}
                : words(title, help, otherwise);
}

/// The input of the graph that an argument becomes.
QString graphInput(const FunctionMetadata& function, std::size_t argument) {
    const CallingConvention& convention = function.convention;
    if (argument >= convention.arguments.size()) return tr("own");
    if (convention.isDuplicate(argument))
        return tr("duplicate of ") + toQString(function.inputs[convention.duplicateOf[argument]].name);
    const ArgumentSource& source = convention.arguments[argument];
    const GraphInput& input = convention.inputs[source.input];
    if (!input.syntheticBase) return tr("own");
    QStringList names;
    for (const std::size_t i : input.arguments) names << toQString(function.inputs[i].name);
    return (input.wholeStorage ? tr("view of synthetic base %1 (whole storage of %2)")
                               : tr("view of synthetic base %1 (of %2)"))
        .arg(source.input)
        .arg(names.join(QStringLiteral(", ")));
}

QString baseName(const FunctionMetadata& function, const OutputInfo& output, const Graph* graph,
                 const MetadataLinks* links) {
    if (!output.base) return {};
    if (output.aliasesInput()) return tr("input ") + toQString(function.inputs[*output.base].name);
    if (output.type == OutputType::aliasOfIntermediateBaseIsUserOutput)
        return toQString(outputText(function, *output.base));
    const Node* node = graph && links ? graph->findById(links->baseNode(*output.base)) : nullptr;
    return tr("intermediate base %1").arg(*output.base) +
           (node ? QStringLiteral(" (%1)").arg(shownName(*node)) : QString());
}

QString why(const OutputInfo& output) {
    if (!output.isTensor) return tr("not a tensor");
    switch (output.type) {
        case OutputType::nonAlias: return tr("does not alias any input or output");
        case OutputType::aliasOfInput:
            return tr("a view of an input: regenerated from the input after the graph has run");
        case OutputType::isInput: return tr("the input itself: the caller gets the same tensor object");
        case OutputType::aliasOfIntermediateSaveAsOutput:
            return tr(
                "a view of an intermediate: the graph also returns the base, and the view is regenerated from it");
        case OutputType::aliasOfIntermediate:
            return tr("a view of an intermediate that the graph already returns as a base");
        case OutputType::aliasOfIntermediateBaseIsUserOutput: return tr("a view of another output");
        case OutputType::unsafeViewAlias:
            return tr("a view of an intermediate that no other output uses: returned like a fresh tensor");
        case OutputType::customFunctionView:
            return tr("a view made by a custom autograd function: returned as the graph computes it");
    }
    return {};
}

QString howRegenerated(const FunctionMetadata& function, const OutputInfo& output) {
    if (output.repeats) return tr("same tensor as %1").arg(toQString(outputText(function, *output.repeats)));
    if (output.asWritten) return tr("with the strides of the original program");
    if (!output.isAlias()) return {};
    if (output.type == OutputType::isInput) return tr("the input itself");
    if (output.sameAsBase) return tr("as an alias of the base");
    if (!output.replaysViews) return tr("by as_strided");
    QStringList views;
    for (const auto& view : output.views) views << u'.' + toQString(view);
    return views.isEmpty() ? tr("by replaying its views") : views.join(QString());
}

QString mutationWords(MutationType mutation) {
    switch (mutation) {
        case MutationType::notMutated: return tr("not mutated");
        case MutationType::inGraph: return tr("in the graph");
        case MutationType::outOfGraph: return tr("by the wrapper, after the graph");
    }
    return {};
}

template <typename Element, typename Predicate>
qint64 countOf(const std::vector<Element>& elements, Predicate&& holds) {
    return std::count_if(elements.begin(), elements.end(), holds);
}

}  // namespace

InputEffect effectOn(const InputInfo& input) {
    if (input.mutation == MutationType::notMutated) return InputEffect::none;
    if (input.mutation == MutationType::inGraph) return InputEffect::inGraph;
    if (input.mutatesStorageMetadata || input.growsStorage) return InputEffect::storage;
    if (!input.mutatesMetadata) return InputEffect::data;
    return input.mutatesData ? InputEffect::dataAndMetadata : InputEffect::metadata;
}

QString describe(InputEffect effect) {
    switch (effect) {
        case InputEffect::none: return tr("not mutated");
        case InputEffect::inGraph: return tr("mutated in the graph");
        case InputEffect::metadata: return tr("sizes or strides mutated");
        case InputEffect::data: return tr("data mutated");
        case InputEffect::dataAndMetadata: return tr("data and sizes or strides mutated");
        case InputEffect::storage: return tr("storage replaced or grown");
    }
    return {};
}

QString describe(OutputType type) {
    switch (type) {
        case OutputType::nonAlias: return tr("not aliased");
        case OutputType::aliasOfInput: return tr("view of an input");
        case OutputType::isInput: return tr("an input itself");
        case OutputType::aliasOfIntermediateSaveAsOutput: return tr("view of an intermediate, saved with its base");
        case OutputType::aliasOfIntermediate: return tr("view of an already saved base");
        case OutputType::aliasOfIntermediateBaseIsUserOutput: return tr("view of another output");
        case OutputType::unsafeViewAlias: return tr("unsafe view");
        case OutputType::customFunctionView: return tr("view of a custom function");
    }
    return {};
}

QString relationOf(const FunctionMetadata& function, std::size_t i) {
    const OutputInfo& output = function.outputs[i];
    if (output.repeats) return tr("same as %1").arg(toQString(outputText(function, *output.repeats)));
    if (output.type == OutputType::nonAlias || !output.isTensor) return {};
    if (!output.base || !output.isAlias()) return describe(output.type);
    if (output.type == OutputType::isInput) return toQString(function.inputs[*output.base].name) + tr(" itself");
    if (output.aliasesInput()) return tr("view of ") + toQString(function.inputs[*output.base].name);
    if (output.type == OutputType::aliasOfIntermediateBaseIsUserOutput)
        return tr("view of %1").arg(toQString(outputText(function, *output.base)));
    return tr("view of base %1").arg(*output.base);
}

std::vector<MetadataField> inputFields(const FunctionMetadata& function, std::size_t argument) {
    const bool known = argument < function.inputs.size();
    const InputInfo input = known ? function.inputs[argument] : InputInfo{};
    const bool mutated = input.mutation != MutationType::notMutated;
    return {
        words("Name", "as the model calls it", toQString(input.name)),
        words("Role", "parameter, buffer or input of the user", roleWords(input.role)),
        tensor("Type", "dtype and sizes before the call", input.tensor, tr("no tensor")),
        flag("Requires grad", "after the call; a mutation can turn it on", input.requiresGrad),
        flag("Grad turned on", "the program calls requires_grad_ on it", input.turnsDifferentiable()),
        flag("Leaf", "a leaf of the caller's autograd graph", input.isLeaf),
        words("Mutation", "whether the input is mutated, and whether by the graph or by the wrapper after it",
              mutationWords(input.mutation)),
        words("Graph input",
              "how it is passed to the graph: as an input of its own, as the duplicate of another, or as a view of the "
              "synthetic base of overlapping inputs",
              known ? graphInput(function, argument) : QString()),
        flag("Mutates data", "the program writes into it", input.mutatesData),
        flag("Mutates metadata", "the program changes its sizes, strides or offset", input.mutatesMetadata),
        flag("Mutates storage", "the program gives it another storage (set_)", input.mutatesStorageMetadata),
        flag("Grows storage", "the program grows its storage (resize_)", input.growsStorage),
        flag("Hidden from autograd", "all mutations are hidden from autograd: through detach() or .data",
             mutated && input.mutationsHiddenFromAutograd),
        flag("Under no_grad", "all mutations happen under no_grad or in inference mode",
             mutated && input.mutationsUnderNoGrad),
        flag("Behind autograd", "autograd records none of its mutations (no_grad or detach())", input.behindAutograd),
        tensor("Type after", "dtype and sizes after the call, if they change", input.after, QString()),
    };
}

std::vector<MetadataField> outputFields(const CompileRecord& record, std::size_t index, const Graph* graph,
                                        const MetadataLinks* links) {
    const FunctionMetadata& function = *record.metadata;
    const bool known = index < function.outputs.size();
    const OutputInfo output = known ? function.outputs[index] : OutputInfo{};
    const FunctionMetadata& ofGraph = record.graphMetadata ? *record.graphMetadata : function;
    const auto mask = ofGraph.tangentMask();
    const std::size_t slot = ofGraph.mutatedInputIndices().size() + index;
    return {
        words("Name", "its place in what the function returns",
              known ? toQString(outputLabel(function, index)) : QString()),
        words("Output type", "how the output aliases inputs and other values", describe(output.type)),
        words("Base", "the tensor that it is a view of", baseName(function, output, graph, links)),
        words("Regenerated", "how the wrapper regenerates it from its base", howRegenerated(function, output)),
        tensor("Type", "dtype and sizes", output.tensor, tr("no tensor")),
        flag("Requires grad", "as the caller sees it", output.requiresGrad),
        flag("Grad for backward", "a gradient flows through it; false for a view made under no_grad",
             output.requiresGradForBackward),
        flag("Tangent", "its gradient is an input of the backward graph",
             ofGraph.needsAutograd && slot < mask.size() && mask[slot]),
        flag("Severed", "its autograd history ends before its base: a view of a view made under no_grad",
             output.severed),
        flag("Own history", "a detached alias of a mutated input: its gradient is not the input's", output.ownHistory),
        tensor("As written", "its layout in the program, if the graph's value has another one", output.asWritten,
               QString()),
        words("Repeats", "an earlier output that is the same tensor object",
              output.repeats ? toQString(outputText(function, *output.repeats)) : QString()),
        words("Why", "what the output type means for the caller", known ? why(output) : QString()),
    };
}

QString inputCounts(const FunctionMetadata& function) {
    const auto count = [&](auto holds) { return countOf(function.inputs, holds); };
    const qint64 inGraph = count([](const InputInfo& i) { return i.mutation == MutationType::inGraph; });
    const qint64 outside = count([](const InputInfo& i) { return i.mutation == MutationType::outOfGraph; });
    QString text = tr("%1, %2 mutated").arg(toQString(counted(function.inputs.size(), "input"))).arg(inGraph + outside);
    if (inGraph + outside > 0)
        text += tr(": data of %1, sizes or strides of %2, storage of %3; %4 in the graph, %5 written back after it")
                    .arg(count([](const InputInfo& i) { return i.mutatesData; }))
                    .arg(count([](const InputInfo& i) { return i.mutatesMetadata; }))
                    .arg(count([](const InputInfo& i) { return i.mutatesStorageMetadata || i.growsStorage; }))
                    .arg(inGraph)
                    .arg(outside);
    const CallingConvention& convention = function.convention;
    const qint64 bases = countOf(convention.inputs, [](const GraphInput& i) { return i.syntheticBase; });
    qint64 duplicates = 0;
    for (std::size_t i = 0; i < convention.duplicateOf.size(); ++i) duplicates += convention.isDuplicate(i) ? 1 : 0;
    if (bases + duplicates > 0)
        text += tr("\nsynthetic bases for overlapping inputs: %1; duplicates removed: %2").arg(bases).arg(duplicates);
    return text;
}

QString outputCounts(const FunctionMetadata& function) {
    const qint64 aliased = countOf(function.outputs, [](const OutputInfo& o) { return o.isAlias(); });
    const qint64 ofInputs = countOf(function.outputs, [](const OutputInfo& o) { return o.aliasesInput(); });
    const auto all = static_cast<qint64>(function.outputs.size());
    return tr("%1: %2 not aliased, %3 aliased to inputs, %4 to intermediates; intermediate bases: %5")
        .arg(toQString(counted(function.outputs.size(), "output")))
        .arg(all - aliased)
        .arg(ofInputs)
        .arg(aliased - ofInputs)
        .arg(function.intermediateBases);
}

}  // namespace aotscope
