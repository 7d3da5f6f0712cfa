#include "models/difference_text_model.h"

#include "ir/printer.h"
#include "models/difference_words.h"
#include "models/pass_titles.h"
#include "models/to_qstring.h"

#include <QFontDatabase>

namespace aotscope {

namespace {

QString textOf(const Graph& graph, NodeId id) {
    const Node* node = id == kNoNode ? nullptr : graph.findById(id);
    return node ? toQString(printNode(*node)) : QString();
}

}  // namespace

void DifferenceTextModel::setDifference(std::shared_ptr<const GraphDifference> difference) {
    beginResetModel();
    difference_ = std::move(difference);
    refresh();
    endResetModel();
}

void DifferenceTextModel::setOnlyDifferences(bool only) {
    beginResetModel();
    only_ = only;
    refresh();
    endResetModel();
}

void DifferenceTextModel::setDark(bool dark) {
    dark_ = dark;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::BackgroundRole});
}

void DifferenceTextModel::refresh() {
    shown_.clear();
    if (!difference_) return;
    for (std::size_t i = 0; i < difference_->rows.size(); ++i)
        if (!only_ || difference_->rows[i].kind != DifferenceKind::same) shown_.push_back(i);
}

const DifferenceRow& DifferenceTextModel::row(int row) const {
    return difference_->rows[shown_[static_cast<std::size_t>(row)]];
}

int DifferenceTextModel::rowOf(NodeId before, NodeId after) const {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const DifferenceRow& row = difference_->rows[shown_[i]];
        if (after != kNoNode ? row.after == after : before != kNoNode && row.before == before)
            return static_cast<int>(i);
    }
    return -1;
}

int DifferenceTextModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int DifferenceTextModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant DifferenceTextModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const DifferenceRow& row = this->row(index.row());
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            if (index.column() == Before) return textOf(*difference_->before, row.before);
            if (index.column() == After) return textOf(*difference_->after, row.after);
            return row.kind == DifferenceKind::changed || row.what.empty()
                       ? toQString(row.what)
                       : QString(meaningOf(row.kind) + QStringLiteral(": ") + toQString(row.what));
        case Qt::BackgroundRole: {
            const bool empty = (index.column() == Before && row.before == kNoNode) ||
                               (index.column() == After && row.after == kNoNode);
            if (row.kind == DifferenceKind::same || empty) return {};
            return dark_ ? tintOf(row.kind).dark : tintOf(row.kind).light;
        }
        case Qt::FontRole: return QFontDatabase::systemFont(QFontDatabase::FixedFont);
        default: return {};
    }
}

QVariant DifferenceTextModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    if (section == What) return tr("What changed");
    if (!difference_) return section == Before ? tr("Before") : tr("After");
    return aotscope::titleOf(section == Before ? difference_->kindBefore : difference_->kindAfter);
}

}  // namespace aotscope
