#pragma once

#include "window/pages.h"

#include <set>

namespace aotscope {

/// Fills pages from the run that is shown. The tables of a large graph take long: those that nobody sees are filled
/// when somebody does.
class PageFiller : public QObject {
    Q_OBJECT

public:
    PageFiller(const std::vector<Page>& pages, QObject* parent) : QObject(parent), pages_(pages) {}

    /// `run` is looked at later, too, and stays where it is.
    void fill(const ShownRun& run, std::shared_ptr<const DecompositionTable> decompositions);
    void repartition(const ShownRun& run);
    void selectRows(const std::vector<NodeId>& nodes);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void fillNow(const Page& page) const;

    const std::vector<Page>& pages_;
    const ShownRun* run_ = nullptr;
    std::shared_ptr<const DecompositionTable> decompositions_;
    std::vector<NodeId> selected_;
    std::set<const QObject*> waiting_;  ///< widgets of pages that are to be filled
};

}  // namespace aotscope
