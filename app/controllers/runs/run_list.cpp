#include "controllers/runs/run_list.h"

#include "models/release.h"
#include "models/words/option_words.h"
#include "panels/graph/graph_pane.h"
#include "record/model_kind.h"
#include "record/options/option_values.h"

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// All kept graphs together: a run has about twenty graphs of that many nodes.
constexpr std::size_t kMostKeptOperations = 60'000;

std::size_t operationsOf(const Run& run) {
    if (!run.session) return 0;
    const CompileRecord& record = *run.session->record();
    const auto graph = compiledGraph(record).second;
    return graph ? graph->nodes().size() : 0;
}

bool onlyDiffers(const std::vector<const OptionEntry*>& differing, std::string_view session) {
    return std::ranges::all_of(differing, [&](const OptionEntry* entry) { return entry->session == session; });
}

}  // namespace

QString Run::name() const { return QObject::tr("Run %1").arg(number); }

bool sameModel(const Options& a, const Options& b) {
    return a.model == b.model || (isScript(a.model) && isScript(b.model));
}

Run* RunList::find(int number) const {
    const auto found = std::ranges::find(runs_, number, [](const auto& run) { return run->number; });
    return found == runs_.end() ? nullptr : found->get();
}

Run* RunList::with(const Options& options) const {
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run)
        if ((*run)->session && !(*run)->outdated && (*run)->session->record()->error.empty() &&
            differingOptions((*run)->options, options).empty())
            return run->get();
    return nullptr;
}

void RunList::revive(int number, const std::shared_ptr<const Session>& session) {
    if (Run* run = find(number)) run->session = session;
}

void RunList::clear() {
    releaseInBackground(std::exchange(runs_, {}));
    shown_ = nullptr;
    last_ = 0;
}

/// While the same compilation is asked for again, or the scratch pad is typed in.
bool RunList::givesWay(const Run& next) const {
    if (!shown_ || shown_->results.any()) return false;
    if (isScript(next.options.model)) return true;
    return !shown_->outdated && onlyDiffers(differingOptions(shown_->options, next.options), "compileId");
}

Run& RunList::show(const std::shared_ptr<const Session>& session) {
    const auto known = std::ranges::find(runs_, session, [](const auto& run) { return run->session; });
    if (known != runs_.end()) {
        shown_ = known->get();
    } else {
        if (shown_ && !sameModel(shown_->options, session->options())) clear();
        auto run = std::make_shared<Run>();
        run->options = session->options();
        run->options.given = nullptr;
        run->session = session;
        const bool replaces = givesWay(*run);
        run->number = replaces ? shown_->number : ++last_;
        run->parent = replaces ? shown_->parent : shown_ ? shown_->number : 0;
        const auto place = std::ranges::find(runs_, shown_, [](const auto& each) { return each.get(); });
        shown_ = run.get();
        if (replaces) releaseInBackground(std::exchange(*place, std::move(run)));
        else runs_.push_back(std::move(run));
    }
    shown_->shownAt = ++shows_;
    letGo();
    return *shown_;
}

/// Those that were shown longest ago first; never the shown one.
void RunList::letGo() {
    std::vector<Run*> held;
    for (const auto& run : runs_)
        if (run->session) held.push_back(run.get());
    std::ranges::sort(held, std::greater(), &Run::shownAt);
    std::size_t operations = 0;
    for (Run* run : held) {
        operations += operationsOf(*run);
        if (run != shown_ && operations > kMostKeptOperations)
            releaseInBackground(std::exchange(run->session, nullptr));
    }
}

void RunList::remove(int number) {
    std::erase_if(runs_, [&](const auto& run) { return run->number == number && run.get() != shown_; });
}

void RunList::outdate() {
    for (const auto& run : runs_) run->outdated = true;
}

void RunList::take(const std::vector<SavedRun>& saved, int shownNumber) {
    if (!shown_ || saved.empty()) return;
    for (const SavedRun& each : saved) {
        auto run = std::make_shared<Run>();
        run->number = each.number;
        run->parent = each.parent;
        run->options = each.options;
        run->options.model = shown_->options.model;
        run->costs = each.costs;
        run->results = {each.timing, each.check, each.bisect, {}, {}};
        run->whatIf = {{}, each.variants, each.sweep};
        last_ = std::max(last_, run->number);
        runs_.push_back(std::move(run));
    }
    shown_->number = find(shownNumber) || shownNumber <= 0 ? last_ + 1 : shownNumber;
    last_ = std::max(last_, shown_->number);
    std::ranges::sort(runs_, {}, [](const auto& run) { return run->number; });
}

std::vector<SavedRun> RunList::others() const {
    std::vector<SavedRun> saved;
    for (const auto& run : runs_)
        if (run.get() != shown_)
            saved.push_back({.number = run->number,
                             .parent = run->parent,
                             .options = run->options,
                             .costs = run->costs,
                             .check = run->results.checked,
                             .bisect = run->results.bisected,
                             .timing = run->results.timed,
                             .variants = run->whatIf.variants,
                             .sweep = run->whatIf.sweep});
    return saved;
}

QString whatDiffers(const Run& run, const RunList& runs) {
    const Run* parent = runs.find(run.parent);
    if (!parent) return run.parent ? QObject::tr("made from a run that was removed") : QString();
    QStringList chips;
    if (run.options.model != parent->options.model) chips << QObject::tr("another text");
    for (const OptionEntry* entry : differingOptions(parent->options, run.options))
        if (const QString words = changedOptionWords(*entry, run.options); !words.isEmpty()) chips << words;
    if (chips.isEmpty()) chips << (parent->outdated ? QObject::tr("the changed file") : QObject::tr("compiled again"));
    return chips.join(QStringLiteral(", "));
}

}  // namespace aotscope
