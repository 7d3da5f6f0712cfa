#include "models/check_story.h"

#include "io/tables/check_table.h"
#include "ir/printer.h"
#include "models/tables/table_cells.h"
#include "record/check_reference.h"
#include "record/results/fallback_list.h"
#include "record/results/rounding.h"
#include "support/formatted.h"
#include "support/names.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Kind = CheckedValue::Kind;
using Mark = TableContent::Mark;

/// The nodes of the joint or inference graph for the compared values.
class ValueNodes {
public:
    explicit ValueNodes(const CompileRecord& record)
        : kind_(record.graph(GraphKind::joint) ? GraphKind::joint : GraphKind::inference),
          graph_(record.graph(kind_)) {}

    GraphKind kind() const { return kind_; }
    NodeId of(const CheckedValue& value) const {
        if (!graph_ || !graph_->output()) return kNoNode;
        const auto& slots = graph_->outputSlots();
        for (std::size_t i = 0; i < slots.size() && i < graph_->outputs().size(); ++i) {
            const Node* node = graph_->outputs()[i].node();
            if (node && slots[i].role == roleOf(value.kind) && slots[i].label == value.name) return node->id();
        }
        return value.kind == Kind::output ? kNoNode : placeholder(value.name);
    }

private:
    static Role roleOf(Kind kind) {
        switch (kind) {
            case Kind::output: return Role::userOutput;
            case Kind::gradient: return Role::gradient;
            default: return Role::mutatedInput;
        }
    }
    NodeId placeholder(const std::string& label) const {
        for (const Node* node : graph_->placeholders())
            if (node->label == label) return node->id();
        return kNoNode;
    }

    GraphKind kind_;
    std::shared_ptr<const Graph> graph_;
};

QString errorText(double error) {
    return std::isfinite(error) ? toQString(formatted("%.2g", error)) : QStringLiteral("∞");
}

/// Those that differ come first.
TableContent valuesTable(const CompileRecord& record, const CheckResult& check) {
    Table table = comparedTable(check);
    const ValueNodes nodes(record);
    for (std::size_t i = 0; i < check.values.size(); ++i) {
        table.rows[i].node = nodes.of(check.values[i]);
        table.rows[i].graph = nodes.kind();
    }
    constexpr std::size_t verdict = 6;
    std::stable_partition(table.rows.begin(), table.rows.end(),
                          [](const Table::Row& row) { return row.cells[verdict].mark == Mark::bad; });
    table.whenEmpty = "This session file has no compared values; check again (F6).";
    return contentOf(table);
}

QString comparedText(const CheckResult& check, const TableContent& values, const QString& reference) {
    const std::size_t compared = check.values.size();
    if (check.verdict() == CheckVerdict::notCompared)
        return tr("Not compared with %1: its backward fails, and so does the compiled one").arg(reference);
    if (check.ok)
        return compared == 0 ? tr("Equal to %1 within tolerance").arg(reference)
                             : tr("Equal to %1 within tolerance: %2 compared")
                                   .arg(reference, toQString(counted(compared, "value")));
    const auto bad = std::ranges::count_if(values.rows, [](const auto& row) { return row.cells[6].mark == Mark::bad; });
    if (compared == 0) return tr("Differs from %1").arg(reference);
    return tr("Differs from %1 in %2 of %3")
        .arg(reference, QString::number(bad), toQString(counted(values.rows.size(), "compared value")));
}

QString sentenceOf(const CheckResult& check, const TableContent& values, const QString& reference) {
    const QString text = comparedText(check, values, reference), instead = toQString(whatRanInstead(check.compilers));
    return instead.isEmpty() ? text : text + QStringLiteral("; ") + instead;
}

QString largestErrors(const CheckResult& check) {
    const QString outputs = errorText(check.outputsMaxError);
    return check.backwardRun ? tr("Largest error, relative to the tensor's largest element: outputs %1, gradients %2.")
                                   .arg(outputs, errorText(check.gradsMaxError))
                             : tr("Largest error, relative to the tensor's largest element: outputs %1.").arg(outputs);
}

