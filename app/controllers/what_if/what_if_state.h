#pragma once

#include "models/variant.h"
#include "partition/what_if.h"
#include "session/session.h"

#include <QString>
#include <memory>

namespace aotscope {

/// What the parts of what-if share: the open session's joint graph, and the partitions of it that are looked at.
struct WhatIfState {
    std::shared_ptr<const Session> session;
    std::shared_ptr<const Graph> joint;             ///< null: there is nothing to partition
    std::shared_ptr<const PartitionWhatIf> whatIf;  ///< null: not prepared yet
    std::shared_ptr<const NodeTimes> times;
    Variant shown;     ///< what the joint graph shows
    Variant baseline;  ///< what it is compared with
    bool paused = false;

    bool ready() const { return whatIf && !paused; }
    const FunctionMetadata& metadata() const { return session->record()->knownMetadata(); }
};

/// What is said instead of an answer while the pipeline is paused.
QString pausedText();

}  // namespace aotscope
