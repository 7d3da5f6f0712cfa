#pragma once

#include "controllers/controller.h"
#include "controllers/graphs/linked_cameras.h"
#include "record/level_map.h"

#include <memory>

namespace aotscope {

/// Shows a second graph of the same run beside the first, at another level: source, ATen as traced, functional, or the
/// compiled graph as core ATen and as prims, whatever it was compiled with. The selection in one is marked in the
/// other, and both pictures are moved together.
class SecondaryGraphController : public Controller {
    Q_OBJECT

public:
    /// `pane` is beside that of the window.
    SecondaryGraphController(const Surroundings& around, GraphPane* pane);

    GraphPane* pane() const { return beside_; }
    void setRecord(std::shared_ptr<const CompileRecord> record);
    /// Shows the graphs of another run instead, of the kind shown in the first pane; null: levels again.
    void compareWith(std::shared_ptr<const CompileRecord> other);
    void show(bool shown);
    bool shown() const { return shown_; }
    bool busy() const override { return job_.running() || mapping_.running() || beside_->layoutRunning(); }
    /// Whether the pictures are moved together.
    void linkCameras(bool linked) { cameras_.setOn(linked); }
    /// Marks what corresponds to the selection.
    void follow();

Q_SIGNALS:
    /// The counterparts of the selection are marked now.
    void followed();

private:
    void askForLevel(int level);
    void offerLevels();
    const LevelMap* map();
    void startMapping();
    void refresh();
    void lead(NodeId node);

    GraphPane* beside_;
    std::shared_ptr<const CompileRecord> record_, other_;
    bool shown_ = false, outdated_ = true, leading_ = false;
    std::shared_ptr<const Graph> from_, to_;              ///< that map_ belongs to
    std::shared_ptr<const LevelMap> map_;                 ///< null: being computed
    std::shared_ptr<const std::vector<IrLevel>> levels_;  ///< null until requested
    BackgroundJob job_, mapping_;
    LinkedCameras cameras_;
};

}  // namespace aotscope
