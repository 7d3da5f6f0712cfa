#pragma once

#include "cost/communication.h"
#include "record/table.h"

#include <span>

namespace aotscope {

/// The collectives of these graphs, in the order in which they are issued.
Table collectiveTable(std::span<const GraphCommunication> graphs);

/// Sharded parameters, and modules: tables with the same columns, each of which uses some of them.
Table unshardTable(const Communication& found);
Table communicatingModuleTable(std::span<const GraphCommunication> graphs);

}  // namespace aotscope
