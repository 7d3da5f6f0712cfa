#include "models/search_results_model.h"

#include "ir/printer.h"
#include "ir/provenance.h"
#include "models/headings.h"
#include "models/words/node_words.h"
#include "models/words/pass_titles.h"
#include "models/words/to_qstring.h"

#include <QFont>
#include <algorithm>

namespace aotscope {

namespace {

struct FoundColumn {
    enum { NodeName, Operation, Type, Count };
};

/// The internal id of a graph; that of a node is one more than the row of its graph.
constexpr quintptr kGroup = 0;

std::size_t groupHolding(const QModelIndex& hit) { return static_cast<std::size_t>(hit.internalId() - 1); }

QString whatIs(const Node& node) {
    if (node.kind() == NodeKind::call) return toQString(shortOpName(node.op()));
    if (node.kind() == NodeKind::constant) return QStringLiteral("constant");
    return roleWords(node.role);
}

}  // namespace

void SearchResultsModel::setResult(std::shared_ptr<const CompileRecord> record, SearchResult result) {
    beginResetModel();
    record_ = std::move(record);
    result_ = std::move(result);
    firsts_.clear();
    runs_.clear();
    std::size_t first = 0;
    for (const SearchGroup& group : result_.groups) {
        firsts_.push_back(first);
        runs_.push_back(std::ranges::any_of(group.nodes, isInner) ? subgraphRuns(*group.where.graph)
                                                                  : std::vector<SubgraphRun>());
        first += group.nodes.size();
    }
    endResetModel();
}

QModelIndex SearchResultsModel::hit(std::size_t position) const {
    if (position >= result_.hits) return {};
    const auto group = static_cast<std::size_t>(std::ranges::upper_bound(firsts_, position) - firsts_.begin()) - 1;
    return createIndex(static_cast<int>(position - firsts_[group]), 0, static_cast<quintptr>(group + 1));
}

std::optional<std::size_t> SearchResultsModel::positionOf(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kGroup) return std::nullopt;
    return firsts_[groupHolding(index)] + static_cast<std::size_t>(index.row());
}

QString SearchResultsModel::titleOf(std::size_t group) const {
    return aotscope::titleOf(*record_, result_.groups[group].where);
}

QModelIndex SearchResultsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : kGroup);
}

QModelIndex SearchResultsModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kGroup) return {};
    return createIndex(static_cast<int>(groupHolding(index)), 0, kGroup);
}

int SearchResultsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(result_.groups.size());
    if (parent.internalId() != kGroup || parent.column() > 0) return 0;
    return static_cast<int>(result_.groups[static_cast<std::size_t>(parent.row())].nodes.size());
}

int SearchResultsModel::columnCount(const QModelIndex& /*parent*/) const { return FoundColumn::Count; }

const Node* SearchResultsModel::nodeAt(const QModelIndex& index) const {
    const SearchGroup& group = result_.groups[groupHolding(index)];
    const NodeId id = group.nodes[static_cast<std::size_t>(index.row())];
    for (const SubgraphRun& run : runs_[groupHolding(index)])
        if (const Node* node = run.find(id)) return node;
    return group.where.graph->findById(id);
}

QVariant SearchResultsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == kGroup) {
        const auto group = static_cast<std::size_t>(index.row());
        if (role == Qt::DisplayRole && index.column() == 0)
            return QString(titleOf(group) + QStringLiteral("  (%1)").arg(result_.groups[group].nodes.size()));
        if (role != Qt::FontRole) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const Node* node = nodeAt(index);
    if (!node) return {};
    if (role == Qt::ToolTipRole)
        return QString(toQString(printNode(*node)) + QStringLiteral("\n") +
                       toQString(describe(provenanceOf(*node), nullptr)))
            .trimmed();
    switch (index.column()) {
        case FoundColumn::NodeName: return fullName(*node);
        case FoundColumn::Operation: return whatIs(*node);
        default: return typeText(node->type);
    }
}

QVariant SearchResultsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeading({{tr("Node"), tr("the hit, under the graph that has it")},
                          {tr("Operation"), tr("what the node calls, or what it is")},
                          {tr("Type"), tr("dtype and sizes of its value")}},
                         section, orientation, role);
}

}  // namespace aotscope
