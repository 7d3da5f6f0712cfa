#include "canvas/layout_job.h"

#include "support/error.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kLimitMs = 8000;

std::unique_ptr<QProcess> ask(const LayoutPlan::Column& column) {
    auto process = std::make_unique<QProcess>();
    process->setProgram(QStringLiteral("dot"));
    process->setArguments({QStringLiteral("-Tplain")});
    process->setStandardErrorFile(QProcess::nullDevice());
    process->start();
    process->write(column.dot);
    process->closeWriteChannel();
    return process;
}

QString noGraphviz() {
    return QStringLiteral("Graphviz's program 'dot' was not found: simple layout. Install graphviz for a better one.");
}
QString tooSlow() { return QStringLiteral("Graphviz took more than %1 s: simple layout.").arg(kLimitMs / 1000); }
QString failed() { return QStringLiteral("Graphviz failed: simple layout."); }

using Processes = std::vector<std::unique_ptr<QProcess>>;

void stop(const Processes& processes) {
    for (const auto& process : processes) {
        process->kill();
        process->waitForFinished(200);
    }
}

bool succeeded(const QProcess& process) {
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

}  // namespace

LayoutJob::LayoutJob(QObject* parent) : QObject(parent) {
    limit_.setSingleShot(true);
    connect(&limit_, &QTimer::timeout, this, [this] { finishSimply(tooSlow()); });
}

LayoutJob::~LayoutJob() { cancel(); }

void LayoutJob::start(std::shared_ptr<const DrawnGraph> graph) {
    cancel();
    graph_ = std::move(graph);
    plan_ = planLayout(*graph_);
    for (const auto& column : plan_.columns) {
        processes_.push_back(ask(column));
        QProcess* process = processes_.back().get();
        connect(process, &QProcess::finished, this, &LayoutJob::onProcessDone);
        connect(
            process, &QProcess::errorOccurred, this,
            [this, process](QProcess::ProcessError error) {
                // A queued signal outlives disconnect(): the process may be of an earlier run by now.
                const auto isIt = [process](const auto& p) { return p.get() == process; };
                const bool current = std::any_of(processes_.begin(), processes_.end(), isIt);
                if (current && error == QProcess::FailedToStart) finishSimply(noGraphviz());
            },
            Qt::QueuedConnection);
    }
    limit_.start(kLimitMs);
}

void LayoutJob::cancel() {
    limit_.stop();
    for (auto& process : processes_) process->disconnect(this);
    stop(processes_);
    processes_.clear();
}

void LayoutJob::onProcessDone() {
    const auto done = [](const auto& p) { return p->state() == QProcess::NotRunning; };
    if (!std::all_of(processes_.begin(), processes_.end(), done)) return;
    if (!std::all_of(processes_.begin(), processes_.end(), [](const auto& p) { return succeeded(*p); }))
        return finishSimply(failed());
    std::vector<QByteArray> answers;
    for (auto& process : processes_) answers.push_back(process->readAllStandardOutput());
    try {
        report(composeLayout(*graph_, plan_, answers));
    } catch (const std::exception&) {
        finishSimply(failed());
    }
}

void LayoutJob::finishSimply(const QString& why) { report(simpleLayout(*graph_, plan_, why)); }

void LayoutJob::report(GraphLayout layout) {
    limit_.stop();
    // The processes may be on the stack of the signal that led here.
    for (auto& process : processes_) {
        process->disconnect(this);
        process->kill();
        process.release()->deleteLater();
    }
    processes_.clear();
    Q_EMIT finished(graph_, std::make_shared<const GraphLayout>(std::move(layout)));
}

GraphLayout layoutNow(const DrawnGraph& graph) {
    const LayoutPlan plan = planLayout(graph);
    Processes processes;
    for (const auto& column : plan.columns) processes.push_back(ask(column));
    const auto simply = [&](const QString& why) {
        stop(processes);
        return simpleLayout(graph, plan, why);
    };
    std::vector<QByteArray> answers;
    for (auto& process : processes) {
        if (!process->waitForStarted()) return simply(noGraphviz());
        if (!process->waitForFinished(kLimitMs)) return simply(tooSlow());
        if (!succeeded(*process)) return simply(failed());
        answers.push_back(process->readAllStandardOutput());
    }
    try {
        return composeLayout(graph, plan, answers);
    } catch (const Error&) {
        return simply(failed());
    }
}

}  // namespace aotscope
