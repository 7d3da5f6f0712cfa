#include "controllers/train_controller.h"

#include "canvas/drawn_graph.h"
#include "charts/chart_file.h"
#include "controllers/make_action.h"
#include "io/tables/table_text.h"
#include "io/tables/train_tables.h"
#include "io/train_text.h"
#include "support/file.h"
#include "support/json/json_text.h"
#include "support/names.h"

#include <QFileInfo>
#include <nlohmann/json.hpp>

#include <mutex>

namespace aotscope {

namespace {

constexpr int kRefreshMs = 100;

}  // namespace

/// Steps on their way from the training thread.
class TrainController::Feed {
public:
    void push(const TrainStep& step) {
        const std::scoped_lock lock(mutex_);
        steps_.push_back(step);
    }
    std::vector<TrainStep> take() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(steps_, {});
    }

private:
    std::mutex mutex_;
    std::vector<TrainStep> steps_;
};

TrainController::TrainController(const Surroundings& around, BackgroundJob* job)
    : Controller(around),
      job_(job),
      panel_(new TrainPanel(window_)),
      action_(makeAction(this, QStringLiteral("actionTrain"), tr("T&rain…"), {QKeySequence(tr("Ctrl+Shift+L"))},
                         tr("Trains eager and compiled: loss curves, steps per second and memory"),
                         [this] { Q_EMIT shown(); })) {
    panel_->setObjectName(QStringLiteral("trainPanel"));
    timer_.setInterval(kRefreshMs);
    connect(&timer_, &QTimer::timeout, this, &TrainController::takeSteps);
    connect(panel_, &TrainPanel::startRequested, this, &TrainController::start);
    connect(panel_, &TrainPanel::stopRequested, job_, &BackgroundJob::cancel);
    // The job ends without a result if it fails, is cancelled, or is replaced by another.
    const auto stopped = [this] {
        if (feed_) end(tr("stopped"));
    };
    connect(job_, &BackgroundJob::started, this, stopped);
    connect(job_, &BackgroundJob::finished, this, stopped);
}

void TrainController::setSession(const std::shared_ptr<const Session>& session) {
    session_ = session;
    result_ = {};
    panel_->reset(toQString(session_->whyNotExecutable()));
}

void TrainController::start() {
    if (!session_ || !session_->whyNotExecutable().empty()) return;
    job_->cancel();
    const QString title = tr("Training");
    Q_EMIT aboutToStart(title);
    result_ = {panel_->options(), {}, {}, {}};
    panel_->start();
    const auto feed = std::make_shared<Feed>();
    job_->start<TrainResult>(
        title,
        [session = session_, options = result_.options, feed](const Progress& progress) {
            return session->train(options, progress, [feed](const TrainStep& step) { feed->push(step); });
        },
        [this](const TrainResult& result) {
            show(result);
            Q_EMIT trained(result_);
        });
    feed_ = feed;
    timer_.start();
}

void TrainController::show(const TrainResult& result) {
    result_ = result;
    panel_->showSteps(result_.steps);
    panel_->finish(
        result_.recompilations.empty()
            ? tr("loss: %1").arg(toQString(result_.loss))
            : tr("loss: %1; %2, listed under Compare")
                  .arg(toQString(result_.loss), toQString(counted(result_.recompilations.size(), "recompilation"))));
}

void TrainController::takeSteps() {
    const std::vector<TrainStep> steps = feed_->take();
    if (steps.empty()) return;
    result_.steps.insert(result_.steps.end(), steps.begin(), steps.end());
    panel_->showSteps(result_.steps);
}

void TrainController::end(const QString& note) {
    takeSteps();
    timer_.stop();
    feed_.reset();
    panel_->finish(tr("%1 after %2").arg(note, toQString(counted(result_.steps.size(), "step"))));
}

void TrainController::exportTo(const QString& file) {
    guarded([&] {
        const QString title = tr("%1: loss").arg(toQString(session_->record()->model.name));
        const QString format = QFileInfo(file).suffix().toLower();
        if (format == QLatin1String("svg") || format == QLatin1String("png"))
            return writePlot(lossPlot(panel_->chart()->curves(), title), file.toStdString(), panel_->chart()->theme());
        if (format == QLatin1String("csv"))
            return writeFileAtomically(file.toStdString(), tableCsv(trainStepTable(result_.steps)));
        if (format != QLatin1String("json"))
            throw Error("cannot write '" + file.toStdString() +
                        "': expected a name that ends in .svg, .png, .csv or .json");
        writeFileAtomically(file.toStdString(), jsonText(trainJson(result_)));
    });
}

}  // namespace aotscope
