#include "models/tables/metadata_words.h"

#include "io/tables/metadata_tables.h"
#include "ir/output_names.h"
#include "models/tables/table_cells.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

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

QString relationOf(const FunctionMetadata& function, std::size_t i) {
    const OutputInfo& output = function.outputs[i];
    if (output.repeats) return tr("same as %1").arg(toQString(outputText(function, *output.repeats)));
    if (output.type == OutputType::nonAlias || !output.isTensor) return {};
    if (!output.base || !output.isAlias()) return toQString(describe(output.type));
    if (output.type == OutputType::isInput) return toQString(function.inputs[*output.base].name) + tr(" itself");
    if (output.aliasesInput()) return tr("view of ") + toQString(function.inputs[*output.base].name);
    if (output.type == OutputType::aliasOfIntermediateBaseIsUserOutput)
        return tr("view of %1").arg(toQString(outputText(function, *output.base)));
    return tr("view of base %1").arg(*output.base);
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
