#include "panels/inspector/metadata_html.h"

#include "canvas/drawn_graph.h"
#include "io/tables/metadata_tables.h"
#include "io/tables/table_text.h"
#include "ir/output_names.h"
#include "ir/runtime_steps.h"
#include "models/tables/metadata_words.h"
#include "panels/inspector/html_writer.h"

#include <algorithm>

namespace aotscope {

namespace {

class Describer {
public:
    Describer(const Node& node, const Graph& graph, GraphKind kind, const CompileRecord& record)
        : graph_(graph), record_(record), links_(graph, kind, record), arguments_(links_.argumentsOf(node.id())) {
        if (const auto* returned = links_.returnedAs(node.id())) returned_ = *returned;
        base_ = links_.isSyntheticBase(node.id());
    }

    QString run() {
        if (!links_.described()) return {};
        if (base_)
            out_.section(
                QObject::tr("Synthetic base: replaces %1 arguments that overlap in memory").arg(arguments_.size()));
        for (const std::size_t i : arguments_) argument(i);
        for (const std::size_t i : returned_.updates) {
            const InputInfo& input = links_.described()->inputs[i];
            out_.section(QObject::tr("Returned as the updated value of %1").arg(toQString(input.name)));
            out_.fact(QObject::tr("mutation"), describe(effectOn(input)));
        }
        for (const std::size_t i : returned_.outputs) output(i);
        for (const std::size_t i : returned_.bases) intermediateBase(i);
        steps();
        return out_.take();
    }

private:
    /// Its position is in the heading.
    void fields(const Table& table, std::size_t row) {
        for (std::size_t c = 1; c < table.columns.size(); ++c) {
            const Table::Column& column = table.columns[c];
            const Table::Cell& cell = table.rows[row].cells[c];
            const bool no = column.unit == TableUnit::flag && !std::get<bool>(cell.value);
            if (!column.title.empty())
                out_.fact(toQString(column.title), no ? QObject::tr("no") : toQString(cellText(column, cell)));
        }
    }
    void argument(std::size_t i) {
        out_.section(QObject::tr("Input %1 of the function").arg(i));
        fields(inputTable(*record_.metadata), i);
    }
    void output(std::size_t i) {
        if (i >= record_.metadata->outputs.size()) return;
        out_.section(QObject::tr("Returned as %1").arg(toQString(outputText(*record_.metadata, i))));
        fields(outputsOf(record_, &graph_, links_), i);
    }
    void intermediateBase(std::size_t i) {
        QStringList views;
        for (std::size_t k = 0; k < record_.metadata->outputs.size(); ++k) {
            const OutputInfo& output = record_.metadata->outputs[k];
            const bool ofIntermediate = output.type == OutputType::aliasOfIntermediate ||
                                        output.type == OutputType::aliasOfIntermediateSaveAsOutput;
            if (ofIntermediate && output.base == i) views << toQString(outputText(*record_.metadata, k));
        }
        out_.section(QObject::tr("Returned as intermediate base %1").arg(i));
        out_.fact(QObject::tr("views"), views.join(QStringLiteral(", ")));
    }

    bool concerns(const RuntimeStep& step) const {
        const auto contains = [](const std::vector<std::size_t>& list, std::optional<std::size_t> i) {
            return i && std::find(list.begin(), list.end(), *i) != list.end();
        };
        const bool updates =
            step.input && !step.output && contains(returned_.updates, links_.describedInput(*step.input));
        return contains(arguments_, step.input) || contains(returned_.outputs, step.output) || updates;
    }
    void steps() {
        QStringList lines;
        for (const RuntimeStep& step : describeRuntime(*record_.metadata, *record_.graphMetadata))
            if (concerns(step))
                lines << QStringLiteral("<span class='faint'>") + toQString(name(step.when)).toHtmlEscaped() +
                             QStringLiteral("</span>&nbsp; ") + toQString(step.text).toHtmlEscaped();
        if (lines.isEmpty()) return;
        out_.section(QObject::tr("Runtime wrapper"));
        for (const QString& line : lines) out_.line(line);
    }

    const Graph& graph_;
    const CompileRecord& record_;
    MetadataLinks links_;
    std::vector<std::size_t> arguments_;
    MetadataLinks::Returned returned_;
    bool base_ = false;
    HtmlWriter out_;
};

}  // namespace

QString metadataHtml(const Node& node, const Graph& graph, GraphKind kind, const CompileRecord& record) {
    if (!record.metadata || !record.graphMetadata) return {};
    return Describer(node, graph, kind, record).run();
}

}  // namespace aotscope
