#include "controllers/trace_controller.h"

#include "io/ranks/compare_logs.h"
#include "io/ranks/ranks_text.h"
#include "io/trace/trace_log_text.h"
#include "load/trace_log/rank_logs.h"
#include "load/trace_log/trace_reader.h"
#include "load/trace_log/trace_story.h"
#include "models/words/to_qstring.h"
#include "panels/graph/source_view.h"
#include "support/names.h"

namespace aotscope {

namespace {

constexpr std::size_t kLongestRecord = 400'000;  ///< what a text browser lays out without delay
constexpr std::size_t kMostRanks = 64;

/// A log as a whole.
struct Overview {
    std::shared_ptr<const TraceLog> log;
    std::vector<CompileStory> stories;
    std::vector<RankDifference> differences;
    std::vector<std::string> ranks;
    QString leftOut;  ///< of the ranks in the folder
};

/// The logs of all ranks that wrote into the folder of `log`; only that one if it has no rank.
RankLogs ranksBeside(const std::shared_ptr<const TraceLog>& log, const Progress& progress) {
    if (!rankOf(*log)) return {{log}, {}};
    std::vector<std::shared_ptr<const TraceLog>> logs{log};
    const auto folder = log->path.has_parent_path() ? log->path.parent_path() : std::filesystem::path(".");
    for (const auto& path : log->files->logsAt(folder, progress)) {
        if (logs.size() == kMostRanks) break;
        if (path.filename() == log->path.filename()) continue;
        try {
            logs.push_back(log->files->readLog(path, progress));
        } catch (const Error&) {  // deleted or unreadable: compare the others
        }
    }
    return ranksAmong(logs, log);
}

Overview readOverview(const std::shared_ptr<const TraceLog>& log, const Progress& progress) {
    Overview overview;
    overview.log = log;
    for (const TracedCompile& compile : log->compiles)
        overview.stories.push_back(readStory(*log, compile, progress, overviewTopics()));
    RankLogs beside = ranksBeside(log, progress);
    overview.ranks = logNames(beside.logs);
    overview.differences = compareRankLogs(beside.logs, progress);
    overview.leftOut = toQString(beside.leftOut);
    return overview;
}

QString noteFor(const TraceLog& log, const Overview& read) {
    QStringList lines{toQString(overviewSummary(log, read.stories)).trimmed()};
    if (read.ranks.size() > 1)
        lines << (read.differences.empty()
                      ? QObject::tr("All %1 ranks in this folder have the same graphs.").arg(read.ranks.size())
                      : QObject::tr("The %1 ranks in this folder differ first in compilation %2: %3")
                            .arg(read.ranks.size())
                            .arg(toQString(read.differences.front().compile),
                                 toQString(headline(read.differences.front()))));
    if (read.ranks.size() > 1 && !read.leftOut.isEmpty()) lines << capitalized(read.leftOut) + u'.';
    if (const QString problems = toQString(problemsText(log, read.stories)).trimmed(); !problems.isEmpty())
        lines << problems.split(u'\n').mid(0, 5);
    return lines.join(u'\n');
}

QString nothingOpen() { return QObject::tr("Open a log of TORCH_TRACE to see what torch.compile did, and why."); }

CompilePage readCompilePage(const std::shared_ptr<const TraceLog>& log, std::size_t compile, const Progress& progress) {
    CompilePage page{log, compile, {}, {}, {}, {}, {}, {}};
    page.story = readStory(*log, page.traced(), progress);
    for (const FailedGuard& guard : page.story.recompiledFor) {
        const TracedCompile* earlier = log->before(page.traced(), guard.earlier);
        page.madeFor.push_back(earlier ? madeFor(guard, readStory(*log, *earlier, progress, {LogTopic::guards}))
                                       : std::string());
    }
    for (const CacheEvent& event : page.story.caches) {
        progress.throwIfCancelled();
        page.missed.push_back(event.state == CacheEvent::State::miss ? whyMissed(*log, page.traced(), event.line)
                                                                     : std::vector<KeyDifference>());
    }
    page.code = readGeneratedCode(*log, page.traced());
    return page;
}

/// It shows the graphs that it has because none were asked for.
bool isFirst(const Session& session) {
    const auto ids = session.compileIds();
    return ids.empty() || session.options().compileId.empty() || session.options().compileId == ids.front();
}

}  // namespace

TraceController::TraceController(const Selection* selection, Settings* settings, QWidget* window)
    : Controller(window), selection_(selection), window_(window), panel_(new TracePanel(window)) {
    connect(panel_, &TracePanel::pageAsked, this, &TraceController::readPage);
    connect(panel_, &TracePanel::recordAsked, this, &TraceController::readRecord);
    connect(panel_, &TracePanel::sourceAsked, this, &TraceController::showSource);
    connect(panel_, &TracePanel::nodeAsked, this, &TraceController::selectNode);
    connect(panel_, &TracePanel::graphsAsked, this, [this](const QString& id) { Q_EMIT compileAsked(rank_ + id); });
    connect(panel_, &TracePanel::savedAsked, this, &TraceController::savedAsked);
    for (BackgroundJob* job : {&overview_, &page_})
        connect(job, &BackgroundJob::failed, this, &TraceController::failed);
    QSplitter* splitter = panel_->splitter();
    splitter->restoreState(settings->splitter(splitter->objectName()));
    connect(splitter, &QSplitter::splitterMoved, this,
            [splitter, settings] { settings->setSplitter(splitter->objectName(), splitter->saveState()); });
    panel_->setTrace(nullptr, {}, nothingOpen());
}

TraceController::~TraceController() {
    for (BackgroundJob* job : {&overview_, &page_}) job->disconnect(this);
}

void TraceController::setSession(const std::shared_ptr<const Session>& session) {
    const auto log = session ? session->trace() : nullptr;
    // The id in the log, without the rank.
    rank_ = session ? toQString(session->rankPrefix()) : QString();
    // Else it was run again with other options, or another compilation of it was chosen.
    const std::string model = session ? session->options().model : std::string();
    const bool another = model != std::exchange(model_, model);
    const QString shown = session ? toQString(session->options().compileId).mid(rank_.size()) : QString();
    if (log == opened_) {
        if (log_) panel_->setShown(shown);
        return;
    }
    overview_.cancel();
    page_.cancel();
    log_ = opened_ = log;
    differences_.clear();
    ranks_.clear();
    panel_->setTrace(nullptr, {}, log_ ? tr("Reading the log…") : nothingOpen());
    if (log_) readLog(shown, another && log_->compiles.size() > 1 && isFirst(*session));
}

void TraceController::refresh() {
    if (!log_) return;
    if (overview_.running()) grown_ = true;
    else readLog({});
}

/// Anew, if it was read before. Nothing `selected`: keep the selection.
void TraceController::readLog(const QString& selected, bool summarized) {
    grown_ = false;
    const bool anew = selected.isEmpty();
    overview_.start<Overview>(
        tr("Reading the log"),
        [log = log_, anew](const Progress& progress) {
            return readOverview(anew ? log->files->readLog(log->path, progress) : log, progress);
        },
        [this, selected, anew, summarized](const Overview& overview) {
            const QString stays = panel_->selected();
            log_ = overview.log;
            differences_ = overview.differences;
            ranks_ = overview.ranks;
            panel_->setTrace(log_, overview.stories, noteFor(*log_, overview));
            if (summarized) panel_->setShownAmongAll(selected);
            else if (!anew) panel_->setShown(selected);
            else if (!panel_->select(stays)) panel_->showSummary();
            if (summarized) Q_EMIT summaryShown();
            if (grown_) QMetaObject::invokeMethod(this, &TraceController::refresh, Qt::QueuedConnection);
        });
}

void TraceController::readPage(std::size_t compile) {
    compile_ = compile;
    page_.start<CompilePage>(
        tr("Reading a compilation"),
        [log = log_, compile](const Progress& progress) { return readCompilePage(log, compile, progress); },
        [this](CompilePage page) {
            for (const RankDifference& difference : differences_)
                if (difference.compile == page.traced().id) page.differences.push_back(difference);
            page.ranks = ranks_;
            panel_->setPage(std::move(page));
        });
}

void TraceController::readRecord(quint64 line) {
    if (!log_ || compile_ >= log_->compiles.size()) return;
    const auto& records = log_->compiles[compile_].records;
    const auto record = std::ranges::find(records, line, &LogRecord::line);
    if (record == records.end()) return;
    page_.start<QString>(
        tr("Reading a record"),
        [log = log_, record = *record](const Progress& progress) {
            const TraceReader reader(*log, progress);
            const std::string text = record.payload ? reader.payload(record) : reader.head(record);
            QString shown = toQString(std::string_view(text).substr(0, kLongestRecord));
            if (text.size() > kLongestRecord)
                shown += u'\n' + tr("… and %1 more characters; aotscope compiles --record prints all of it")
                                     .arg(toQString(grouped(text.size() - kLongestRecord)));
            return shown;
        },
        [this, record = *record](const QString& text) { panel_->showRecord(record, text); });
}

void TraceController::showSource(const QString& file, int line) {
    if (!haveSource(file))
        return panel_->note()->setText(
            tr("'%1' is not on this machine: line %2 cannot be shown").arg(file, QString::number(line)));
    auto* source = new SourceView(file, line, window_);
    source->setAttribute(Qt::WA_DeleteOnClose);
    source->show();
}

void TraceController::selectNode(const QString& name) {
    const auto& graph = selection_->graph();
    if (!graph) return;
    if (const Node* node = graph->findByName(name.toStdString())) Q_EMIT nodeSelected(node->id());
    else
        panel_->note()->setText(
            tr("%1 is not in the graph that is shown; choose another graph above the canvas").arg(name));
}

}  // namespace aotscope
