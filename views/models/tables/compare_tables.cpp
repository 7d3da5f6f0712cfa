#include "models/tables/compare_tables.h"

#include "io/differences/recompilations_text.h"
#include "io/differences/run_difference_text.h"
#include "io/timing_text.h"
#include "ir/printer.h"
#include "models/tables/table_cells.h"
#include "models/tables/variant_tables.h"
#include "models/words/difference_words.h"
#include "models/words/node_words.h"

#include <algorithm>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

constexpr std::size_t kMostNodeRows = 500;  ///< of one graph

class RunRows {
public:
    RunRows(TableContent& table, const ComparedPair& runs, const RunDifference* difference)
        : table_(table),
          runs_(runs),
          before_(summaryOf(*runs.baseline)),
          after_(summaryOf(*runs.other)),
          all_(difference),
          summary_(difference ? difference->summary : compare(before_, after_)) {}

    void fill() {
        const std::string &was = runs_.baseline->model.torchVersion, &is = runs_.other->model.torchVersion;
        if (was != is && !was.empty() && !is.empty())
            add({textCell(tr("torch")), textCell(toQString(was)), textCell(toQString(is)), textCell(QString())});
        add({textCell(tr("saved bytes")),
             bytesCell(before_.savedBytes),
             bytesCell(after_.savedBytes),
             {signedBytes(after_.savedBytes - before_.savedBytes),
              static_cast<qint64>(after_.savedBytes - before_.savedBytes)}});
        counts(tr("saved values"), before_.savedValues, after_.savedValues);
        counts(tr("recomputed operations"), before_.recomputedOps, after_.recomputedOps);
        for (const auto& [graph, ops] : before_.ops)
            if (after_.ops.contains(graph))
                counts(tr("%1 operations").arg(toQString(graph)), total(ops), total(after_.ops.at(graph)));
        for (const auto& [graph, ops] : summary_.ops)
            for (const auto& [op, count] : ops)
                counts(toQString(graph) + QStringLiteral(": ") + toQString(op), static_cast<std::size_t>(count.before),
                       static_cast<std::size_t>(count.after));
        onlyIn(tr("no longer saved"), summary_.savedOnlyBefore, true);
        onlyIn(tr("now saved"), summary_.savedOnlyAfter, false);
        onlyIn(tr("no longer recomputed"), summary_.recomputedOnlyBefore, true);
        onlyIn(tr("now recomputed"), summary_.recomputedOnlyAfter, false);
        if (!all_) return;
        for (const auto& graphs : all_->graphs) nodes(graphs);
        for (const FactChange& change : all_->facts)
            add({textCell(toQString(change.what)), textCell(toQString(change.before)),
                 textCell(toQString(change.after)), textCell(toQString(name(change.aspect)))});
    }

private:
    static std::size_t total(const std::map<std::string, int>& ops) {
        std::size_t sum = 0;
        for (const auto& [op, count] : ops) sum += static_cast<std::size_t>(count);
        return sum;
    }
    void add(std::vector<Cell> cells, NodeId node = kNoNode, GraphKind graph = GraphKind::joint) {
        table_.rows.push_back({std::move(cells), node, graph});
    }
    void counts(const QString& what, std::size_t before, std::size_t after) {
        const qint64 more = static_cast<qint64>(after) - static_cast<qint64>(before);
        add({textCell(what),
             numberCell(static_cast<qint64>(before)),
             numberCell(static_cast<qint64>(after)),
             {signedNumber(more), more}});
    }
    void onlyIn(const QString& what, const std::vector<RunSummary::Value>& values, bool before) {
        for (const auto& value : values) {
            const Cell name =
                textCell(QStringLiteral("%") + toQString(value.name) + QStringLiteral(" ") + toQString(value.op));
            const qint64 bytes = before ? -value.bytes : value.bytes;
            add({textCell(what),
                 before ? name : textCell(QString()),
                 before ? textCell(QString()) : name,
                 {signedBytes(bytes), bytes}});
        }
    }
    /// Only rows of final graphs stand for nodes: the window looks those up.
    void nodes(const RunDifference::OfGraphs& graphs) {
        const GraphDifference& difference = graphs.nodes;
        const bool isFinal = graphs.title == name(difference.kindAfter);
        std::size_t shown = 0, all = 0;
        for (const DifferenceRow& row : difference.rows) {
            if (row.kind == DifferenceKind::same || ++all > kMostNodeRows) continue;
            ++shown;
            add({textCell(toQString(graphs.title) + QStringLiteral(": ") + meaningOf(row.kind)),
                 textCell(nodeName(*difference.before, row.before)), textCell(nodeName(*difference.after, row.after)),
                 textCell(toQString(row.what))},
                isFinal ? (runs_.otherIsShown ? row.after : row.before) : kNoNode, difference.kindAfter);
        }
        if (all > shown)
            add({textCell(tr("%1: %2 more").arg(toQString(graphs.title)).arg(all - shown)), textCell(QString()),
                 textCell(QString()), textCell(QString())});
    }
    static QString nodeName(const Graph& graph, NodeId id) {
        const Node* node = id == kNoNode ? nullptr : graph.findById(id);
        return node ? fullName(*node) : QString();
    }

