#pragma once

#include "cost/fit/batch_search.h"
#include "record/table.h"

#include <nlohmann/json_fwd.hpp>

namespace aotscope {

/// A row for each batch: memory and time of a training step, and whether it fits. The summary names the largest batch
/// that fits, and says by how much the next one does not.
Table fitTable(const BatchSearch& found);

/// {"memory_bytes", "size", "largest_batch", "next_batch", "excess_bytes", "note"}: what the summary says.
nlohmann::json fitJson(const BatchSearch& found);

}  // namespace aotscope
