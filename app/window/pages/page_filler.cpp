#include "window/pages/page_filler.h"

#include <QEvent>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

constexpr std::size_t kLargeGraph = 5'000;  ///< nodes

bool isLarge(const CompileRecord* record) {
    return record && std::ranges::any_of(record->graphs, [](const auto& entry) {
               return entry.second && entry.second->size() > kLargeGraph;
           });
}

/// Shown in place of a table that failed.
TableContent apology(const std::exception_ptr& error) {
    TableContent none;
    none.whenEmpty = PageFiller::tr("This table could not be made: %1").arg(whyFailed(error));
    return none;
}

}  // namespace

void PageFiller::fill(const ShownRun& run, std::shared_ptr<const DecompositionTable> decompositions) {
    run_ = &run;
    decompositions_ = std::move(decompositions);
    waiting_.clear();
    for (const auto& [widget, job] : jobs_) job->cancel();
    large_ = isLarge(run.record().get());
    for (const Page& page : pages_) {
        if (!page.fill && !page.content) continue;
        page.widget->removeEventFilter(this);
        if (!page.widget->isVisible()) {
            waiting_.insert(page.widget);
            page.widget->installEventFilter(this);
        } else {
            fillNow(page);
        }
    }
    fillLater();
}

/// One page in each round of the event loop, to keep the window responsive.
void PageFiller::fillLater() {
    if (!behind() || later_) return;
    later_ = true;
    QTimer::singleShot(0, this, [this] {
        later_ = false;
        if (behind())
            catchUp(*std::ranges::find_if(pages_, [this](const Page& p) { return waiting_.contains(p.widget); }));
        fillLater();
    });
}

void PageFiller::catchUp(const Page& page) {
    waiting_.erase(page.widget);
    fillNow(page);
    if (run_->showsWhatIf() && page.repartition) page.repartition(*run_);
    if (page.nodes) page.nodes->select(selected_);
}

void PageFiller::fillNow(const Page& page) {
    if (page.content) return fillTable(page, Table::fresh);
    static const CompileRecord nothing;
    const auto record = run_->record();
    page.fill(record ? *record : nothing, *run_, decompositions_.get());
}

/// Empty until a large table is ready: old rows would stand for nodes that no longer exist.
void PageFiller::fillTable(const Page& page, Table table) {
    auto* panel = static_cast<TablePanel*>(page.widget);
    const auto show = [this, panel, nodes = page.nodes, table](TableContent content) {
        table == Table::fresh ? panel->setContent(std::move(content)) : panel->updateContent(std::move(content));
        if (nodes) nodes->select(selected_);
    };
    auto& job = jobs_[page.widget];
    if (!job) {
        job = std::make_unique<BackgroundJob>();
        connect(job.get(), &BackgroundJob::failed, panel,
                [panel](const std::exception_ptr& error) { panel->setContent(apology(error)); });
    }
    job->cancel();
    if (!large_) return show(page.content(*run_));
    TableContent none;
    none.whenEmpty = tr("Making the table…");
    if (table == Table::fresh) panel->setContent(std::move(none));
    job->start<TableContent>(
        page.title, [content = page.content, run = *run_](const Progress&) { return content(run); }, show);
}

void PageFiller::repartition(const ShownRun& run) {
    run_ = &run;
    for (const Page& page : pages_) {
        if (waiting_.contains(page.widget)) continue;
        if (page.repartition) page.repartition(run);
        if (page.ofPartition) fillTable(page, Table::sameRows);
    }
}

bool PageFiller::busy() const {
    return behind() || std::ranges::any_of(jobs_, [](const auto& entry) { return entry.second->running(); });
}

void PageFiller::selectRows(const std::vector<NodeId>& nodes) {
    selected_ = nodes;
    for (const Page& page : pages_)
        if (page.nodes) page.nodes->select(nodes);
}

bool PageFiller::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Show && waiting_.contains(object))
        catchUp(*std::ranges::find(pages_, object, &Page::widget));
    return false;
}

}  // namespace aotscope
