#include "models/step_model.h"

#include "models/headings.h"
#include "models/words/node_words.h"
#include "models/words/to_qstring.h"
#include "ops/meaningless.h"

#include <QFont>
#include <algorithm>

namespace aotscope {

namespace {

/// For a value without meaning, even that nothing is compared with it.
QString typeOfStep(const Node& node, const ValueFacts* facts) {
    const QString type = facts ? toQString(facts->type) : typeText(node.type);
    const std::string_view why = whyMeaningless(node);
    return why.empty() ? type : StepModel::tr("%1; not compared: %2").arg(type, toQString(why));
}

}  // namespace

void StepModel::setSteps(std::shared_ptr<const CompileRecord> record, std::vector<DebugStep> steps) {
    beginResetModel();
    record_ = std::move(record);
    steps_ = std::move(steps);
    facts_.clear();
    next_ = 0;
    endResetModel();
}

void StepModel::setNext(int row) {
    const int before = std::exchange(next_, row);
    facts_.erase(facts_.lower_bound(row), facts_.end());
    if (steps_.empty()) return;
    const int last = rowCount() - 1;
    Q_EMIT dataChanged(index(std::min(std::min(before, row), last), 0),
                       index(std::min(std::max(before, row), last), kColumns - 1));
}

int StepModel::rowOf(const DebugPosition& position) const {
    if (position.ended()) return rowCount();
    const auto found = std::ranges::find_if(
        steps_, [&](const DebugStep& s) { return s.graph == position.graph && s.index == position.step; });
    return static_cast<int>(found - steps_.begin());
}

int StepModel::rowOf(GraphKind graph, NodeId node) const {
    const auto found = std::ranges::find_if(steps_, [&](const DebugStep& s) {
        return s.graph == graph && (s.node == node || std::ranges::count(s.inside, node) > 0);
    });
    return found == steps_.end() ? -1 : static_cast<int>(found - steps_.begin());
}

std::vector<int> StepModel::unknown(int first, int last) const {
    std::vector<int> rows;
    for (int row = std::max(first, 0); row <= std::min(last, next_ - 1); ++row)
        if (!facts_.contains(row)) rows.push_back(row);
    return rows;
}

void StepModel::setFacts(const std::map<int, ValueFacts>& facts) {
    if (facts.empty()) return;
    for (const auto& [row, value] : facts) facts_[row] = value;
    Q_EMIT dataChanged(index(facts.begin()->first, Type), index(facts.rbegin()->first, NotFinite));
}

void StepModel::forgetFacts() {
    facts_.clear();
    if (!steps_.empty()) Q_EMIT dataChanged(index(0, Type), index(rowCount() - 1, NotFinite));
}

const ValueFacts* StepModel::factsOf(int row) const {
    const auto found = facts_.find(row);
    return found == facts_.end() ? nullptr : &found->second;
}

QString StepModel::operationsOf(const Node& node, const DebugStep& step) const {
    if (step.inside.empty()) return toQString(node.op());
    QStringList others;
    const auto graph = record_->graph(step.graph);
    for (const NodeId inside : step.inside)
        if (const Node* other = graph->findById(inside)) others << shownName(*other);
    return tr("%1, in one kernel with %2").arg(toQString(node.op()), others.join(QStringLiteral(", ")));
}

const Node* StepModel::nodeOf(const DebugStep& step) const {
    const auto graph = record_ ? record_->graph(step.graph) : nullptr;
    return graph ? graph->findById(step.node) : nullptr;
}

int StepModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

int StepModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString StepModel::textAt(int row, int column) const {
    const DebugStep& step = steps_[static_cast<std::size_t>(row)];
    const Node* node = nodeOf(step);
    const ValueFacts* facts = factsOf(row);
    const auto number = [&](double value) {
        return facts && facts->finite() ? toQString(numberText(value)) : QString();
    };
    switch (column) {
        case Mark: return row == next_ ? QStringLiteral("▶") : QString();
        case Number: return QString::number(step.index + 1);
        case Graph: return toQString(name(step.graph));
        case Value: return node ? shownName(*node) : QString();
        case Operation: return node ? operationsOf(*node, step) : QString();
        case Type: return node ? typeOfStep(*node, facts) : QString();
        case Min: return number(facts ? facts->min : 0);
        case Max: return number(facts ? facts->max : 0);
        case Mean: return number(facts ? facts->mean : 0);
        case NotFinite: return facts ? QString::number(facts->nans + facts->infs) : QString();
        default: return node && node->source ? toQString(node->source->module) : QString();
    }
}

QVariant StepModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const int row = index.row(), column = index.column();
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole: return textAt(row, column);
        case Qt::AccessibleTextRole: return column == Mark && row == next_ ? tr("next") : textAt(row, column);
        case Qt::TextAlignmentRole:
            return QVariant(column == Number || (column >= Min && column <= NotFinite)
                                ? Qt::AlignRight | Qt::AlignVCenter
                                : Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::FontRole: {
            if (row != next_) return {};
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        default: return {};
    }
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeading({{{}, tr("▶: executed next")},
                          {tr("Step"), tr("position in its graph")},
                          {tr("Graph"), tr("forward, backward or inference graph")},
                          {tr("Value"), tr("the node that the step computes")},
                          {tr("Operation"), tr("what the node calls, and the nodes that the same kernel computes")},
                          {tr("Type"), tr("dtype and shape; once it is executed, those of the value")},
                          {tr("Min"), tr("smallest finite element")},
                          {tr("Max"), tr("largest finite element")},
                          {tr("Mean"), tr("mean of the finite elements")},
                          {tr("NaN, Inf"), tr("number of elements that are NaN or infinite")},
                          {tr("Module"), tr("the module that the operation belongs to")}},
                         section, orientation, role);
}

}  // namespace aotscope
