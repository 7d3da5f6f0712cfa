#pragma once

#include "controllers/controller.h"
#include "models/tables/table_text.h"
#include "panels/tables/table_panel.h"

#include <QAction>
#include <QMenu>
#include <QTabWidget>

#include <functional>

namespace aotscope {

/// Copies and prints what is shown: selected nodes and tables to the clipboard, the graph to the printer.
class CopyController : public Controller {
    Q_OBJECT

public:
    CopyController(const Surroundings& around, QList<QTabWidget*> tables);

    void addActionsTo(QMenu* menu);
    /// Actions for the selected nodes, for the menu of the canvas.
    const std::vector<QAction*>& nodeActions() const { return nodeActions_; }
    QAction* printAction() const { return print_; }
    /// Adds copying to the menu of every table.
    void addTo(TablePanel* table);

    void copyNodes(TableFormat format);
    void copyTable(TableFormat format);
    /// The text of the shown graph.
    void copyGraph();
    void copyGraphAsPython();
    bool busy() const override { return writing_.running(); }

private:
    void copyText(const std::function<std::string(const Graph&)>& write);
    /// The marked rows if there are more than `moreThan`, else all.
    void copyRows(const TablePanel& table, TableFormat format, qsizetype moreThan);
    TablePanel* tableInFront() const;
    void enableWhatApplies();
    void print();

    QList<QTabWidget*> tables_;  ///< rows of tabs whose tables are copied
    std::vector<QAction*> nodeActions_, tableActions_;
    QAction* print_;
    BackgroundJob writing_;  ///< the text of a graph
};

}  // namespace aotscope
