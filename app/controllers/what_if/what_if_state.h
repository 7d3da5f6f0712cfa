#pragma once

#include "models/variant.h"
#include "partition/what_if.h"
#include "session/session.h"

#include <QString>
#include <memory>

namespace aotscope {

/// State shared by the parts of what-if: the open session's joint graph, and the partitions of it that are examined.
struct WhatIfState {
    std::shared_ptr<const Session> session;
    std::shared_ptr<const Graph> joint;             ///< null: nothing to partition
    std::shared_ptr<const PartitionWhatIf> whatIf;  ///< null: not prepared yet
    std::shared_ptr<const NodeTimes> times;
    Variant shown;     ///< shown in the joint graph
    Variant baseline;  ///< its baseline
    bool paused = false;

    bool ready() const { return whatIf && !paused; }
};

/// Shown instead of an answer while the pipeline is paused.
QString pausedText();

}  // namespace aotscope
