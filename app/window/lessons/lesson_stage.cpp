#include "window/lessons/lesson_stage.h"

#include "io/report.h"
#include "load/torchscript/script_presets.h"
#include "models/words/to_qstring.h"
#include "panels/inspector/node_html.h"
#include "query/facts.h"
#include "query/query.h"
#include "record/options/option_values.h"
#include "window/controllers.h"

#include <QApplication>
#include <QToolBar>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace aotscope {

namespace {

const QString kGraphTarget = QStringLiteral("graph"), kNodeTarget = QStringLiteral("node");

const ScriptPreset& presetNamed(const QString& name) {
    const auto found = std::ranges::find(scriptPresets(), name.toStdString(), &ScriptPreset::name);
    if (found == scriptPresets().end()) throw Error("there is no example '" + name.toStdString() + "'");
    return *found;
}

/// The button of an action in a toolbar; null: none.
QWidget* buttonOf(const QMainWindow& window, const QString& action) {
    auto* found = window.findChild<QAction*>(action);
    for (QToolBar* bar : window.findChildren<QToolBar*>())
        if (QWidget* button = found ? bar->widgetForAction(found) : nullptr) return button;
    return nullptr;
}

/// Their choice holds for later models, too.
bool isRemembered(const OptionEntry& entry) {
    return entry.name() == "--keep-input-mutations" || entry.name().ends_with("compiler");
}

}  // namespace

void LessonStage::start(const LessonAction& action) {
    using enum LessonAction::Kind;
    const QString& what = action.what;
    switch (action.kind) {
        case example: {
            const ScriptPreset& preset = presetNamed(what);
            return openProgram(toQString(preset.code).trimmed(), toQString(preset.inputs));
        }
        case program: return openProgram(what, action.value);
        case graph: return showGraph(what);
        case pass: return showPass(what);
        case select: return selectLargest(what);
        case page:
            if (!show(what)) throw Error("there is no page '" + what.toStdString() + "'");
            return;
        case section: return bench_.inspector->showSection(what);
        case command: {
            auto* found = bench_.window->findChild<QAction*>(what);
            if (!found || !found->isEnabled()) throw Error("there is no command '" + what.toStdString() + "' now");
            return found->trigger();
        }
        case option: return bench_.options->set(optionNamed(what.toStdString()), action.value);
        case defaults: return resetOptions();
    }
}

LessonStage::State LessonStage::stateOf(const LessonAction& action) const {
    using enum LessonAction::Kind;
    if (action.kind == select || action.kind == page || action.kind == section) return State::done;
    if (busy()) return State::working;
    if (action.kind != example && action.kind != program) return State::done;
    const auto& session = bench_.run.session();
    if (session && session->options().model == all_.scratch->model()) return State::done;
    return QApplication::activeModalWidget() ? State::working : State::failed;  // the user may have been asked
}

/// Estimates of times may take longer; only commands on partitions need them.
bool LessonStage::busy() const {
    return all_.runs->busy() || all_.scratch->busy() || bench_.selection.busy() || bench_.pane()->layoutRunning();
}

bool LessonStage::isReadyFor(const LessonAction& action) const {
    return action.kind != LessonAction::Kind::command || !(busy() || all_.whatIf->busy());
}

// --- what a lesson does ---

void LessonStage::openProgram(const QString& code, const QString& inputs) { all_.scratch->open(code, inputs); }

void LessonStage::showGraph(const QString& kind) {
    const auto record = bench_.run.record();
    bench_.centre->showGraphs();
    for (const GraphKind each : kEnumerators<GraphKind>)
        if (kind.toStdString() == name(each) && record && record->graph(each)) return bench_.pane()->showKind(each);
    throw Error("there is no graph '" + kind.toStdString() + "'");
}

void LessonStage::showPass(const QString& pass) {
    const auto record = bench_.run.record();
    bench_.centre->showGraphs();
    const auto row = record ? passNamed(*record, pass.toStdString()) : std::nullopt;
    if (!row) throw Error("there is no pass '" + pass.toStdString() + "'");
    bench_.passes->setCurrentPass(static_cast<int>(*row));
}

void LessonStage::selectLargest(const QString& query) {
    const auto record = bench_.run.partitioned();
    const auto& graph = bench_.selection.graph();
    const Node* largest = nullptr;
    if (record && graph) {
        const Query wanted = Query::parse(query.toStdString());
        for (const QueryFacts& facts : RecordFacts(*record).of(*graph, bench_.selection.kind()))
            if (wanted.matches(facts) && (!largest || facts.node->type.tensorBytes() > largest->type.tensorBytes()))
                largest = facts.node;
    }
    if (!largest) throw Error("no value matches '" + query.toStdString() + "'");
    bench_.selection.select(largest->id());
}

void LessonStage::resetOptions() {
    for (const ChosenOption& each : bench_.options->chosen())
        if (each.removable && !isRemembered(*each.entry)) bench_.options->reset(*each.entry);
}

// --- what it points at ---

bool LessonStage::show(const QString& target) {
    bench_.centre->showGraphs();
    if (const Page* page = bench_.pages->find(target)) bench_.pages->show(page->widget);
    return widgetOf(target);
}

QWidget* LessonStage::widgetOf(const QString& target) const {
    if (target == kGraphTarget || target == kNodeTarget) return bench_.pane()->view()->viewport();
    if (const Page* page = bench_.pages->find(target)) return page->widget;
    if (QWidget* button = buttonOf(*bench_.window, target)) return button;
    return bench_.window->findChild<QWidget*>(target);
}

/// A box of the picture in the viewport's coordinates; empty: it is not in view.
QRect LessonStage::inView(const QRectF& box) const {
    const GraphView* view = bench_.pane()->view();
    return view->mapFromScene(box).boundingRect().intersected(view->viewport()->rect());
}

/// That of the selected node; empty: none is in view.
QRect LessonStage::boxOfNode() const {
    const GraphView* view = bench_.pane()->view();
    if (!view->graph() || !view->layout()) return {};
    const auto found = view->graph()->indexOf.find(bench_.selection.node());
    return found == view->graph()->indexOf.end()
               ? QRect()
               : inView(view->layout()->boxes[static_cast<std::size_t>(found->second)]);
}

QList<QRect> LessonStage::boxes() const {
    const GraphView* view = bench_.pane()->view();
    QList<QRect> boxes;
    if (!view->isVisible() || !view->layout()) return boxes;
    const QPoint corner = bench_.window->mapFromGlobal(view->viewport()->mapToGlobal(QPoint()));
    for (const auto& box : view->layout()->boxes)
        if (const QRect seen = inView(box); !seen.isEmpty()) boxes << seen.translated(corner);
    return boxes;
}

QRect LessonStage::placeOf(const QString& target) const {
    const QWidget* widget = widgetOf(target);
    if (!widget) return {};
    QRect place = widget->rect();
    if (target == kNodeTarget)
        if (const QRect box = boxOfNode(); !box.isEmpty()) place = box;
    while (!widget->isVisible() && widget->parentWidget()) {
        widget = widget->parentWidget();
        place = widget->rect();
    }
    return place.translated(bench_.window->mapFromGlobal(widget->mapToGlobal(QPoint())));
}

QString LessonStage::whatFails(const std::vector<LessonFact>& facts) const {
    const auto record = bench_.run.partitioned();
    if (!record || !bench_.run.session()) return QObject::tr("no run is shown");
    const Options& options = bench_.run.session()->options();
    return toQString(
        aotscope::whatFails(facts, makeReport(options, *record, machineOf(bench_.engine, options.device))));
}

}  // namespace aotscope
