#include "controllers/copy_controller.h"

#include "canvas/print_picture.h"
#include "controllers/make_action.h"
#include "io/python/graph.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "support/names.h"

#include <QApplication>
#include <QClipboard>
#include <QPrintDialog>
#include <QPrinter>

#include <algorithm>

namespace aotscope {

namespace {

QStringList cellsOf(const Node& node) {
    const auto* source = provenanceOf(node).source.get();
    return {u'%' + toQString(node.name()),
            toQString(node.op()),
            toQString(printType(node.type)),
            toQString(printArguments(node)),
            source ? toQString(source->module) : QString(),
            toQString(placeText(source))};
}

}  // namespace

CopyController::CopyController(const Surroundings& around, QList<QTabWidget*> tables)
    : Controller(around), tables_(std::move(tables)) {
    QAction* copy = makeAction(this, QStringLiteral("actionCopyNodes"), tr("&Copy Nodes"), {QKeySequence::Copy},
                               tr("Copies the selected nodes as graph text"), [this] { copyNodes(TableFormat::text); });
    // Only where the canvas has the focus: tables and texts handle Ctrl+C themselves.
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    pane_->addAction(copy);
    nodeActions_ = {
        copy,
        makeAction(this, QStringLiteral("actionCopyNodesMarkdown"), tr("Copy Nodes as &Markdown"), {},
                   tr("Copies the selected nodes as a Markdown table"), [this] { copyNodes(TableFormat::markdown); }),
        makeAction(this, QStringLiteral("actionCopyNodesCsv"), tr("Copy Nodes as CS&V"), {},
                   tr("Copies the selected nodes as CSV for a spreadsheet"), [this] { copyNodes(TableFormat::csv); })};
    tableActions_ = {makeAction(this, QStringLiteral("actionCopyTable"), tr("Copy &Table"), {},
                                tr("Copies the selected rows of the front table, or all rows, tab-separated"),
                                [this] { copyTable(TableFormat::text); }),
                     makeAction(this, QStringLiteral("actionCopyTableMarkdown"), tr("Copy Table as Ma&rkdown"), {},
                                tr("Copies the selected rows of the front table, or all rows, as Markdown"),
                                [this] { copyTable(TableFormat::markdown); }),
                     makeAction(this, QStringLiteral("actionCopyTableCsv"), tr("Copy Table as C&SV"), {},
                                tr("Copies the selected rows of the front table, or all rows, as CSV"),
                                [this] { copyTable(TableFormat::csv); })};
    print_ = makeAction(this, QStringLiteral("actionPrint"), tr("&Print Graph…"), {QKeySequence::Print},
                        tr("Prints the shown graph"), [this] { print(); });
    connect(selection_, &Selection::changed, this, &CopyController::enableWhatApplies);
    connect(pane_, &GraphPane::layoutFinished, this, &CopyController::enableWhatApplies);
    connect(pane_, &GraphPane::graphChanged, this, &CopyController::enableWhatApplies);
    enableWhatApplies();
}

void CopyController::addActionsTo(QMenu* menu) {
    for (QAction* action : nodeActions_) menu->addAction(action);
    menu->addSeparator();
    for (QAction* action : tableActions_) menu->addAction(action);
}

void CopyController::addTo(TablePanel* table) {
    for (const auto& [text, format] :
         {std::pair{tr("Copy as Markdown"), TableFormat::markdown}, std::pair{tr("Copy as CSV"), TableFormat::csv}}) {
        auto* action = new QAction(text, table);
        connect(action, &QAction::triggered, this, [this, table, format = format] { copyRows(*table, format, 0); });
        table->view()->addAction(action);
    }
}

void CopyController::enableWhatApplies() {
    for (QAction* action : nodeActions_) action->setEnabled(selection_->object());
    print_->setEnabled(pane_->view()->graph() && !pane_->layoutRunning());
}

void CopyController::copyNodes(TableFormat format) {
    if (!selection_->object()) return;
    std::vector<const Node*> nodes{selection_->object()};
    for (const NodeId other : selection_->others())
        if (const Node* node = findNode(*selection_->graph(), other)) nodes.push_back(node);
    QString text;
    QList<QStringList> rows;
    for (const Node* node : nodes) {
        text += toQString(printNode(*node)) + u'\n';
        rows << cellsOf(*node);
    }
    if (format != TableFormat::text)
        text = tableText({tr("Node"), tr("Operation"), tr("Type"), tr("Arguments"), tr("Module"), tr("Source")}, rows,
                         format);
    QApplication::clipboard()->setText(text);
    Q_EMIT said(tr("%1 copied").arg(toQString(counted(nodes.size(), "node"))));
}

void CopyController::copyGraph() {
    copyText([](const Graph& graph) { return printGraph(graph); });
}

void CopyController::copyGraphAsPython() {
    copyText([](const Graph& graph) { return pythonModule(graph, pythonClassName(graph)); });
}

void CopyController::copyText(const std::function<std::string(const Graph&)>& write) {
    const auto graph = pane_->graph();
    if (!graph) return;
    writing_.start<QString>(
        tr("Copying the graph"), [graph, write](const Progress& /*progress*/) { return toQString(write(*graph)); },
        [this](const QString& text) {
            QApplication::clipboard()->setText(text);
            Q_EMIT said(tr("%1 copied").arg(toQString(counted(static_cast<std::size_t>(text.count(u'\n')), "line"))));
        });
}

TablePanel* CopyController::tableInFront() const {
    const auto hasFocus = [](const QTabWidget* row) { return row->isAncestorOf(QApplication::focusWidget()); };
    const auto focused = std::ranges::find_if(tables_, hasFocus);
    const auto visible = std::ranges::find_if(tables_, &QTabWidget::isVisible);
    const auto row = focused != tables_.end() ? focused : visible;
    if (row == tables_.end() || !(*row)->currentWidget()) return nullptr;
    if (auto* table = qobject_cast<TablePanel*>((*row)->currentWidget())) return table;
    return (*row)->currentWidget()->findChild<TablePanel*>();
}

void CopyController::copyTable(TableFormat format) {
    // A single row is that of the selected node, not marked for copying.
    if (const TablePanel* table = tableInFront()) copyRows(*table, format, 1);
    else Q_EMIT said(tr("There is no table in front to copy"));
}

void CopyController::copyRows(const TablePanel& table, TableFormat format, qsizetype moreThan) {
    const TablePanel::Copied copied = table.copied(format, moreThan);
    QApplication::clipboard()->setText(copied.text);
    Q_EMIT said(tr("%1 copied").arg(toQString(counted(static_cast<std::size_t>(copied.rows), "row"))));
}

void CopyController::print() {
    const GraphView* view = pane_->view();
    if (!view->graph() || pane_->layoutRunning()) return;
    QPrinter printer(QPrinter::HighResolution);
    QPrintDialog dialog(&printer, window_);
    dialog.setWindowTitle(tr("Print Graph"));
    if (dialog.exec() != QDialog::Accepted) return;
    const int pages =
        printPicture(printer, *view->graph(), *view->layout(), view->paintOptions(), toQString(pane_->graph()->name()));
    Q_EMIT said(tr("%1 printed").arg(toQString(counted(static_cast<std::size_t>(pages), "page"))));
}

}  // namespace aotscope
