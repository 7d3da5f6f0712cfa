#pragma once

#include "record/options/options.h"

#include <functional>
#include <memory>
#include <vector>

namespace aotscope {

class Debugger;
class RankProcess;

/// Opens a run of all ranks at its start, for one of several models. Throws Error, naming the rank.
using OpenRanks = std::function<std::shared_ptr<Debugger>(std::size_t which)>;

/// Ranks that are processes are stepped together: rank 0 runs `lead`, and drives the others until it is done. `models`:
/// the options of the runs that it may open, equal on all ranks. Returns the result of `lead` on every rank. Throws
/// Error.
int debugProcesses(RankProcess& process, const std::vector<Options>& models,
                   const std::function<int(const OpenRanks& open)>& lead);

}  // namespace aotscope
