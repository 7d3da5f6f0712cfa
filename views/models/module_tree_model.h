#pragma once

#include "models/module_tree.h"

#include <QAbstractItemModel>

namespace aotscope {

/// The modules of a model with their contents, including submodules.
class ModuleTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    struct Column {
        enum { name, operations, time, saved, parameters, bytes, count };
    };
    /// Beside Qt's roles: the sort key of rows, and the text that a filter searches.
    enum Role { SortRole = Qt::UserRole, FilterRole };

    using QAbstractItemModel::QAbstractItemModel;

    /// `model`: the name of the whole. Returns whether the modules are the same as before, in which case rows are kept.
    bool setTree(std::shared_ptr<const ModuleTree> tree, const QString& model);
    /// Null: none is shown.
    const std::shared_ptr<const ModuleTree>& tree() const { return tree_; }
    /// The place of a module in the tree; -1 for an invalid index.
    static int moduleAt(const QModelIndex& index) {
        return index.isValid() ? static_cast<int>(index.internalId()) : -1;
    }
    QModelIndex indexOf(int module, int column = 0) const;
    /// A module and all modules in it, tab-separated, with full paths.
    QString textOf(int module) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const ModuleEntry& at(const QModelIndex& index) const { return (*tree_)[moduleAt(index)]; }
    QString textAt(const ModuleEntry& module, int column) const;
    QString titleOf(const ModuleEntry& module) const;
    QString tipOf(const ModuleEntry& module) const;

    std::shared_ptr<const ModuleTree> tree_;
    QString model_;
};

}  // namespace aotscope
