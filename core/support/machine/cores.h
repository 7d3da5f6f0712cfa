#pragma once

#include <cstddef>
#include <filesystem>

namespace aotscope {

/// How many processors the system lets this process use: its affinity, as `taskset` or a batch system sets it.
std::size_t allowedProcessors();

/// How many threads this process can run at once: on its processors, and within the CPU time that its control groups
/// grant it, as for a container. A part of a processor counts as one.
std::size_t availableCores();

/// The same for `processors` and the control groups of which `proc` and `cgroups` (/proc/self/cgroup, /sys/fs/cgroup)
/// tell.
std::size_t coresWithinQuota(std::size_t processors, const std::filesystem::path& proc,
                             const std::filesystem::path& cgroups);

/// How many threads this process can run at once without taking cores from other work, at least one: looks at what runs
/// on the machine at the moment, for up to a few milliseconds.
std::size_t freeCores();

}  // namespace aotscope
