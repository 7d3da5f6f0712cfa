#include "ir/output_names.h"
#include "ir/provenance.h"
#include "ir/runtime_steps.h"
#include "models/tables/contract_tables.h"
#include "models/tables/metadata_words.h"
#include "models/tables/table_cells.h"
#include "models/tables/table_content.h"

#include <algorithm>

namespace aotscope {

namespace {

/// The numbers of layers sort before those of steps.
constexpr qint64 kMostLayers = 100;

TableContent emptyTable() {
    TableContent t;
    t.whenEmpty = tr("No metadata: the pipeline stopped before it was collected.");
    return t;
}

/// The position, then a column for each field.
std::vector<TableContent::Column> columnsFor(const std::vector<MetadataField>& fields, const QString& position) {
    std::vector<TableContent::Column> columns = {{tr("#"), position, true}};
    for (const auto& field : fields) columns.push_back({field.title, field.help, false});
    return columns;
}

TableContent::Row rowOf(std::size_t position, const std::vector<MetadataField>& fields, NodeId node, GraphKind kind) {
    TableContent::Row row;
    row.cells.push_back({QString::number(position), static_cast<qint64>(position)});
    for (const auto& field : fields) row.cells.push_back({field.text, field.value});
    row.node = node;
    row.graph = kind;
    return row;
}

/// A column for the text of tensor subclasses, if there are any.
void addSubclasses(TableContent& t, const Graph* graph) {
    std::vector<QString> texts;
    for (const auto& row : t.rows) {
        const Node* node = graph && row.node != kNoNode ? graph->findById(row.node) : nullptr;
        texts.push_back(node ? toQString(subclassOf(*node)) : QString());
    }
    if (std::ranges::all_of(texts, &QString::isEmpty)) return;
    t.columns.push_back(
        {tr("Subclass"), tr("what Python passes, whose parts the graph gets: a DTensor and its placements")});
    for (std::size_t i = 0; i < t.rows.size(); ++i) t.rows[i].cells.push_back({texts[i], {}});
}

}  // namespace

TableContent inputsTable(const CompileRecord& record) {
    TableContent t = emptyTable();
    if (record.metadata && record.metadata->inputs.empty()) t.whenEmpty = tr("The function has no inputs.");
    const FunctionMetadata none;
    const FunctionMetadata& function = record.metadata ? *record.metadata : none;
    t.columns = columnsFor(inputFields(function, function.inputs.size()), tr("position among the function's inputs"));
    GraphKind kind = GraphKind::joint;
    const MetadataLinks links = MetadataLinks::ofFinalGraph(record, kind);
    for (std::size_t i = 0; i < function.inputs.size(); ++i)
        t.rows.push_back(rowOf(i, inputFields(function, i), links.placeholderOf(i), kind));
    t.summary = inputCounts(function);
    addSubclasses(t, record.graph(kind).get());
    return t;
}

TableContent outputsTable(const CompileRecord& record) {
    TableContent t = emptyTable();
    if (!record.metadata) return t;
    const FunctionMetadata& function = *record.metadata;
    if (function.outputs.empty()) t.whenEmpty = tr("The function returns nothing.");
    GraphKind kind = GraphKind::joint;
    const MetadataLinks links = MetadataLinks::ofFinalGraph(record, kind);
    const auto graph = record.graph(kind);
    const auto fields = [&](std::size_t i) { return outputFields(record, i, graph.get(), &links); };
    t.columns = columnsFor(fields(function.outputs.size()), tr("position among the function's outputs"));
    for (std::size_t i = 0; i < function.outputs.size(); ++i)
        t.rows.push_back(rowOf(i, fields(i), links.outputNode(i), kind));
    t.summary = outputCounts(function) + u'\n' + toQString(function.whyAutograd);
    return t;
}

TableContent runtimeTable(const CompileRecord& record) {
    TableContent t = emptyTable();
    t.columns = {
        {tr("#"), tr("layers from the outermost inwards, steps in execution order"), true},
        {tr("When"),
         tr("layer: what every call passes through; others are steps: before the compiled graph runs, in it, or "
            "after it"),
         false},
        {tr("Input"), tr("the argument the step applies to"), false},
        {tr("Output"), tr("the user output the step applies to"), false},
        {tr("What Happens"), tr("what the compiled function does; select a step to see its metadata"), false}};
    if (!record.metadata || !record.graphMetadata) return t;
    GraphKind kind = GraphKind::joint;
    const MetadataLinks links = MetadataLinks::ofFinalGraph(record, kind);
    t.filters = {{tr("Layers"), tr("The wrappers around the graph, with what each adds or removes")},
                 {tr("Steps"), tr("What the wrappers do in a call of this function")}};
    for (const RuntimeLayer& layer : runtimeLayers(record)) {
        const auto number = static_cast<qint64>(t.rows.size());
        t.rows.push_back({.cells = {{QString::number(number + 1), number - kMostLayers},
                                    {tr("layer"), -1},
                                    textCell(QString()),
                                    textCell(QString()),
                                    textCell(layer.name + QStringLiteral(": ") + layer.text)},
                          .filters = 1U << 0U});
    }
    qint64 position = 0, around = 0;
    for (const RuntimeStep& step : describeRuntime(*record.metadata, *record.graphMetadata)) {
        around += step.when == RuntimeStep::When::graph ? 0 : 1;
        const NodeId node = step.output  ? links.outputNode(*step.output)
                            : step.input ? links.placeholderOf(*step.input)
                                         : kNoNode;
        ++position;
        t.rows.push_back({{{QString::number(position), position},
                           {toQString(name(step.when)), static_cast<int>(step.when)},
                           {step.input ? toQString(record.metadata->inputs[*step.input].name) : QString(), {}},
                           {step.output ? toQString(outputLabel(*record.metadata, *step.output)) : QString(), {}},
                           {toQString(step.text), {}}},
                          node,
                          kind,
                          1U << 1U});
    }
    t.summary = around == 0 ? tr("No steps around the graph: inputs and outputs are passed through")
                            : tr("Steps before and after the graph: %1").arg(around);
    return t;
}

}  // namespace aotscope
