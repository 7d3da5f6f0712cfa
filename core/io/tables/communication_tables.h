#pragma once

#include "cost/communication.h"
#include "record/table.h"

#include <span>

namespace aotscope {

/// The collectives of these graphs, in the order in which they are issued.
Table collectiveTable(std::span<const GraphCommunication> graphs);

/// Sharded parameters, and modules: tables with the same columns, of which each has its own.
Table unshardTable(const Communication& found);
Table communicatingModuleTable(std::span<const GraphCommunication> graphs);

}  // namespace aotscope
