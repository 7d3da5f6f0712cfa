#include "panels/inspector/selection_html.h"

#include "cost/flops.h"
#include "ir/provenance.h"
#include "models/tables/variant_tables.h"
#include "models/words/node_words.h"
#include "models/words/to_qstring.h"
#include "ops/op_table.h"
#include "panels/inspector/html_writer.h"
#include "record/partition_figures.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QKeySequence>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <unordered_set>

namespace aotscope {

namespace {

using Nodes = std::vector<const Node*>;

QString bytesText(std::int64_t bytes) { return toQString(formatBytes(bytes)); }

QString countText(std::size_t count, const char* thing) { return toQString(counted(count, thing)); }

/// What is said of every node; empty if they differ, or if it is not known of one.
QString common(const Nodes& nodes, const std::function<std::string(const Node&)>& fact) {
    if (nodes.empty()) return {};
    const std::string first = fact(*nodes.front());
    const bool same = std::ranges::all_of(nodes, [&](const Node* node) { return fact(*node) == first; });
    return same ? toQString(first) : QString();
}

std::string dtypeOf(const Node& node) {
    const TensorType* tensor = node.type.tensor();
    return tensor ? std::string(longName(tensor->dtype)) : std::string();
}

std::string moduleOf(const Node& node) {
    const auto source = provenanceOf(node).source;
    if (!source) return {};
    return source->module.empty() ? "(top level)" : source->module;
}

class SelectionWriter {
public:
    explicit SelectionWriter(const InspectedSelection& of) : of_(of) {
        for (const Node* node : of.nodes) {
            nodes_.insert(node->id());
            // Elements of a tuple are drawn with the operation that returns it.
            for (const Node* user : node->users())
                if (isGetitem(*user)) nodes_.insert(user->id());
        }
        if (of.partition) findSaved(*of.partition);
    }

    std::vector<InspectorSection> run() {
        HtmlWriter what;
        if (module()) writeModule(what);
        else what.heading(countText(of_.nodes.size(), "selected node"));
        writeParts(what);
        if (!module()) writeCommon(what);
        writeSums(what);
        if (!module() && of_.timing) writeMeasured(what);
        writeOverrides(what);
        std::vector<InspectorSection> sections{{QStringLiteral("what"), {}, what.take()}};
        if (!saved_.empty()) sections.push_back(savedSection());
        if (!module()) sections.push_back(nodesSection());
        return sections;
    }

private:
    struct Saved {
        const SavedValue* value;
        std::int64_t bytes;
    };

    const ModuleEntry* module() const { return of_.module >= 0 ? &(*of_.tree)[of_.module] : nullptr; }

    bool contains(NodeId node) const {
        if (!module()) return nodes_.contains(node);
        const auto home = of_.tree->moduleOf.find(node);
        return home != of_.tree->moduleOf.end() && of_.tree->isWithin(home->second, of_.module);
    }

    void findSaved(const Partition& partition) {
        const PartitionFigures figures = figuresOf(partition);
        for (std::size_t i = 0; i < partition.saved.size(); ++i)
            if (figures.saved[i].share == SavedShare::own && contains(partition.saved[i].node)) {
                saved_.push_back({&partition.saved[i], figures.saved[i].bytes});
                savedBytes_ += figures.saved[i].bytes;
            }
        std::ranges::stable_sort(saved_, std::greater(), &Saved::bytes);
        for (std::size_t i = 0; i < partition.recomputed.size(); ++i)
            if (figures.recomputed[i] && contains(partition.recomputed[i].node)) {
                ++recomputed_;
                recomputedBytes_ += *figures.recomputed[i];
            }
    }

    void writeModule(HtmlWriter& out) const {
        const ModuleEntry& entry = *module();
        out.heading(entry.path);
        out.fact(QObject::tr("class"), entry.type);
        out.fact(QObject::tr("operations"), toQString(grouped(entry.operations)));
        if (entry.parameters > 0)
            out.fact(QObject::tr("parameters"), toQString(grouped(static_cast<std::size_t>(entry.parameters))) +
                                                    QStringLiteral(", ") + bytesText(entry.parameterBytes));
        if (!of_.tree->basis || entry.ms <= 0) return;
        const TimeBasis basis = *of_.tree->basis;
        QString time = toQString(timeText(entry.ms, basis));
        if (const std::string shares = sharesText(entry.msBy); basis == TimeBasis::estimated && !shares.empty())
            time += QStringLiteral(" (") + toQString(shares) + u')';
        out.fact(basis == TimeBasis::measured ? QObject::tr("measured time") : QObject::tr("estimated time"),
                 basis == TimeBasis::unreliable ? time : QObject::tr("%1 per step").arg(time));
    }

