#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aotscope {

/// NVIDIA's run-time compiler for CUDA C++, loaded from a shared library if present.
class Nvrtc {
public:
    /// The first of `libraries` that can be loaded: paths, or names that the system looks for.
    explicit Nvrtc(const std::vector<std::string>& libraries);

    /// Why it cannot be used, as one clause; empty if it can.
    const std::string& missing() const { return missing_; }
    /// Machine code for a GPU of compute capability `major`.`minor`, as the driver loads it. Throws Error with the
    /// compiler's message.
    std::string compile(const std::string& text, int major, int minor) const;

private:
    using Program = void*;
    struct Functions {
        int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
        int (*destroy)(Program*);
        int (*compile)(Program, int, const char* const*);
        int (*logSize)(Program, std::size_t*);
        int (*log)(Program, char*);
        int (*cubinSize)(Program, std::size_t*);
        int (*cubin)(Program, char*);
        int (*ptxSize)(Program, std::size_t*);
        int (*ptx)(Program, char*);
        int (*architectureCount)(int*);
        int (*architectures)(int*);
    };

    std::string firstError(Program program) const;
    static std::string result(Program program, int (*size)(Program, std::size_t*), int (*bytes)(Program, char*));

    std::string missing_;
    Functions functions_{};
    std::vector<int> architectures_;  ///< 10 * major + minor, ascending
};

/// The one installed with LibTorch, or the system's; searched for at the first call.
const Nvrtc& nvrtc();

}  // namespace aotscope
