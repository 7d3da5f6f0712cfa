#pragma once

#include <string>

namespace aotscope {

/// The name of the machine on which rank 0 of this job is, asked from a launcher that speaks PMIx (Process Management
/// Interface for Exascale, https://pmix.github.io), such as Open MPI's mpirun. Its library, libpmix.so.2, which comes
/// with it, is loaded at run time. Throws Error with the reason, a clause, if it does not say so. Once for each
/// process, before other threads ask the launcher.
std::string machineOfFirstRankByPmix();

}  // namespace aotscope
