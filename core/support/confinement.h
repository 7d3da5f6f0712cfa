#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace aotscope {

/// What keeps a confined thread from the machine.
struct Confinement {
    int landlock = 0;      ///< the kernel's version of Landlock; 0: there is none, files are not guarded
    bool seccomp = false;  ///< system calls that start programs or talk to the network fail
};

/// What this kernel offers. Tried out once, on a thread made for it.
const Confinement& confinement();
/// The same as `aotscope --version` says it.
std::string confinementText();

/// Runs `job` on a thread that may read files, but not write, make, rename or delete them, start programs or talk to
/// the network; nor may threads that it starts. Waits for it; exceptions come back. One such thread stays for each
/// caller, so that thread pools and what LibTorch keeps for each thread are there again at the next call. Called from a
/// confined job, it simply runs `job`. Without support by the kernel nothing is kept back.
void runConfined(const std::function<void()>& job);

/// Called from a confined job: runs `job` on the thread that waits for it, which may do everything. For what the user
/// has named and trusts, as a compiler's plug-in. Elsewhere it simply runs `job`.
void runUnconfined(const std::function<void()>& job);

/// The same for jobs with a result.
template <typename Job>
auto confined(Job&& job) {
    using Result = std::invoke_result_t<Job>;
    if constexpr (std::is_void_v<Result>) {
        runConfined(job);
    } else {
        std::optional<Result> result;
        runConfined([&] { result.emplace(job()); });
        return Result(std::move(*result));
    }
}
template <typename Job>
auto unconfined(Job&& job) {
    std::optional<std::invoke_result_t<Job>> result;
    runUnconfined([&] { result.emplace(job()); });
    return std::invoke_result_t<Job>(std::move(*result));
}

}  // namespace aotscope
