#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace aotscope {

/// The mechanisms that confine a thread.
struct Confinement {
    int landlock = 0;      ///< the kernel's Landlock version; 0: none, files are not protected
    bool seccomp = false;  ///< system calls that start programs or use the network fail
};

/// What this kernel supports. Tested once, on a separate thread.
const Confinement& confinement();
/// The text in `aotscope --version`.
std::string confinementText();

/// Runs `job` on a thread that may read files, but not write, create, rename or delete them, start programs or use the
/// network; nor may threads that it starts. Waits for it and rethrows its exception. Every caller keeps its thread, so
/// that thread pools and LibTorch's thread-local state persist between calls. Within a confined job, it simply runs
/// `job`. Without kernel support, nothing is restricted.
void runConfined(const std::function<void()>& job);

/// Within a confined job: runs `job` on the waiting thread, which is not restricted. For code that the user has named
/// and trusts, such as a compiler plug-in. Elsewhere it simply runs `job`.
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
