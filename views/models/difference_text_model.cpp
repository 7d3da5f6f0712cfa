#include "models/difference_text_model.h"

#include "ir/printer.h"
#include "models/difference_words.h"
#include "models/pass_titles.h"
#include "models/to_qstring.h"

#include <unordered_map>

namespace aotscope {

namespace {

/// The text of every node, and its line.
class Listing {
public:
    explicit Listing(const Graph& graph) {
        int number = 0;
        for (const Node* node : graph.nodes()) lines_[node->id()] = {toQString(printNode(*node)), ++number};
    }
    std::pair<QString, int> at(NodeId id) const {
        const auto it = lines_.find(id);
        return it == lines_.end() ? std::pair<QString, int>() : it->second;
    }

private:
    std::unordered_map<NodeId, std::pair<QString, int>> lines_;
};

}  // namespace

DifferenceTextModel::DifferenceTextModel(Side side, QObject* parent) : QAbstractTableModel(parent), side_(side) {}

void DifferenceTextModel::setDifference(std::shared_ptr<const GraphDifference> difference) {
    beginResetModel();
    difference_ = std::move(difference);
    lines_.clear();
    longest_.clear();
    if (difference_) {
        const Listing before(*difference_->before), after(*difference_->after);
        for (std::size_t i = 0; i < difference_->rows.size(); ++i) {
            const auto [left, leftNumber] = before.at(difference_->rows[i].before);
            const auto [right, rightNumber] = after.at(difference_->rows[i].after);
            lines_.push_back({i, left, right, side_ == Side::before ? leftNumber : rightNumber});
            for (const QString& line : {left, right})
                if (line.size() > longest_.size()) longest_ = line;
        }
    }
    refresh();
    endResetModel();
}

void DifferenceTextModel::setOnlyDifferences(bool only) {
    beginResetModel();
    only_ = only;
    refresh();
    endResetModel();
}

void DifferenceTextModel::setScheme(ColourScheme scheme) {
    scheme_ = scheme;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::BackgroundRole});
}

void DifferenceTextModel::refresh() {
    shown_.clear();
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (!only_ || difference_->rows[i].kind != DifferenceKind::same) shown_.push_back(i);
}

const DifferenceRow& DifferenceTextModel::row(int row) const {
    return difference_->rows[shown_[static_cast<std::size_t>(row)]];
}

QString DifferenceTextModel::whatChanged(int row) const { return describe(this->row(row)); }

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

int DifferenceTextModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 1; }

const QString& DifferenceTextModel::textOf(const Line& line) const {
    if (side_ == Side::before) return line.before;
    return line.after;
}

QColor DifferenceTextModel::colourOf(int row) const {
    return coloursOf(tintOf(this->row(row).kind).meaning, scheme_).fill;
}

QVariant DifferenceTextModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Line& line = lines_[shown_[static_cast<std::size_t>(index.row())]];
    const bool same = row(index.row()).kind == DifferenceKind::same;
    switch (role) {
        case Qt::DisplayRole: return textOf(line);
        case Qt::ToolTipRole: return whatChanged(index.row());
        case Qt::BackgroundRole: return same || line.number == 0 ? QVariant() : colourOf(index.row());
        case DifferingParts: {
            if (same || line.before.isEmpty() || line.after.isEmpty()) return {};
            const DifferingWords words = differingWords(line.before, line.after);
            return QVariant::fromValue(side_ == Side::before ? words.before : words.after);
        }
        case Qt::ForegroundRole: return textOn(colourOf(index.row()), scheme_);
        case DifferingColour: return emphasized(colourOf(index.row()), scheme_);
        default: return {};
    }
}

QVariant DifferenceTextModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal) {
        if (role != Qt::DisplayRole) return {};
        if (!difference_) return side_ == Side::before ? tr("Before") : tr("After");
        return aotscope::titleOf(side_ == Side::before ? difference_->kindBefore : difference_->kindAfter);
    }
    if (section < 0 || section >= rowCount()) return {};
    const int number = lines_[shown_[static_cast<std::size_t>(section)]].number;
    switch (role) {
        case Qt::DisplayRole: return number > 0 ? QString::number(number) : QString();
        case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        default: return {};
    }
}

}  // namespace aotscope
