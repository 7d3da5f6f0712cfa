#include "models/check_story.h"

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

QString kindText(Kind kind) {
    switch (kind) {
        case Kind::output: return tr("output");
        case Kind::gradient: return tr("gradient");
        default: return tr("mutated input");
    }
}

TableContent::Cell errorCell(double error) {
    return {std::isfinite(error) ? toQString(formatted("%.2g", error)) : QStringLiteral("∞"), error};
}

TableContent::Cell verdictCell(bool equal) {
    return {equal ? tr("equal") : tr("differs"), equal ? 1 : 0, equal ? Mark::good : Mark::bad};
}

/// All remarks about one compared value.
QString whatDiffers(const CheckResult& check, const std::string& what) {
    QStringList sentences;
    for (const Difference& difference : check.differences)
        if (difference.what == what) sentences << toQString(describe(difference));
    return sentences.join(QStringLiteral("; "));
}

/// Remarks about a value that does not differ.
QString remarksOn(const CheckedValue& value) {
    QStringList remarks;
    if (value.nans > 0) remarks << tr("%1 NaN in both").arg(value.nans);
    if (value.infs > 0) remarks << tr("%1 infinite in both").arg(value.infs);
    if (const std::string why = whyNotCompared(value); !why.empty()) remarks << toQString(why);
    return remarks.join(QStringLiteral("; "));
}

TableContent::Row rowOf(const CheckedValue& value, const CheckResult& check, const ValueNodes& nodes) {
    return {{textCell(value.name), textCell(kindText(value.kind)), textCell(value.type), errorCell(value.maxAbs),
             errorCell(value.maxRel), errorCell(value.tolerance), verdictCell(value.equal),
             textCell(value.equal ? remarksOn(value) : whatDiffers(check, value.what))},
            nodes.of(value),
            nodes.kind()};
}

/// Differences outside the compared values: the number of outputs, memory beside an input, values at other sizes.
std::vector<TableContent::Row> otherRows(const CheckResult& check) {
    std::vector<TableContent::Row> rows;
    for (const Difference& difference : check.differences) {
        const bool known =
            difference.sizes.empty() && std::ranges::count(check.values, difference.what, &CheckedValue::what) > 0;
        if (known) continue;
        const bool measured = difference.total > 0;
        const TableContent::Cell none = textCell(QString());
        rows.push_back({{textCell(difference.what), textCell(name(difference.kind)), none,
                         measured ? errorCell(difference.maxAbs) : none, measured ? errorCell(difference.maxRel) : none,
                         none, verdictCell(false), textCell(describe(difference))}});
    }
    return rows;
}

TableContent valuesTable(const CompileRecord& record, const CheckResult& check) {
    TableContent t;
    t.whenEmpty = tr("This session file has no compared values; check again (F6).");
    t.columns = {
        {tr("Value"), tr("output, parameter or input, by the model's name for it"), false},
        {tr("Kind"),
         tr("a gradient is that of the value with this name; a mutated input is compared as it "
            "is after the run"),
         false},
        {tr("Type"), tr("dtype and shape in eager"), false},
        {tr("Largest Error"), tr("largest distance of an element from eager's"), true},
        {tr("Relative"), tr("the same, as a fraction of the tensor's largest element"), true},
        {tr("Tolerance"), tr("the relative error that rounding may cause: of the dtype, or as measured"), true},
        {tr("Verdict"), tr("elements, shape, strides and aliasing"), false},
        {tr("Difference"), tr("what differs, with the element that is furthest off"), false}};
    const ValueNodes nodes(record);
    for (const CheckedValue& value : check.values) t.rows.push_back(rowOf(value, check, nodes));
    for (TableContent::Row& row : otherRows(check)) t.rows.push_back(std::move(row));
    constexpr std::size_t verdict = 6;
    std::stable_partition(t.rows.begin(), t.rows.end(),
                          [](const TableContent::Row& row) { return row.cells[verdict].mark == Mark::bad; });
    return t;
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
    const QString outputs = errorCell(check.outputsMaxError).text;
    return check.backwardRun ? tr("Largest error, relative to the tensor's largest element: outputs %1, gradients %2.")
                                   .arg(outputs, errorCell(check.gradsMaxError).text)
                             : tr("Largest error, relative to the tensor's largest element: outputs %1.").arg(outputs);
}

QString allowedErrors() {
    const auto share = [](double error) { return errorCell(error).text; };
    return tr("Allowed: %1 in float32, %2 in float64, %3 in float16, %4 in bfloat16; more where rounding alone was "
              "measured to cause more.")
        .arg(share(kRounding.float32), share(kRounding.float64), share(kRounding.float16), share(kRounding.bfloat16));
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
