#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace aotscope {

/// Index of a text in Profile::texts; 0 is the empty text.
using ProfileText = std::uint32_t;

/// The sizes of an argument: of a tensor, or of each tensor of a list. Other arguments have none.
using ProfiledSizes = std::vector<std::vector<std::int64_t>>;

/// What an operation was called with, by position.
struct ProfiledArguments {
    std::vector<ProfiledSizes> sizes;
    std::vector<std::string> values;  ///< as the profiler prints numbers, "[5, 16]"; empty texts for tensors

    auto operator<=>(const ProfiledArguments&) const = default;
};

/// An operation on the CPU, which may launch kernels and call other operations. Times are in microseconds from the
/// first event.
struct CpuOperation {
    ProfileText name = 0;    ///< "aten::addmm", "autograd::engine::evaluate_function: AddmmBackward0"
    ProfileText module = 0;  ///< class of the innermost nn.Module that calls it (with_stack), "Linear"
    std::int32_t parent = -1;
    std::int32_t end = 0;         ///< the operations in it have the indices after its own up to this one
    std::int32_t arguments = -1;  ///< in Profile::arguments; -1: not recorded
    std::int32_t step = -1;       ///< in Profile::steps; -1: outside of them
    std::int64_t sequence = -1;   ///< the number of its autograd node
    bool isBackward = false;      ///< run by autograd's engine
    double start = 0, us = 0;
    double selfUs = 0;  ///< without the operations in it
};

/// What ran on the GPU.
struct GpuActivity {
    enum class Kind : std::uint8_t { kernel, copy, fill };

    Kind kind = Kind::kernel;
    ProfileText name = 0;
    std::int32_t operation = -1;  ///< innermost one that launched it; -1: not in the file
    double launch = -1;           ///< when it was launched, as operations; -1: not known
    std::int32_t step = -1;
    std::int32_t stream = -1;
    double start = 0, us = 0;
    std::vector<ProfileText> stack;  ///< of its code, outermost first, as Inductor adds them
};

/// A recorded span of the user's: record_function, ProfilerStep#3.
struct ProfiledSpan {
    ProfileText name = 0;
    double start = 0, us = 0;
};

/// What torch.profiler recorded in one process.
struct Profile {
    std::string device;                        ///< "NVIDIA H100 80GB HBM3", "cpu"
    std::vector<std::string> texts;            ///< distinct
    std::vector<ProfiledSpan> steps;           ///< ProfilerStep#N in order; empty: recorded without a schedule
    std::vector<ProfiledSpan> spans;           ///< the other annotations
    std::vector<CpuOperation> operations;      ///< by thread; each before the operations in it
    std::vector<ProfiledArguments> arguments;  ///< distinct
    std::vector<GpuActivity> activities;       ///< in order of their start
    bool hasShapes = false;

    const std::string& text(ProfileText which) const { return texts[which]; }
    bool onGpu() const { return !activities.empty(); }
    /// The time of all kernels, copies and fills; on a CPU, of all operations.
    double kernelMs() const;
};

}  // namespace aotscope
