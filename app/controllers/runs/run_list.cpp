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

/// While the same compilation is asked for again, or the scratch pad is typed in.
bool givesWay(const Run* shown, const Run& next) {
    if (!shown || shown->results.any()) return false;
    if (isScript(next.options.model)) return true;
    return !shown->outdated && onlyDiffers(differingOptions(shown->options, next.options), "compileId");
}

}  // namespace

QString Run::name() const { return QObject::tr("Run %1").arg(number); }

RunList::RunList(const RunList& other) : RunList() {
    if (!other.shown()) return;
    current_->runs.push_back(std::make_shared<Run>(*other.shown()));
    current_->shown = current_->runs.front();
}

RunList::RunList() {
    models_.push_back(std::make_unique<OpenModel>());
    current_ = models_.front().get();
}

std::shared_ptr<Run> RunList::find(int number) const {
    const auto& runs = current_->runs;
    const auto found = std::ranges::find(runs, number, [](const auto& run) { return run->number; });
    return found == runs.end() ? nullptr : *found;
}

std::shared_ptr<Run> RunList::with(const Options& options) const {
    const auto& runs = current_->runs;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        if ((*run)->session && !(*run)->outdated && (*run)->session->record()->error.empty() &&
            differingOptions((*run)->options, options).empty())
            return *run;
    return nullptr;
}

void RunList::clear() {
    releaseInBackground(std::exchange(current_->runs, {}));
    current_->shown.reset();
    current_->last = 0;
    current_->undo.clear();
}

// --- models ---

RunList::OpenModel* RunList::modelOf(const Options& options) const {
    const auto found = std::ranges::find_if(models_, [&](const auto& model) {
        return model->shown && isSameModel(model->shown->options.model, options.model);
    });
    return found == models_.end() ? nullptr : found->get();
}

std::vector<std::shared_ptr<Run>> RunList::models() const {
    std::vector<std::shared_ptr<Run>> shown;
    for (const auto& model : models_)
        if (model->shown) shown.push_back(model->shown);
    return shown;
}

std::shared_ptr<Run> RunList::ofModel(const Options& options) const {
    const OpenModel* model = modelOf(options);
    return model ? model->shown : nullptr;
}

void RunList::close(const Options& options) {
    OpenModel* model = modelOf(options);
    if (!model || model == current_) return;
    releaseInBackground(std::exchange(model->runs, {}));
    std::erase_if(models_, [&](const auto& each) { return each.get() == model; });
}

// --- what is shown ---

Run& RunList::show(const std::shared_ptr<const Session>& session, bool reopened) {
    OpenModel* model = modelOf(session->options());
    if (!model && current_->shown) model = models_.emplace_back(std::make_unique<OpenModel>()).get();
    if (model) current_ = model;
    if (reopened) clear();
    auto& runs = current_->runs;
    const auto known = std::ranges::find(runs, session, [](const auto& run) { return run->session; });
    if (known != runs.end()) {
        current_->shown = *known;
    } else {
        auto run = std::make_shared<Run>();
        run->options = session->options();
        run->options.given = nullptr;
        run->session = session;
        const auto before = std::exchange(current_->shown, run);
        const bool replaces = givesWay(before.get(), *run);
        run->number = replaces ? before->number : ++current_->last;
        run->parent = replaces ? before->parent : before ? before->number : 0;
        run->changed = whatDiffers(*run, find(run->parent).get());
        if (isScript(run->options.model)) current_->undo.clear();  // its text has an Undo of its own
        if (replaces) releaseInBackground(std::exchange(*std::ranges::find(runs, before), run));
        else runs.push_back(run);
    }
    current_->shown->shownAt = ++shows_;
    ++current_->shown->timesShown;
    letGo();
    return *current_->shown;
}

/// Those that were shown longest ago first; never those that their model's tab shows.
void RunList::letGo() {
    std::vector<Run*> held;
    std::size_t operations = 0;
    for (const auto& model : models_)
        for (const auto& run : model->runs)
            if (run == model->shown) operations += operationsOf(*run);
            else if (run->session) held.push_back(run.get());
    std::ranges::sort(held, std::greater(), &Run::shownAt);
    for (Run* run : held) {
        operations += operationsOf(*run);
        if (operations > kMostKeptOperations) releaseInBackground(std::exchange(run->session, nullptr));
    }
}

void RunList::remove(int number) {
    std::erase_if(current_->runs, [&](const auto& run) { return run->number == number && run != current_->shown; });
}

void RunList::outdate() {
    for (const auto& run : current_->runs) run->outdated = true;
}

// --- session files ---

void RunList::take(const std::vector<SavedRun>& saved, int shownNumber) {
    const auto& shown = current_->shown;
    if (!shown || saved.empty()) return;
    int& last = current_->last;
    for (const SavedRun& each : saved) {
        auto run = std::make_shared<Run>();
        run->number = each.number;
        run->parent = each.parent;
        run->options = each.options;
        run->options.model = shown->options.model;
        run->costs = each.costs;
        run->results = {each.timing, each.check, each.bisect, each.training, {}};
        run->whatIf = {{}, each.variants, each.sweep};
        last = std::max(last, run->number);
        current_->runs.push_back(std::move(run));
    }
    const bool taken = std::ranges::count(saved, shownNumber, &SavedRun::number) > 0;
    shown->number = taken || shownNumber <= 0 ? last + 1 : shownNumber;
    last = std::max(last, shown->number);
    std::ranges::sort(current_->runs, {}, [](const auto& run) { return run->number; });
    for (const auto& run : current_->runs) run->changed = whatDiffers(*run, find(run->parent).get());
}

std::vector<SavedRun> RunList::others() const {
    std::vector<SavedRun> saved;
    for (const auto& run : current_->runs)
        if (run != current_->shown)
            saved.push_back({.number = run->number,
                             .parent = run->parent,
                             .options = run->options,
                             .costs = run->costs,
                             .check = run->results.checked,
                             .bisect = run->results.bisected,
                             .timing = run->results.timed,
                             .training = run->results.trained,
                             .variants = run->whatIf.variants,
                             .sweep = run->whatIf.sweep});
    return saved;
}

Options withCodeOf(Options run, const Options& open) {
    if (run.libraries.empty()) run.libraries = open.libraries;
    if (run.compilers.plugins.empty()) run.compilers.plugins = open.compilers.plugins;
    return run;
}

QString whatDiffers(const Run& run, const Run* parent) {
    if (!parent) return run.parent ? QObject::tr("made from a run that was removed") : QString();
    QStringList chips;
    if (run.options.model != parent->options.model) chips << QObject::tr("another text");
    for (const OptionEntry* entry : differingOptions(parent->options, run.options))
        if (const QString words = changedOptionWords(*entry, run.options); !words.isEmpty()) chips << words;
    if (chips.isEmpty()) chips << (parent->outdated ? QObject::tr("the changed file") : QObject::tr("compiled again"));
    return chips.join(QStringLiteral(", "));
}

}  // namespace aotscope