    /// The commands, with their keys.
    void writeOverrides(HtmlWriter& out) const {
        QStringList links;
        for (const QAction* action : of_.overrides)
            links << QStringLiteral("<a href='action:%1'>%2</a> <span class='faint'>%3</span>")
                         .arg(action->objectName(), action->text().remove(u'&').toHtmlEscaped(),
                              action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped());
        if (links.isEmpty()) return;
        out.section(module() ? QObject::tr("All values of this module") : QObject::tr("All these values"));
        for (const QString& link : links) out.line(link);
    }

    /// The joint graph is the only one with both.
    void writeParts(HtmlWriter& out) const {
        if (of_.kind != GraphKind::joint) return;
        std::map<Stage, std::size_t> parts;
        for (const Node* node : of_.nodes) ++parts[node->stage];
        QStringList words;
        for (const auto& [stage, count] : parts)
            words << (parts.size() == 1
                          ? toQString(name(stage))
                          : QObject::tr("%1 in %2").arg(toQString(grouped(count)), toQString(name(stage))));
        out.fact(QObject::tr("part of"), words.join(QStringLiteral(", ")));
    }

    void writeCommon(HtmlWriter& out) const {
        out.fact(QObject::tr("operator"), common(of_.nodes, [](const Node& node) { return node.op(); }));
        out.fact(QObject::tr("module"), common(of_.nodes, moduleOf));
        out.fact(QObject::tr("dtype"), common(of_.nodes, dtypeOf));
    }

    void writeSums(HtmlWriter& out) const {
        std::int64_t bytes = 0, flops = 0;
        for (const Node* node : of_.nodes) {
            if (node->kind() != NodeKind::call) continue;
            bytes += computedBytes(*node).value_or(0);
            flops += flopCount(*node);
        }
        out.fact(QObject::tr("results"), bytesText(bytes));
        if (flops > 0) out.fact(QObject::tr("FLOPs"), bytesText(flops).chopped(1) + QStringLiteral("FLOP"));
        if (!saved_.empty())
            writeOfPartition(out, QObject::tr("saved"), countText(saved_.size(), "value"), savedBytes_);
        else if (module() && !of_.partition && module()->savedBytes > 0)
            out.fact(QObject::tr("saved"), bytesText(module()->savedBytes));
        if (recomputed_ > 0)
            writeOfPartition(out, QObject::tr("recomputed"), countText(recomputed_, "operation"), recomputedBytes_);
    }

    void writeOfPartition(HtmlWriter& out, const QString& what, const QString& count, std::int64_t bytes) const {
        const QString text = count + QStringLiteral(", ") + bytesText(bytes);
        out.fact(what, of_.whatIf ? ofWhatIf(text) : text);
    }

    /// As for a single node.
    void writeMeasured(HtmlWriter& out) const {
        std::map<GraphKind, double> us;
        for (const StepTime& step : of_.timing->steps)
            if (nodes_.contains(step.node)) us[step.graph] += step.medianUs;
        for (const auto& [graph, sum] : us)
            out.fact(QObject::tr("measured time, %1").arg(toQString(name(graph))),
                     toQString(formatDuration(sum / 1000)));
    }

    InspectorSection savedSection() const {
        constexpr std::size_t most = 10;
        HtmlWriter out;
        for (const auto& [value, bytes] : saved_ | std::views::take(most))
            out.line(nodeLink(value->node, shownName(value->name, value->label)) + QStringLiteral(" &nbsp;") +
                     bytesText(bytes));
        if (saved_.size() > most) out.line(QObject::tr("and %1 more").arg(saved_.size() - most));
        return {QStringLiteral("saved"), QObject::tr("Largest saved values"), out.take()};
    }

    InspectorSection nodesSection() const {
        constexpr std::size_t most = 60;
        HtmlWriter out;
        for (const Node* node : of_.nodes | std::views::take(most)) {
            const QString op = node->kind() == NodeKind::call ? toQString(node->op()) : QString();
            out.line(nodeLink(node->id(), fullName(*node)) + QStringLiteral(" &nbsp;") + op.toHtmlEscaped());
        }
        if (of_.nodes.size() > most) out.line(QObject::tr("and %1 more").arg(of_.nodes.size() - most));
        return {QStringLiteral("nodes"), QObject::tr("Selected nodes"), out.take()};
    }

    const InspectedSelection& of_;
    std::unordered_set<NodeId> nodes_;
    std::vector<Saved> saved_;  ///< those with memory of their own, the largest first
    std::int64_t savedBytes_ = 0, recomputedBytes_ = 0;
    std::size_t recomputed_ = 0;
};

}  // namespace

std::vector<InspectorSection> selectionSections(const InspectedSelection& inspected) {
    return SelectionWriter(inspected).run();
}

}  // namespace aotscope
