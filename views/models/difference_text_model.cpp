#include "models/difference_text_model.h"

#include "ir/printer.h"
#include "models/words/difference_words.h"
#include "models/words/pass_titles.h"
#include "models/words/to_qstring.h"

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

std::shared_ptr<const DifferenceLines> DifferenceLines::of(std::shared_ptr<const GraphDifference> difference) {
    auto texts = std::make_shared<DifferenceLines>();
    const Listing before(*difference->before), after(*difference->after);
    texts->lines.reserve(difference->rows.size());
    for (const DifferenceRow& row : difference->rows) {
        const auto [left, leftNumber] = before.at(row.before);
        const auto [right, rightNumber] = after.at(row.after);
        texts->lines.push_back({left, right, leftNumber, rightNumber});
        for (const QString& line : {left, right})
            if (line.size() > texts->longest.size()) texts->longest = line;
    }
    texts->difference = std::move(difference);
    return texts;
}

DifferenceTextModel::DifferenceTextModel(Side side, QObject* parent) : QAbstractTableModel(parent), side_(side) {}

void DifferenceTextModel::setDifference(std::shared_ptr<const DifferenceLines> lines) {
    beginResetModel();
    lines_ = std::move(lines);
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
    for (std::size_t i = 0; lines_ && i < lines_->lines.size(); ++i)
        if (!only_ || difference().rows[i].kind != DifferenceKind::same) shown_.push_back(i);
}

const DifferenceRow& DifferenceTextModel::row(int row) const {
    return difference().rows[shown_[static_cast<std::size_t>(row)]];
}

QString DifferenceTextModel::whatChanged(int row) const { return describe(this->row(row)); }

int DifferenceTextModel::rowOf(NodeId before, NodeId after) const {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const DifferenceRow& row = difference().rows[shown_[i]];
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
    const Line& line = this->line(index.row());
    const bool same = row(index.row()).kind == DifferenceKind::same;
    switch (role) {
        case Qt::DisplayRole: return textOf(line);
        case Qt::ToolTipRole: return whatChanged(index.row());
        case Qt::BackgroundRole: return same || numberOf(line) == 0 ? QVariant() : colourOf(index.row());
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
        if (!lines_) return side_ == Side::before ? tr("Before") : tr("After");
        return aotscope::titleOf(side_ == Side::before ? difference().kindBefore : difference().kindAfter);
    }
    if (section < 0 || section >= rowCount()) return {};
    const int number = numberOf(line(section));
    switch (role) {
        case Qt::DisplayRole: return number > 0 ? QString::number(number) : QString();
        case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        default: return {};
    }
}

}  // namespace aotscope
