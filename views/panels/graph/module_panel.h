#pragma once

#include "models/module_tree_model.h"

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QWidget>
#include <set>

namespace aotscope {

/// The tree of modules, with a filter above it.
class ModulePanel : public QWidget {
    Q_OBJECT

public:
    explicit ModulePanel(QWidget* parent = nullptr);

    /// `model`: the name of the whole; `note`: a sentence about the numbers, or nothing. Open modules stay open.
    void setTree(std::shared_ptr<const ModuleTree> tree, const QString& model, const QString& note);
    const ModuleTreeModel& model() const { return model_; }
    QTreeView* view() const { return view_; }
    QLineEdit* filter() const { return filter_; }
    /// The module of the current row; -1: none.
    int current() const;
    /// Marks a module and opens the modules around it, without emitting chosen; -1: none.
    void mark(int module);
    void expandAll();
    void collapseAll();
    /// Copies the current module and all modules in it as a table.
    void copy() const;

Q_SIGNALS:
    /// The user has chosen this module.
    void chosen(int module);
    /// Open it in the graph, or close it there.
    void toggled(int module);
    void menuAsked(int module, const QPoint& globalPosition);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void setFilter(const QString& text);
    void showMenu(const QPoint& place);
    void openFirstLevels();
    void fitNumbers();
    void fitNames();
    std::set<QString> openPaths() const;
    QModelIndex rowOf(int module) const { return proxy_.mapFromSource(model_.indexOf(module)); }
    int moduleAt(const QModelIndex& row) const { return ModuleTreeModel::moduleAt(proxy_.mapToSource(row)); }

    ModuleTreeModel model_;
    QSortFilterProxyModel proxy_;
    QLineEdit* filter_;
    QLabel* note_;
    QTreeView* view_;
    bool following_ = false;  ///< the current row is being set by code
    int fitted_ = 0;          ///< pixels that the column of names was given last
};

}  // namespace aotscope
