#pragma once

#include "controllers/controller.h"
#include "panels/tables/search_panel.h"

#include <QAction>
#include <QTimer>
#include <optional>

namespace aotscope {

/// Searches all graphs of a run: lists hits, and marks those in the shown graph on the canvas.
class SearchController : public Controller {
    Q_OBJECT

public:
    explicit SearchController(const Surroundings& around);

    SearchPanel* panel() const { return panel_; }
    /// Find, next, previous.
    const std::vector<QAction*>& actions() const { return actions_; }

    /// Another run, in which the query is repeated; `record` may be null.
    void setRecord(std::shared_ptr<const CompileRecord> record);
    void setTiming(std::shared_ptr<const TimingResult> timing);
    bool busy() const override { return waiting_.isActive() || job_.running(); }

public Q_SLOTS:
    void start();
    void next();
    void previous();
    void close();
    /// The panel was closed: removes the query and its marks.
    void forget();

Q_SIGNALS:
    /// Show or hide the panel.
    void shown();
    void closed();

private:
    void lookFor();
    void onResult(SearchResult result);
    void step(int direction);
    void goTo(std::size_t position);
    void mark();
    std::optional<std::size_t> positionOfSelection() const;

    SearchPanel* panel_;
    std::vector<QAction*> actions_;
    std::shared_ptr<const CompileRecord> record_;
    std::shared_ptr<const TimingResult> timing_;
    BackgroundJob job_;
    QTimer waiting_;         ///< shortly after the last key
    int stepWhenFound_ = 0;  ///< Enter was pressed before the result was ready
};

}  // namespace aotscope
