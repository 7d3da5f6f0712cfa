#pragma once

#include "controllers/background_job.h"
#include "window/pages/pages.h"

#include <map>
#include <memory>
#include <set>

namespace aotscope {

/// Fills pages from the shown run: visible ones at once, the others soon after. The tables of large graphs, which take
/// long, are made off the GUI thread, and only when visible.
class PageFiller : public QObject {
    Q_OBJECT

public:
    PageFiller(const std::vector<Page>& pages, QObject* parent) : QObject(parent), pages_(pages) {}

    /// `run` is read later, too, and must outlive this.
    void fill(const ShownRun& run, std::shared_ptr<const DecompositionTable> decompositions);
    void repartition(const ShownRun& run);
    void selectRows(const std::vector<NodeId>& nodes);
    bool busy() const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    enum class Table : std::uint8_t { fresh, sameRows };

    void fillNow(const Page& page);
    void fillLater();
    void catchUp(const Page& page);
    /// Whether hidden pages are still waiting to be filled.
    bool behind() const { return !large_ && !waiting_.empty(); }
    void fillTable(const Page& page, Table table);

    const std::vector<Page>& pages_;
    const ShownRun* run_ = nullptr;
    std::shared_ptr<const DecompositionTable> decompositions_;
    std::vector<NodeId> selected_;
    bool large_ = false;                                             ///< the graph of the run
    bool later_ = false;                                             ///< a round of the event loop is requested
    std::set<const QObject*> waiting_;                               ///< widgets of pages to fill
    std::map<const QObject*, std::unique_ptr<BackgroundJob>> jobs_;  ///< that make large tables, by widget
};

}  // namespace aotscope
