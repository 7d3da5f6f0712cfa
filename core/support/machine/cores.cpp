#include "support/machine/cores.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

/// Processors' worth of CPU time.
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

double processorsOf(const std::string& quota, double period) {
    const double granted = std::strtod(quota.c_str(), nullptr);  // "max", "-1": no limit
    return granted > 0 && period > 0 ? granted / period : kUnlimited;
}

/// Of version 2, in one file: "150000 100000".
double quotaInOneFile(const fs::path& group) {
    std::ifstream file(group / "cpu.max");
    std::string quota;
    double period = 0;
    return file >> quota >> period ? processorsOf(quota, period) : kUnlimited;
}

/// Of version 1, in two.
double quotaInTwoFiles(const fs::path& group) {
    std::ifstream quotaFile(group / "cpu.cfs_quota_us"), periodFile(group / "cpu.cfs_period_us");
    std::string quota;
    double period = 0;
    return quotaFile >> quota && periodFile >> period ? processorsOf(quota, period) : kUnlimited;
}

/// The smallest quota of `group` and those that contain it. In a container, only the root of the path may exist.
template <typename QuotaOf>
double smallestQuota(const fs::path& root, const fs::path& group, QuotaOf&& quotaOf) {
    double smallest = quotaOf(root);
    fs::path folder = root;
    for (const fs::path& part : group.relative_path()) smallest = std::min(smallest, quotaOf(folder /= part));
    return smallest;
}

/// Threads that run or wait for a core, on the whole machine: the "3" in "0.20 0.18 0.12 3/308 11206".
std::size_t runningThreads() {
    std::ifstream file("/proc/loadavg");
    std::string average;
    std::size_t running = 0;
    for (int i = 0; i < 3; ++i) file >> average;
    file >> running;
    return running;
}

/// Those of this process, for example one that spins at the end of an operation.
std::size_t ownRunningThreads() {
    std::size_t running = 0;
    std::error_code failure;
    for (const auto& thread : fs::directory_iterator("/proc/self/task", failure)) {
        std::string text;
        std::getline(std::ifstream(thread.path() / "stat"), text);
        running += text.find(") R ") != std::string::npos;
    }
    return running;
}

std::size_t threadsOfOthers() {
    const std::size_t own = ownRunningThreads(), all = runningThreads();
    return all - std::min(all, own);
}

}  // namespace

std::size_t allowedProcessors() {
    constexpr std::size_t kMost = 1 << 16;
    for (std::size_t processors = 1024; processors <= kMost; processors *= 2) {
        std::vector<cpu_set_t> set(processors / CPU_SETSIZE);
        const std::size_t bytes = set.size() * sizeof(cpu_set_t);
        // That of the first thread: a rank's may be kept on one processor.
        if (::sched_getaffinity(::getpid(), bytes, set.data()) == 0)
            return std::max<std::size_t>(1, static_cast<std::size_t>(CPU_COUNT_S(bytes, set.data())));
        if (errno != EINVAL) break;  // otherwise the machine has more
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

std::size_t availableCores() { return coresWithinQuota(allowedProcessors(), "/proc/self/cgroup", "/sys/fs/cgroup"); }

std::size_t coresWithinQuota(std::size_t processors, const fs::path& proc, const fs::path& cgroups) {
    double cores = static_cast<double>(processors);
    std::ifstream groups(proc);
    // "3:cpu,cpuacct:/user.slice" of version 1, "0::/user.slice" of version 2
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
        const fs::path group = line.substr(second + 1);
        if (controllers == ",,") cores = std::min(cores, smallestQuota(cgroups, group, quotaInOneFile));
        if (controllers.find(",cpu,") == std::string::npos) continue;
        for (const char* name : {"cpu", "cpu,cpuacct"})
            cores = std::min(cores, smallestQuota(cgroups / name, group, quotaInTwoFiles));
    }
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(cores)));
}

std::size_t freeCores() {
    const std::size_t available = availableCores();
    const auto online = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    constexpr int kLooks = 3;  // what runs for a moment only does not count
    constexpr std::chrono::milliseconds kBetweenLooks{2};
    std::size_t others = threadsOfOthers();
    for (int look = 1; look < kLooks && others + available > online; ++look) {
        std::this_thread::sleep_for(kBetweenLooks);
        others = std::min(others, threadsOfOthers());
    }
    return std::clamp<std::size_t>(online - std::min(online, others), 1, available);
}

}  // namespace aotscope
