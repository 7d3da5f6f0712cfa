#include "models/table_content.h"

#include "canvas/drawn_graph.h"
#include "io/text_report.h"
#include "ir/printer.h"
#include "ir/runtime_steps.h"

#include <algorithm>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

Cell text(const QString& t) { return {t, {}}; }
Cell text(std::string_view t) { return {toQString(t), {}}; }
Cell number(qint64 n) { return {QString::number(n), n}; }
Cell bytes(std::int64_t n) { return {toQString(formatBytes(n)), static_cast<qint64>(n)}; }
Cell yes(bool b) { return {b ? QStringLiteral("yes") : QString(), b}; }
Cell tensor(const std::optional<TensorType>& type) {
    return type ? Cell{toQString(printTensorType(*type)), static_cast<qint64>(type->numel())}
                : text(QStringLiteral("no tensor"));
}

QString tr(const char* t) { return QString::fromUtf8(t); }

/// Placeholder of input `index` in the graph that the inputs belong to.
std::pair<NodeId, GraphKind> inputNode(const CompileRecord& record, std::size_t index) {
    for (const GraphKind kind : {GraphKind::joint, GraphKind::inference, GraphKind::functional}) {
        const auto graph = record.graph(kind);
        if (!graph) continue;
        const auto placeholders = graph->placeholders();
        if (index < placeholders.size()) return {placeholders[index]->id(), kind};
    }
    return {kNoNode, GraphKind::joint};
}

std::pair<NodeId, GraphKind> outputNode(const CompileRecord& record, std::size_t index) {
    for (const GraphKind kind : {GraphKind::joint, GraphKind::inference, GraphKind::functional}) {
        const auto graph = record.graph(kind);
        if (!graph || index >= graph->outputs().size()) continue;
        const Node* node = graph->outputs()[index].node();
        return {node ? node->id() : kNoNode, kind};
    }
    return {kNoNode, GraphKind::joint};
}

QString storageNote(const CompileRecord& record, const SavedValue& value) {
    if (value.kind != SavedValue::Kind::activation) return {};
    for (const Node* node : record.partition->forward->placeholders())
        if (const auto* type = node->type.tensor(); type && type->storage == value.type.storage)
            return tr(" (a view of ") + toQString(node->label.empty() ? node->name() : node->label) +
                   tr(": no memory of its own)");
    return {};
}

}  // namespace

TableContent inputsTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("No metadata: the pipeline did not get that far.");
    t.columns = {{tr("#"), tr("position among the function's inputs"), true},
                 {tr("Name"), {}, false},
                 {tr("Role"), {}, false},
                 {tr("Type"), tr("dtype and sizes"), false},
                 {tr("Requires grad"), {}, false},
                 {tr("Leaf"), tr("a leaf of the caller's autograd graph"), false},
                 {tr("Mutates data"), tr("the program writes into it"), false},
                 {tr("Mutates metadata"), tr("the program changes its sizes or strides"), false},
                 {tr("Mutation"), tr("where the mutation is applied"), false}};
    if (!record.metadata) return t;
    for (std::size_t i = 0; i < record.metadata->inputs.size(); ++i) {
        const InputInfo& input = record.metadata->inputs[i];
        const auto [node, graph] = inputNode(record, i);
        QString mutation = toQString(name(input.mutation));
        if (input.mutatesStorageMetadata) mutation += tr(", new storage");
        if (input.mutationsUnderNoGrad && input.mutatesData) mutation += tr(", under no_grad");
        t.rows.push_back({{number(static_cast<qint64>(i)), text(input.name), text(name(input.role)),
                           tensor(input.tensor), yes(input.requiresGrad), yes(input.isLeaf), yes(input.mutatesData),
                           yes(input.mutatesMetadata), text(mutation)},
                          node,
                          graph});
    }
    t.summary = tr("%1 inputs, %2 mutated")
                    .arg(record.metadata->inputs.size())
                    .arg(record.metadata->mutatedInputIndices().size());
    return t;
}

