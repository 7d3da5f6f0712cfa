#include "io/tables/metadata_tables.h"
#include "ir/output_names.h"
#include "ir/provenance.h"
#include "ir/runtime_steps.h"
#include "models/tables/contract_tables.h"
#include "models/tables/metadata_words.h"
#include "models/tables/table_content.h"
#include "models/words/node_words.h"

#include <algorithm>

namespace aotscope {

namespace {

/// The numbers of layers sort before those of steps.
constexpr std::int64_t kMostLayers = 100;

constexpr const char* kNoMetadata = "No metadata: the pipeline stopped before it was collected.";

/// A column for the text of tensor subclasses, if there are any.
void addSubclasses(Table& table, const Graph* graph) {
    std::vector<std::string> texts;
    for (const Table::Row& row : table.rows) {
        const Node* node = graph && row.node != kNoNode ? graph->findById(row.node) : nullptr;
        texts.push_back(node ? subclassOf(*node) : std::string());
    }
    if (std::ranges::all_of(texts, &std::string::empty)) return;
    table.columns.push_back(
        {"subclass", "subclass", "what Python passes, whose parts the graph gets: a DTensor and its placements"});
    for (std::size_t i = 0; i < texts.size(); ++i) table.rows[i].cells.push_back(texts[i]);
}

}  // namespace

TableContent inputsTable(const CompileRecord& record) {
    const FunctionMetadata none;
    const FunctionMetadata& function = record.metadata ? *record.metadata : none;
    Table table = inputTable(function);
    GraphKind kind = GraphKind::joint;
    const MetadataLinks links = MetadataLinks::ofFinalGraph(record, kind);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        table.rows[i].node = links.placeholderOf(i);
        table.rows[i].graph = kind;
    }
    addSubclasses(table, record.graph(kind).get());
    table.summary = inputCounts(function).toStdString();
    table.whenEmpty = record.metadata ? "The function has no inputs." : kNoMetadata;
    return contentOf(table);
}

Table outputsOf(const CompileRecord& record, const Graph* graph, const MetadataLinks& links) {
    return outputTable(*record.metadata, record.graphMetadata ? *record.graphMetadata : *record.metadata,
                       [&](std::size_t base) {
                           const Node* node = graph ? graph->findById(links.baseNode(base)) : nullptr;
                           return node ? shownName(*node).toStdString() : std::string();
                       });
}

TableContent outputsTable(const CompileRecord& record) {
    if (!record.metadata) return contentOf(Table{{}, {}, {}, {}, {}, kNoMetadata});
    GraphKind kind = GraphKind::joint;
    const MetadataLinks links = MetadataLinks::ofFinalGraph(record, kind);
    Table table = outputsOf(record, record.graph(kind).get(), links);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        table.rows[i].node = links.outputNode(i);
        table.rows[i].graph = kind;
    }
    table.summary = outputCounts(*record.metadata).toStdString() + "\n" + record.metadata->whyAutograd;
    table.whenEmpty = "The function returns nothing.";
    return contentOf(table);
}

TableContent runtimeTable(const CompileRecord& record) {
    Table table{"steps",
                {{"position", "#", "layers from the outermost inwards, steps in execution order"},
                 {"when", "when",
                  "layer: what every call passes through; others are steps: before the compiled graph runs, in it, or "
                  "after it"},
                 {"input", "input", "the argument the step applies to"},
                 {"output", "output", "the user output the step applies to"},
                 {"text", "what Happens", "what the compiled function does; select a step to see its metadata"}}};
    table.whenEmpty = kNoMetadata;
    if (!record.metadata || !record.graphMetadata) return contentOf(table);
    table.filters = {{"Layers", "The wrappers around the graph, with what each adds or removes"},
                     {"Steps", "What the wrappers do in a call of this function"}};
    for (const RuntimeLayer& layer : runtimeLayers(record)) {
        const auto number = static_cast<std::int64_t>(table.rows.size());
        table
            .add(Table::Cell(number - kMostLayers, std::to_string(number + 1)), "layer", "", "",
                 QString(layer.name + QStringLiteral(": ") + layer.text).toStdString())
            .filters = 1U;
    }
    GraphKind kind = GraphKind::joint;
    const MetadataLinks links = MetadataLinks::ofFinalGraph(record, kind);
    std::size_t position = 0, around = 0;
    for (const RuntimeStep& step : describeRuntime(*record.metadata, *record.graphMetadata)) {
        around += step.when == RuntimeStep::When::graph ? 0 : 1;
        Table::Row& row = table.add(++position, name(step.when),
                                    step.input ? record.metadata->inputs[*step.input].name : std::string(),
                                    step.output ? outputLabel(*record.metadata, *step.output) : "", step.text);
        row.node = step.output  ? links.outputNode(*step.output)
                   : step.input ? links.placeholderOf(*step.input)
                                : kNoNode;
        row.graph = kind;
        row.filters = 2U;
    }
    table.summary = around == 0 ? "No steps around the graph: inputs and outputs are passed through"
                                : "Steps before and after the graph: " + std::to_string(around);
    return contentOf(table);
}

}  // namespace aotscope
