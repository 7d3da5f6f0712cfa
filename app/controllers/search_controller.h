#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "panels/graph/graph_pane.h"
#include "panels/tables/search_panel.h"

#include <QAction>
#include <QTimer>
#include <optional>

namespace aotscope {

/// Search through all graphs of a run: hits are listed, and those in the shown graph are marked on the canvas.
class SearchController : public QObject {
    Q_OBJECT

public:
    SearchController(GraphPane* pane, Selection* selection, QWidget* window);

    SearchPanel* panel() const { return panel_; }
    /// Find, next, previous.
    const std::vector<QAction*>& actions() const { return actions_; }

    /// Another run; `record` may be null. The query is looked for in it.
    void setRecord(std::shared_ptr<const CompileRecord> record);
    void setTiming(std::shared_ptr<const TimingResult> timing);
    bool busy() const { return waiting_.isActive() || job_.running(); }

public Q_SLOTS:
    void start();
    void next();
    void previous();
    void close();
    /// The panel has gone: takes the query and its marks away.
    void forget();

Q_SIGNALS:
    /// The panel is to be seen, or to go.
    void shown();
    void closed();

private:
    void lookFor();
    void onResult(SearchResult result);
    void step(int direction);
    void goTo(std::size_t position);
    void mark();
    std::optional<std::size_t> positionOfSelection() const;

    GraphPane* pane_;
    Selection* selection_;
    SearchPanel* panel_;
    std::vector<QAction*> actions_;
    std::shared_ptr<const CompileRecord> record_;
    std::shared_ptr<const TimingResult> timing_;
    BackgroundJob job_;
    QTimer waiting_;         ///< a moment after the last key
    int stepWhenFound_ = 0;  ///< Enter was pressed before the result was there
};

}  // namespace aotscope
