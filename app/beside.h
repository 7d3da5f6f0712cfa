#pragma once

#include "panels/graph_pane.h"
#include "passes/level_map.h"
#include "selection.h"

#include <optional>

namespace aotscope {

/// A second graph of the same run beside the first, at another level: source, ATen as traced, functional, decomposed.
/// What is selected in one is marked in the other.
class Beside : public QObject {
    Q_OBJECT

public:
    Beside(GraphPane* pane, Selection* selection, QObject* parent);

    GraphPane* pane() const { return pane_; }
    void setRecord(std::shared_ptr<const CompileRecord> record);
    void show(bool shown);
    bool shown() const { return shown_; }
    /// Marks what corresponds to the selection.
    void follow();

private:
    const LevelMap* map();
    void refresh();
    void lead(NodeId node);

    GraphPane* pane_;
    Selection* selection_;
    std::shared_ptr<const CompileRecord> record_;
    bool shown_ = false, outdated_ = true, leading_ = false;
    std::shared_ptr<const Graph> from_, to_;  ///< that map_ is about
    std::optional<LevelMap> map_;
};

}  // namespace aotscope