TableContent outputsTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("No metadata: the pipeline did not get that far.");
    t.columns = {{tr("#"), {}, true},
                 {tr("Output type"), tr("how the output relates to inputs and other values"), false},
                 {tr("Base"), tr("what it is a view of"), false},
                 {tr("Type"), {}, false},
                 {tr("Requires grad"), {}, false},
                 {tr("Tangent"), tr("its gradient is an input of the backward"), false}};
    if (!record.metadata) return t;
    const FunctionMetadata& metadata = *record.metadata;
    const auto mask = metadata.tangentMask();
    const std::size_t first = metadata.mutatedInputIndices().size();
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const OutputInfo& output = metadata.outputs[i];
        const auto [node, graph] = outputNode(record, first + i);
        QString base;
        if (output.base && output.aliasesInput()) base = tr("input ") + toQString(metadata.inputs[*output.base].name);
        else if (output.base && output.type == OutputType::aliasOfIntermediateBaseIsUserOutput)
            base = tr("output %1").arg(*output.base);
        else if (output.base) base = tr("intermediate base %1").arg(*output.base);
        t.rows.push_back({{number(static_cast<qint64>(i)), text(name(output.type)), text(base), tensor(output.tensor),
                           yes(output.requiresGrad), yes(metadata.needsAutograd && mask[first + i])},
                          node,
                          graph});
    }
    t.summary = toQString(metadata.whyAutograd);
    return t;
}

TableContent savedTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = record.metadata && !record.metadata->needsAutograd ? tr("An inference graph saves nothing.")
                                                                     : tr("Nothing is saved.");
    t.columns = {{tr("Value"), {}, false},
                 {tr("Operation"), {}, false},
                 {tr("Type"), {}, false},
                 {tr("Bytes"), {}, true},
                 {tr("Kind"), tr("activation: made by the forward; input: kept alive anyway by its owner"), false},
                 {tr("Module"), {}, false},
                 {tr("Why"), tr("the rule that made it saved"), false}};
    if (!record.partition) return t;
    for (const auto& value : record.partition->saved) {
        const Node* node = record.partition->forward->findById(value.node);
        const QString module = node && node->source ? toQString(node->source->module) : QString();
        t.rows.push_back(
            {{text(value.label.empty() ? "%" + value.name : value.label), text(value.op),
              text(formatType(*record.partition, value)), bytes(value.type.bytes()), text(name(value.kind)),
              text(module), text(toQString(value.reason) + storageNote(record, value))},
             value.node,
             GraphKind::joint});
    }
    // What costs memory comes first; inputs are alive anyway.
    std::stable_partition(t.rows.begin(), t.rows.end(), [&](const TableContent::Row& row) {
        return row.cells[4].text != toQString(name(SavedValue::Kind::input));
    });
    t.summary = tr("%1 values: %2 in storages of their own; inputs kept alive: %3")
                    .arg(record.partition->saved.size())
                    .arg(toQString(formatBytes(record.partition->savedUniqueBytes())),
                         toQString(formatBytes(record.partition->savedBytes(SavedValue::Kind::input))));
    return t;
}

TableContent recomputedTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("Nothing is computed twice.");
    t.columns = {
        {tr("Value"), {}, false}, {tr("Operation"), {}, false}, {tr("Bytes"), {}, true}, {tr("Module"), {}, false}};
    if (!record.partition) return t;
    for (const auto& value : record.partition->recomputed) {
        const Node* node = record.partition->backward->findById(value.node);
        const QString module = node && node->source ? toQString(node->source->module) : QString();
        t.rows.push_back(
            {{text("%" + value.name), text(value.op), bytes(value.bytes), text(module)}, value.node, GraphKind::joint});
    }
    t.summary =
        tr("%1 operations run in the forward and again in the backward").arg(record.partition->recomputed.size());
    return t;
}

