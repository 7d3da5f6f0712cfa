#include "controllers/timing_controller.h"

#include "canvas/drawn_graph.h"
#include "controllers/make_action.h"
#include "io/report.h"
#include "io/tables/step_table.h"
#include "io/tables/table_text.h"
#include "io/trace/chrome_trace.h"
#include "models/time_pictures.h"
#include "support/file.h"
#include "support/json/json_text.h"

#include <QFileInfo>
#include <nlohmann/json.hpp>

namespace aotscope {

TimingController::TimingController(const Surroundings& around) : Controller(around), panel_(new TimePanel(window_)) {
    export_ = makeAction(this, QStringLiteral("actionExportTimes"), tr("Export T&imes…"), {tr("Ctrl+Shift+E")},
                         tr("Saves the measured times as a Chrome trace, CSV, SVG or PNG"), [this] { askForFile(); });
    addOpening("actionFlame", tr("&Flame Chart"), tr("Ctrl+Shift+F"),
               tr("Shows the time of forward and backward by module and operation"), TimePanel::Part::flame);
    addOpening("actionTimeline", tr("T&imeline"), tr("Shift+I"), tr("Shows operations and live memory over time"),
               TimePanel::Part::timeline);
    addOpening("actionRoofline", tr("&Roofline"), tr("Ctrl+Shift+J"),
               tr("Shows what each operation reaches of what the machine can do"), TimePanel::Part::roofline);
    connect(panel_, &TimePanel::exportRequested, this, &TimingController::askForFile);
    QSplitter* splitter = panel_->splitter();
    splitter->restoreState(settings_->splitter(splitter->objectName()));
    connect(splitter, &QSplitter::splitterMoved, this,
            [this, splitter] { settings_->setSplitter(splitter->objectName(), splitter->saveState()); });
    show(nullptr, std::nullopt, {});
}

namespace {

TimePanel::Content timesToShow(const TimingResult& timing, const CompileRecord& record, const MachineSource& machine) {
    std::optional<MachineModel> limits;
    try {
        limits = machine();
    } catch (const Error&) {  // there is no engine: the roofline says so
    }
    TimePanel::Content content{flamePicture(timing, record),
                               timelinePicture(timing, record),
                               timingTable(&timing, record),
                               moduleTable(&timing, record),
                               rooflinePicture(timing, record, limits ? &*limits : nullptr),
                               {},
                               {}};
    content.details = std::exchange(content.steps.summary, {});
    content.note = content.details.section(u'\n', 0, 0);
    return content;
}

}  // namespace

void TimingController::addOpening(const char* name, const QString& text, const QKeySequence& key, const QString& tip,
                                  TimePanel::Part part) {
    openings_.push_back(makeAction(this, QLatin1String(name), text, {key}, tip, [this, part] {
        Q_EMIT asked();
        panel_->bringIntoView(part);
    }));
}

void TimingController::show(std::shared_ptr<const CompileRecord> record, const std::optional<TimingResult>& timing,
                            const std::string& device) {
    const bool another = !record || !record_ || record->graphs != record_->graphs;
    record_ = std::move(record);
    timing_ = timing;
    job_.cancel();
    const bool timed = record_ && timing_;
    // The previous content stays until the new times are drawn.
    const bool stays = timed && !another && !panel_->flame()->picture().bars.empty();
    export_->setEnabled(stays);
    if (!stays) {
        TimePanel::Content content;
        content.note = timed ? tr("Drawing the times…")
                             : tr("No times yet. Time (Ctrl+T) runs eager and the compiled graphs and times every "
                                  "operation.");
        panel_->setContent(std::move(content));
    }
    if (!timed) return;
    job_.start<TimePanel::Content>(
        tr("Drawing the times"),
        [record = record_, timing, machine = machineOf(engine_, device)](const Progress&) {
            return timesToShow(*timing, *record, machine);
        },
        [this](TimePanel::Content content) {
            panel_->setContent(std::move(content));
            export_->setEnabled(true);
            follow(followed_, followedIn_);
        });
}

void TimingController::follow(NodeId node, GraphKind graph) {
    followed_ = node;
    followedIn_ = graph;
    for (TimeChart* chart : {panel_->flame(), panel_->timeline()}) chart->follow(node, graph);
}

void TimingController::askForFile() {
    const QString file = askToSave(
        window_, *settings_, tr("Export Times"), toQString(record_->model.name) + QStringLiteral("-trace.json"),
        tr("Chrome trace, for Perfetto (*.json);;Table of steps (*.csv);;Charts (*.svg);;Charts (*.png)"));
    if (!file.isEmpty()) exportTo(file);
}

void TimingController::exportTo(const QString& file) {
    const std::filesystem::path path = file.toStdString();
    const QString ending = QFileInfo(file).suffix().toLower();
    guarded([&] {
        if (!record_ || !timing_) throw Error("there are no times to export; run Time (Ctrl+T) first");
        if (ending == QLatin1String("json")) writeFileAtomically(path, jsonText(chromeTrace(*timing_, *record_)));
        else if (ending == QLatin1String("csv"))
            writeFileAtomically(path, tableCsv(stepTable(*timing_, *record_, nullptr)));
        else
            writeTimes({panel_->flame()->picture(), panel_->timeline()->picture()},
                       tr("%1: time by module and in execution order").arg(toQString(record_->model.name)), path,
                       panel_->flame()->theme());
        Q_EMIT exported(file);
    });
}

}  // namespace aotscope