    TableContent& table_;
    const ComparedPair& runs_;
    const RunSummary before_, after_;
    const RunDifference* all_;
    const SummaryDifference summary_;
};

void addTimes(const VariantTiming& timing, TableContent& table) {
    const auto ms = [](const Spread& spread) { return Cell{toQString(formatDuration(spread.median)), spread.median}; };
    for (const auto& [name, part] : partsOf(timing)) {
        const QString what = name == "step" ? tr("step, median of %1; ratio with 95 % confidence interval")
                                                  .arg(toQString(runsText(timing.iterations, "interleaved run")))
                                            : toQString(name);
        table.rows.push_back({{textCell(what),
                               ms(part.firstMs),
                               ms(part.secondMs),
                               {QStringLiteral("× ") + toQString(formatRatio(part.ratio)), part.ratio.median}}});
    }
    if (const std::string note = disturbanceNote(timing.load); !note.empty())
        table.rows.push_back(
            {{textCell(toQString(note)), textCell(QString()), textCell(QString()), textCell(QString())}});
}

using Properties = std::vector<NodeProperty>;

Properties propertiesOf(const Node& node) {
    Properties properties{{tr("name"), fullName(node)}};
    if (node.kind() == NodeKind::call) properties.push_back({tr("operation"), toQString(node.op())});
    else if (node.kind() == NodeKind::placeholder) properties.push_back({tr("input"), roleWords(node.role)});
    std::ranges::copy(typeProperties(node.type), std::back_inserter(properties));
    for (const NamedArgument& argument : namedArguments(node))
        properties.push_back({argument.name, toQString(printArgument(*argument.value))});
    properties.push_back({tr("part of"), toQString(name(node.stage))});
    if (const auto& source = node.source) {
        properties.push_back({tr("module"), toQString(source->module)});
        if (!source->file.empty())
            properties.push_back({tr("file"), toQString(source->file) + QStringLiteral(":%1").arg(source->line)});
    }
    properties.push_back({tr("users"), QString::number(node.users().size())});
    return properties;
}

QString valueOf(const Properties& properties, const QString& name) {
    const auto it = std::ranges::find(properties, name, &NodeProperty::name);
    return it == properties.end() ? QString() : it->text;
}

}  // namespace

TableContent runDifferenceTable(const ComparedPair& runs, const RunDifference* difference,
                                const VariantTiming* timing) {
    TableContent t;
    t.columns = {{tr("What"), tr("what both runs have, or what differs"), false},
                 {runs.baselineName, tr("the baseline"), true},
                 {runs.otherName, tr("the run that is compared with the baseline"), true},
                 {tr("Difference"), tr("from the baseline: less is minus"), true}};
    if (timing) addTimes(*timing, t);
    RunRows(t, runs, difference).fill();
    t.summary = !difference           ? tr("Comparing…")
                : difference->empty() ? tr("No difference")
                                      : tr("%1 against the baseline %2: %3")
                                            .arg(runs.otherName, runs.baselineName, toQString(summaryOf(*difference)));
    return t;
}

TableContent compilationsTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations) {
    if (recompilations.empty()) return {};
    TableContent t = contentOf(compilationTable(first, recompilations));
    t.summary = tr("The compilations of this run. Enter or a double click shows one beside it.");
    return t;
}

TableContent nodePairTable(const Node* here, const Node* there, const QString& hereName, const QString& thereName) {
    TableContent t;
    t.columns = {{tr("≠"), tr("marks differences"), false},
                 {tr("Property"), tr("what the two nodes have in common, or not"), false},
                 {hereName, {}, false},
                 {thereName, {}, false}};
    t.whenEmpty = tr("Select an operation to compare it with its counterpart.");
    if (!here && !there) return t;
    const Properties a = here ? propertiesOf(*here) : Properties(), b = there ? propertiesOf(*there) : Properties();
    Properties all = a;
    for (const auto& property : b)
        if (std::ranges::find(a, property.name, &NodeProperty::name) == a.end()) all.push_back(property);
    int different = 0;
    for (const auto& [property, value] : all) {
        const QString left = valueOf(a, property), right = valueOf(b, property);
        different += left != right;
        t.rows.push_back({{textCell(left == right ? QString() : QStringLiteral("≠")), textCell(property),
                           textCell(left), textCell(right)}});
    }
    t.summary = !here       ? tr("No counterpart in %1").arg(hereName)
                : !there    ? tr("No counterpart in %1").arg(thereName)
                : different ? tr("Different properties: %1").arg(different)
                            : tr("No differences");
    return t;
}

}  // namespace aotscope
