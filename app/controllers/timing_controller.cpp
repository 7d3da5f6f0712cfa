#include "controllers/timing_controller.h"

#include "canvas/drawn_graph.h"
#include "controllers/make_action.h"
#include "io/chrome_trace.h"
#include "io/report.h"
#include "io/timing_text.h"
#include "models/time_pictures.h"
#include "support/file.h"

#include <QFileDialog>
#include <QFileInfo>
#include <nlohmann/json.hpp>

namespace aotscope {

TimingController::TimingController(QTabWidget* tables, const Settings* settings, QWidget* window)
    : QObject(window),
      tables_(tables),
      settings_(settings),
      window_(window),
      flame_(new TimePanel(QStringLiteral("flame"), tr("Time by module"), new TablePanel, window)),
      timeline_(new TimePanel(QStringLiteral("timeline"), tr("Operations and memory over time"), nullptr, window)) {
    flame_->table()->setObjectName(QStringLiteral("moduleTable"));
    flame_->table()->view()->setAccessibleName(tr("Time by module"));
    export_ = makeAction(this, QStringLiteral("actionExportTimes"), tr("Export T&imes…"), {tr("Ctrl+Shift+E")},
                         tr("Saves the measured times as a Chrome trace, CSV, SVG or PNG"), [this] { askForFile(); });
    for (TimePanel* panel : {flame_, timeline_}) {
        connect(panel, &TimePanel::nodesSelected, this, &TimingController::nodesSelected);
        connect(panel, &TimePanel::exportRequested, this, &TimingController::askForFile);
    }
    show(nullptr, std::nullopt);
}

void TimingController::show(std::shared_ptr<const CompileRecord> record, const std::optional<TimingResult>& timing) {
    record_ = std::move(record);
    timing_ = timing;
    export_->setEnabled(record_ && timing_.has_value());
    if (!record_ || !timing_) {
        const QString note = tr("No times yet: press Time (Ctrl+T).");
        for (TimePanel* panel : {flame_, timeline_}) panel->showPicture({}, note);
        flame_->table()->setContent({});
        return;
    }
    const QString runs = tr("medians of %1").arg(toQString(runsText(timing_->iterations)));
    flame_->showPicture(flamePicture(*timing_, *record_), tr("Time by module, %1").arg(runs));
    flame_->table()->setContent(moduleTable(&*timing_, *record_));
    timeline_->showPicture(timelinePicture(*timing_, *record_),
                           tr("In execution order, %1; below: live memory").arg(runs));
}

void TimingController::setTheme(const Theme& theme) {
    theme_ = theme;
    for (TimePanel* panel : {flame_, timeline_}) panel->setTheme(theme);
}

void TimingController::follow(NodeId node, GraphKind graph) {
    for (TimePanel* panel : {flame_, timeline_}) panel->chart()->follow(node, graph);
}

void TimingController::askForFile() {
    const QString suggestion =
        settings_->lastFolder() + u'/' + toQString(record_->model.name) + QStringLiteral("-trace.json");
    const QString file = QFileDialog::getSaveFileName(
        window_, tr("Export Times"), suggestion,
        tr("Chrome trace, for Perfetto (*.json);;Table of steps (*.csv);;Chart (*.svg);;Chart (*.png)"));
    if (!file.isEmpty()) exportTo(file);
}

void TimingController::exportTo(const QString& file) {
    const std::filesystem::path path = file.toStdString();
    const QString ending = QFileInfo(file).suffix().toLower();
    try {
        if (!record_ || !timing_) throw Error("there are no times to export; run Time (Ctrl+T) first");
        const bool timeline = tables_->currentWidget() == timeline_;
        if (ending == QLatin1String("json")) writeFileAtomically(path, jsonText(chromeTrace(*timing_, *record_)));
        else if (ending == QLatin1String("csv")) writeFileAtomically(path, timingCsv(*timing_, *record_));
        else
            writeTimes((timeline ? timeline_ : flame_)->chart()->picture(),
                       toQString(record_->model.name) + (timeline ? tr(": timeline") : tr(": time by module")), path,
                       theme_);
        Q_EMIT exported(file);
    } catch (...) {
        Q_EMIT failed(std::current_exception());
    }
}

}  // namespace aotscope
