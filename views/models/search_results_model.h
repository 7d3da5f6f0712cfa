#pragma once

#include "ir/subgraphs.h"
#include "query/search.h"

#include <QAbstractItemModel>

namespace aotscope {

/// The hits of a search: graphs, and below each its nodes.
class SearchResultsModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    void setResult(std::shared_ptr<const CompileRecord> record, SearchResult result);
    const SearchResult& result() const { return result_; }

    /// The hit at `position`, counted through all graphs.
    QModelIndex hit(std::size_t position) const;
    /// The position of an index; nothing for a graph.
    std::optional<std::size_t> positionOf(const QModelIndex& index) const;
    /// Position of the first hit in a group.
    std::size_t firstOf(std::size_t group) const { return firsts_[group]; }
    /// "joint, after dead-code"
    QString titleOf(std::size_t group) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Node* nodeAt(const QModelIndex& index) const;

    std::shared_ptr<const CompileRecord> record_;
    SearchResult result_;
    std::vector<std::size_t> firsts_;
    std::vector<std::vector<SubgraphRun>> runs_;  ///< of graphs with hits in their subgraphs
};

}  // namespace aotscope