QString allowedErrors() {
    return tr("Allowed: %1 in float32, %2 in float64, %3 in float16, %4 in bfloat16; more where rounding alone was "
              "measured to cause more.")
        .arg(errorText(kRounding.float32), errorText(kRounding.float64), errorText(kRounding.float16),
             errorText(kRounding.bfloat16));
}

QString detailsOf(const CheckResult& check) {
    QStringList lines;
    if (check.tookMs > 0)
        lines << tr("The check took %1. Seed of random inputs and operations: %2.")
                     .arg(toQString(formatDuration(check.tookMs)), QString::number(check.seed));
    lines << largestErrors(check) << allowedErrors();
    if (check.eagerMs > 0)
        lines << tr("One run of %1, not warmed up: eager %2, compiled %3. Time (Ctrl+T) measures both.")
                     .arg(check.backwardRun ? tr("forward and backward") : tr("forward"),
                          toQString(formatDuration(check.eagerMs)), toQString(formatDuration(check.compiledMs)));
    if (!check.backwardRun)
        lines << (check.backwardError.empty() ? tr("There is no backward to run.")
                                              : toQString(backwardFailure(check, "Eager")) + u'.');
    for (const std::string& note : check.notes) lines << tr("Note: %1.").arg(toQString(note));
    for (const std::string& clause : equallyNotFinite(check)) lines << toQString(clause) + u'.';
    if (!check.sizes.empty()) {
        const auto refused = [](const SizeCheck& size) { return !size.refused.empty(); };
        const auto compared = std::ssize(check.sizes) - std::ranges::count_if(check.sizes, refused);
        const auto differing = std::ranges::count(check.sizes, false, &SizeCheck::ok);
        const auto again = std::ranges::count_if(check.sizes, &SizeCheck::recompiled);
        lines << tr("At other sizes: %1 of %2 equal, recompiled for %3.")
                     .arg(compared - differing)
                     .arg(compared)
                     .arg(again);
        for (const SizeCheck& size : check.sizes)
            if (refused(size))
                lines << tr("Eager does not run at %1: %2")
                             .arg(toQString(printSizes(size.sizes)), toQString(size.refused));
        if (!check.recompilations.empty()) lines << tr("Compare lists the compilations.");
    }
    return lines.join(u'\n');
}

CheckStory::Verdict verdictIn(const CheckResult& check) {
    switch (check.verdict()) {
        case CheckVerdict::equal: return CheckStory::Verdict::equal;
        case CheckVerdict::differs: return CheckStory::Verdict::differs;
        case CheckVerdict::notCompared: return CheckStory::Verdict::notCompared;
    }
    return CheckStory::Verdict::none;
}

}  // namespace

CheckStory checkStory(const CompileRecord& record, const CheckResult* check, const BisectResult* bisection) {
    CheckStory story;
    story.reference = toQString(checkReference(record));
    story.sentence =
        tr("Not checked yet. Check (F6) compares outputs, gradients and mutated inputs with %1.").arg(story.reference);
    if (check) {
        story.values = valuesTable(record, *check);
        story.verdict = verdictIn(*check);
        story.sentence = sentenceOf(*check, story.values, story.reference);
        story.details = detailsOf(*check);
    }
    if (!bisection) return story;
    story.difference = tr("First difference: %1").arg(toQString(describe(*bisection)));
    story.hasPlace = bisection->found;
    if (check) return story;
    story.details = allowedErrors();
    story.verdict = bisection->found ? CheckStory::Verdict::differs : CheckStory::Verdict::equal;
    story.sentence =
        (bisection->found ? tr("Differs from %1") : tr("Equal to %1 after every pass")).arg(story.reference);
    return story;
}

CheckStory ofEarlierRun(CheckStory story) {
    story.details = tr("This is the verdict on an earlier run. Check (F6) checks the run that is shown.") +
                    (story.details.isEmpty() ? QString() : u'\n' + story.details);
    story.hasPlace = false;
    story.ofEarlierRun = true;
    for (TableContent::Row& row : story.values.rows) row.node = kNoNode;
    return story;
}

}  // namespace aotscope
