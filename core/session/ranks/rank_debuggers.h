#pragma once

#include "record/options/options.h"

#include <functional>
#include <memory>
#include <vector>

namespace aotscope {

class RankProcess;
class RanksDebugger;

/// Opens a run of all ranks, at its start, of one of several models. Throws Error, which names the rank.
using OpenRanks = std::function<std::shared_ptr<RanksDebugger>(std::size_t which)>;

/// Ranks that are processes are stepped together: rank 0 leads, the others do what it asks of them until it is done.
/// `models`: the options of the runs that it may open, the same on all ranks. Returns on every rank what `lead` has
/// returned on rank 0. Throws Error.
int debugProcesses(RankProcess& process, const std::vector<Options>& models,
                   const std::function<int(const OpenRanks& open)>& lead);

}  // namespace aotscope
