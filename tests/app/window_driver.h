#pragma once

#include "app/isolation.h"
#include "session/remote/pipe_engine.h"
#include "support/kept_operators.h"
#include "support/patience.h"
#include "support/program.h"
#include "support/text.h"
#include "window/main_window.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QTableView>
#include <QtTest>

namespace aotscope::test {

/// The window leaves modules alone: most tests look at single operations.
struct ModulesByHand {
    ModulesByHand() { Settings().setAutomaticModules(false); }
};

/// The engine of all windows: a process of its own, as users have it.
inline std::shared_ptr<const Engine> engineThere() {
    static const auto engine = engineIn(forkedProgram().toStdString());
    return engine;
}

/// Drags `urls` over a part of the window and, if they are taken, drops them there. Returns whether they were taken.
inline bool dropOn(QWidget* part, const QList<QUrl>& urls) {
    while (!part->isWindow() && !part->acceptDrops()) part = part->parentWidget();  // as Qt finds whom to ask
    QMimeData data;
    data.setUrls(urls);
    QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.setAccepted(false);
    QCoreApplication::sendEvent(part, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent dropped({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(part, &dropped);
    return true;
}

/// A shown main window with shortcuts to its parts.
struct Driver : ModulesByHand, NothingMeasured {
    explicit Driver(std::shared_ptr<const Engine> engine = engineThere()) : window(std::move(engine)) {
        window.show();
        window.activateWindow();
    }
    /// Estimated times become those of a machine that was busy during its calibration.
    void disturbCalibration() const {
        MachineModel machine;
        machine.disagreement = 3;
        Q_EMIT window.findChild<CalibrationController*>()->calibrated(machine);
    }
    /// Waits until no background work is running.
    bool settle() {
        return QTest::qWaitFor([this] { return !window.busy(); }, kPatience);
    }
    bool open(const QString& model, const InputSource& inputs = {}) {
        window.openModel(model, inputs);
        return settle();
    }
    bool openSample(const char* name) { return open(u"sample:"_s + QString::fromUtf8(name)); }

    /// As from a file manager. Returns whether the window takes it.
    bool drop(const QString& file) { return dropOn(&window, {QUrl::fromLocalFile(file)}); }

    template <typename T>
    T* find(const char* name) const {
        return window.findChild<T*>(QString::fromUtf8(name));
    }
    GraphPane* pane() const { return find<GraphPane>("graphPane"); }
    GraphView* canvas() const { return pane()->view(); }
    TablePanel* table(const char* name) const { return find<TablePanel>(name); }
    QListWidget* problems() const { return find<QListWidget>("problems"); }
    QString lastProblem() const {
        return problems()->count() ? problems()->item(problems()->count() - 1)->text() : QString();
    }
    /// The list of problems is open.
    bool problemsAreInFront() const { return problems()->isVisible(); }
    /// The verdict of the check against eager, in one line.
    QString verdict() const { return find<QLabel>("checkVerdict")->text(); }
    QString inspector() const { return find<QTextBrowser>("inspector")->toPlainText(); }
    /// Why the selected value is saved, recomputed or neither; empty if not explained.
    QString why() const { return window.findChild<InspectorPanel*>()->whyText(); }
    QString summary() const { return find<QLabel>("summary")->text(); }
    std::shared_ptr<const CompileRecord> record() const { return window.session()->record(); }
    QString modelName() const { return window.session() ? q(record()->model.name) : QString(); }
    const Node* node(GraphKind kind, const char* name) const { return record()->graph(kind)->findByName(name); }

    void trigger(const char* action) const {
        auto* found = find<QAction>(action);
        if (!found) qFatal("no action '%s'", action);
        found->trigger();
    }
    /// The menu with this title, without '&'.
    QMenu* menu(const char* title) const {
        for (QMenu* menu : window.findChildren<QMenu*>())
            if (menu->title().remove(u'&') == QString::fromUtf8(title)) return menu;
        return nullptr;
    }
    QStringList recent() const {
        QStringList list;
        for (const QAction* action : menu("Open Recent")->actions())
            if (!action->isSeparator() && action != menu("Open Recent")->actions().last()) list << action->text();
        return list;
    }
    void chooseTab(GraphKind kind) const {
        auto* tabs = find<QTabBar>("graphTabs");
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == titleOf(kind)) tabs->setCurrentIndex(i);
    }
    void choosePartition(PartitionAlgorithm algorithm) const {
        find<QComboBox>("partition")->setCurrentText(q(name(algorithm)));
    }
    /// The rows of the values with this placement.
    std::size_t valuesWith(FateMark mark) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(table("valuesTable")->content().rows,
                                  [mark](const TableContent::Row& row) { return row.cells[1].fate == mark; }));
    }
    /// Clicks the box of a node.
    void clickNode(NodeId id) const {
        canvas()->fitAll();
        const auto box = static_cast<std::size_t>(canvas()->graph()->indexOf.at(id));
        QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {},
                          canvas()->mapFromScene(canvas()->layout()->boxes[box].center()));
    }
    /// The nodes of the marked rows of a table.
    std::vector<NodeId> markedIn(const char* name) const {
        std::vector<NodeId> nodes;
        for (const QModelIndex& index : table(name)->view()->selectionModel()->selectedRows())
            nodes.push_back(index.data(TableModel::NodeRole).toInt());
        return nodes;
    }
    void chooseRowOf(const char* name, NodeId node) const {
        const auto* model = table(name)->view()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data(TableModel::NodeRole).toInt() == node) table(name)->view()->selectRow(row);
    }

    MainWindow window;
};

inline InputSpec specFrom(const char* json) { return parseInputSpec(json, "spec"); }

}  // namespace aotscope::test
