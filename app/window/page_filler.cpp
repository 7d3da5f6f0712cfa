#include "window/page_filler.h"

#include <QEvent>

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

}  // namespace

void PageFiller::fill(const ShownRun& run, std::shared_ptr<const DecompositionTable> decompositions) {
    run_ = &run;
    decompositions_ = std::move(decompositions);
    waiting_.clear();
    const bool large = isLarge(run.record().get());
    for (const Page& page : pages_) {
        if (!page.fill) continue;
        page.widget->removeEventFilter(this);
        if (large && !page.widget->isVisible()) {
            waiting_.insert(page.widget);
            page.widget->installEventFilter(this);
        } else {
            fillNow(page);
        }
    }
}

void PageFiller::fillNow(const Page& page) const {
    static const CompileRecord nothing;
    const auto record = run_->record();
    page.fill(record ? *record : nothing, *run_, decompositions_.get());
}

void PageFiller::repartition(const ShownRun& run) {
    for (const Page& page : pages_)
        if (page.repartition && !waiting_.contains(page.widget)) page.repartition(run);
}

void PageFiller::selectRows(const std::vector<NodeId>& nodes) {
    selected_ = nodes;
    for (const Page& page : pages_)
        if (page.nodes) page.nodes->select(nodes);
}

bool PageFiller::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::Show || waiting_.erase(object) == 0) return false;
    const auto page = std::ranges::find(pages_, object, &Page::widget);
    fillNow(*page);
    if (run_->showsWhatIf() && page->repartition) page->repartition(*run_);
    if (page->nodes) page->nodes->select(selected_);
    return false;
}

}  // namespace aotscope