TableContent runtimeTable(const CompileRecord& record) {
    TableContent t;
    t.whenEmpty = tr("Nothing to do: outputs and inputs come out of the graph as they are.");
    t.columns = {{tr("#"), {}, true}, {tr("When"), {}, false}, {tr("Step"), {}, false}};
    if (!record.metadata) return t;
    qint64 position = 0;
    for (const RuntimeStep& step : describeRuntime(*record.metadata, *record.graphMetadata))
        t.rows.push_back({{number(++position), text(name(step.when)), text(step.text)}, kNoNode, GraphKind::joint});
    return t;
}

TableContent guardsTable(const CompileRecord& record, const CheckResult* check) {
    TableContent t;
    t.whenEmpty =
        tr("The sizes are those of the example inputs; none may vary. Name a dimension in the input spec, or "
           "type one into Dynamic, as in x.0=2..64.");
    t.columns = {{tr("Valid while"), {}, false},
                 {tr("Why"), {}, false},
                 {tr("About"),
                  tr("a size, a number that the program reads from data, or a shape that follows from data"), false},
                 {tr("Where"), {}, false}};
    QStringList summary;
    for (const Symbol& symbol : record.symbols)
        summary << QStringLiteral("%1 = %2 in %3..%4")
                       .arg(toQString(symbol.name))
                       .arg(symbol.hint)
                       .arg(symbol.min)
                       .arg(symbol.max == Symbol::kNoMax ? QString() : QString::number(symbol.max));
    if (check && check->hits + check->misses > 0)
        summary << tr("%1 calls served, %2 recompiled").arg(check->hits).arg(check->misses);
    t.summary = summary.join(QStringLiteral("; "));
    for (const Guard& guard : record.guards) {
        const QString where =
            guard.source ? toQString(guard.source->file) + QStringLiteral(":") + QString::number(guard.source->line)
                         : QString();
        t.rows.push_back(
            {{text(guard.text), text(guard.reason), text(name(guard.kind)), text(where)}, kNoNode, GraphKind::joint});
    }
    return t;
}

TableContent timingTable(const TimingResult* timing) {
    TableContent t;
    t.whenEmpty = tr("Nothing has been timed yet: press Time (Ctrl+T).");
    t.columns = {{tr("Graph"), {}, false},
                 {tr("Step"), {}, true},
                 {tr("Value"), {}, false},
                 {tr("Operation"), {}, false},
                 {tr("Median µs"), tr("median over all runs"), true},
                 {tr("Share"), tr("of its graph"), true},
                 {tr("Bytes"), tr("of its results"), true}};
    if (!timing) return t;
    std::map<std::string, double> totals;
    for (const auto& step : timing->steps) totals[step.graph] += step.medianUs;
    for (const auto& step : timing->steps) {
        const double share = totals[step.graph] > 0 ? 100 * step.medianUs / totals[step.graph] : 0;
        const GraphKind kind = graphKindFromName(step.graph).value_or(GraphKind::forward);
        t.rows.push_back({{text(step.graph),
                           number(static_cast<qint64>(step.index)),
                           text("%" + step.name),
                           text(step.op),
                           {QString::number(step.medianUs, 'f', 1), step.medianUs},
                           {QString::number(share, 'f', 1) + tr(" %"), share},
                           bytes(step.bytes)},
                          step.node,
                          kind});
    }
    const auto ms = [](const Spread& s) { return toQString(formatMs(s.median)); };
    t.summary = tr("forward %1 ms (eager %2)").arg(ms(timing->compiledForwardMs), ms(timing->eagerForwardMs));
    if (timing->backward)
        t.summary += tr(", backward %1 ms (eager %2)").arg(ms(timing->compiledBackwardMs), ms(timing->eagerBackwardMs));
    t.summary +=
        tr("; peak memory %1 (eager %2); median of %3 runs")
            .arg(toQString(formatBytes(timing->compiledPeakBytes)), toQString(formatBytes(timing->eagerPeakBytes)))
            .arg(timing->iterations);
    return t;
}

}  // namespace aotscope
