#pragma once

#include <chrono>
#include <string>

namespace aotscope {

/// A run of MPICH or Intel MPI.
struct PmiJob {
    std::string name;               ///< which only this job has
    std::string firstRanksMachine;  ///< the name of the machine on which rank 0 is
};

/// What the ranks of this job need to meet, from their process manager (Hydra), by version 1 of its PMI wire protocol:
/// lines of text over the open file `descriptor`, the number in the variable PMI_FD, which is used up. Every rank has
/// to ask: rank 0, if `isFirst`, tells the others the name of this machine. Throws Error with the reason, a clause, if
/// the answer does not come within `limit`, or is another one than expected.
PmiJob jobByPmi(int descriptor, bool isFirst, std::chrono::milliseconds limit);

}  // namespace aotscope
