#include "models/compare_tables.h"

#include "io/recompilations_text.h"
#include "io/timing_text.h"
#include "ir/printer.h"
#include "models/node_words.h"
#include "models/table_cells.h"
#include "models/variant_tables.h"

#include <algorithm>

namespace aotscope {

namespace {

using Cell = TableContent::Cell;

class RunRows {
public:
    RunRows(TableContent& table, const RunSummary& here, const RunSummary& there)
        : table_(table), here_(here), there_(there), difference_(compare(here, there)) {}

    void fill() {
        table_.rows.push_back({{textCell(tr("saved bytes")),
                                bytesCell(here_.savedBytes),
                                bytesCell(there_.savedBytes),
                                {signedBytes(there_.savedBytes - here_.savedBytes),
                                 static_cast<qint64>(there_.savedBytes - here_.savedBytes)}},
                               kNoNode,
                               GraphKind::joint});
        counts(tr("saved values"), here_.saved.size(), there_.saved.size());
        counts(tr("recomputed operations"), here_.recomputed.size(), there_.recomputed.size());
        for (const auto& [graph, ops] : here_.ops)
            if (there_.ops.contains(graph))
                counts(tr("%1 operations").arg(toQString(graph)), total(ops), total(there_.ops.at(graph)));
        for (const auto& [graph, ops] : difference_.ops)
            for (const auto& [op, count] : ops)
                counts(toQString(graph) + QStringLiteral(": ") + toQString(op), static_cast<std::size_t>(count.before),
                       static_cast<std::size_t>(count.after));
        onlyIn(tr("saved only here"), difference_.savedOnlyBefore, true);
        onlyIn(tr("saved only there"), difference_.savedOnlyAfter, false);
        onlyIn(tr("recomputed only here"), difference_.recomputedOnlyBefore, true);
        onlyIn(tr("recomputed only there"), difference_.recomputedOnlyAfter, false);
    }
    bool same() const { return difference_.empty(); }

private:
    static std::size_t total(const std::map<std::string, int>& ops) {
        std::size_t sum = 0;
        for (const auto& [op, count] : ops) sum += static_cast<std::size_t>(count);
        return sum;
    }
    void counts(const QString& what, std::size_t here, std::size_t there) {
        const qint64 more = static_cast<qint64>(there) - static_cast<qint64>(here);
        table_.rows.push_back({{textCell(what),
                                numberCell(static_cast<qint64>(here)),
                                numberCell(static_cast<qint64>(there)),
                                {signedNumber(more), more}},
                               kNoNode,
                               GraphKind::joint});
    }
    void onlyIn(const QString& what, const std::vector<RunSummary::Value>& values, bool here) {
        for (const auto& value : values) {
            const Cell name =
                textCell(QStringLiteral("%") + toQString(value.name) + QStringLiteral(" ") + toQString(value.op));
            table_.rows.push_back({{textCell(what), here ? name : textCell(QString()),
                                    here ? textCell(QString()) : name, bytesCell(value.bytes)},
                                   kNoNode,
                                   GraphKind::joint});
        }
    }

    TableContent& table_;
    const RunSummary &here_, &there_;
    RunDifference difference_;
};

void addTimes(const VariantTiming& timing, TableContent& table) {
    const auto ms = [](const Spread& spread) { return Cell{toQString(formatDuration(spread.median)), spread.median}; };
    const auto add = [&](const QString& what, const VariantTiming::Part& part) {
        table.rows.push_back({{textCell(what),
                               ms(part.firstMs),
                               ms(part.secondMs),
                               {QStringLiteral("× ") + toQString(formatRatio(part.ratio)), part.ratio.median}},
                              kNoNode,
                              GraphKind::joint});
    };
    add(tr("forward"), timing.forwardPart);
    if (!timing.backward) return;
    add(tr("backward"), timing.backwardPart);
    add(tr("step, median of %1; ratio with 95 % confidence interval")
            .arg(toQString(runsText(timing.iterations, "interleaved run"))),
        timing.step);
}

using Properties = std::vector<NodeProperty>;

Properties propertiesOf(const Node& node) {
    Properties properties{{tr("name"), fullName(node)}};
    if (node.kind() == NodeKind::call) properties.push_back({tr("operation"), toQString(node.op())});
    else if (node.kind() == NodeKind::placeholder) properties.push_back({tr("input"), roleWords(node.role)});
    std::ranges::copy(typeProperties(node.type), std::back_inserter(properties));
    for (const NamedArgument& argument : namedArguments(node))
        properties.push_back({argument.name, toQString(printArgument(*argument.value))});
    properties.push_back({tr("part of"), node.stage == Stage::backward ? tr("backward") : tr("forward")});
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

TableContent runDifferenceTable(const RunSummary& here, const RunSummary& there, const QString& hereName,
                                const QString& thereName, const VariantTiming* timing) {
    TableContent t;
    t.columns = {{tr("What"), tr("a count, a size or a time of both runs"), false},
                 {hereName, tr("the shown run"), true},
                 {thereName, tr("the run that it is compared with"), true},
                 {tr("Difference"), tr("of the second from the first"), true}};
    if (timing) addTimes(*timing, t);
    RunRows rows(t, here, there);
    rows.fill();
    t.summary = rows.same() ? tr("Both have the same operations, saved values and recomputed values")
                            : tr("%1 against %2").arg(thereName, hereName);
    return t;
}

TableContent compilationsTable(const CompileRecord& first, const std::vector<Recompilation>& recompilations) {
    TableContent t;
    if (recompilations.empty()) return t;
    t.columns = {{tr("Compilation"), tr("0 is the run that is shown; the others were made for other inputs"), true},
                 {tr("Made Because"), tr("the assumption of compilation 0 that the inputs do not meet"), false},
                 {tr("Inputs"), tr("their dtypes and shapes"), false},
                 {tr("Guards"), tr("conditions on sizes and data"), true},
                 {tr("Operations"), tr("of the graphs that run"), true},
                 {tr("Saved"), tr("for the backward, in storages of their own"), true},
                 {tr("Compiled In"), tr("all passes"), true}};
    const auto add = [&](const CompileRecord& record, const std::string& reason) {
        const double ms = record.times.total;
        t.rows.push_back({{numberCell(static_cast<qint64>(record.compilation)),
                           textCell(reason),
                           textCell(inputsText(record)),
                           numberCell(static_cast<qint64>(record.guards.size())),
                           numberCell(static_cast<qint64>(operationCount(record))),
                           record.partition ? bytesCell(record.partition->savedUniqueBytes()) : textCell(QString()),
                           {toQString(formatDuration(ms)), ms}}});
    };
    add(first, {});
    for (const Recompilation& recompilation : recompilations) add(*recompilation.record, recompilation.reason);
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
                           textCell(left), textCell(right)},
                          kNoNode,
                          GraphKind::joint});
    }
    t.summary = !here       ? tr("No counterpart in %1").arg(hereName)
                : !there    ? tr("No counterpart in %1").arg(thereName)
                : different ? tr("Different properties: %1").arg(different)
                            : tr("No differences");
    return t;
}

}  // namespace aotscope
