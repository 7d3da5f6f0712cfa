#pragma once

#include "verify/memory_meter.h"
#include "verify/moments.h"
#include "verify/workload.h"

#include <functional>
#include <vector>

namespace aotscope {

/// One forward and backward; times in milliseconds.
struct Lap {
    double forward = 0, backward = 0;
    bool ranBackward = false;
};

/// The times of all laps.
struct Laps {
    std::vector<double> forward, backward, step;  ///< step: both
    bool ranBackward = false;

    void add(const Lap& lap);
};

/// A function with the arguments of a workload, run again and again on their device.
class Runner {
public:
    using Callable = std::function<std::vector<c10::IValue>(const std::vector<c10::IValue>&)>;

    Runner(const Workload& workload, const Options& options, Callable function);

    Lap lap();
    /// The most that one lap allocates, beside its arguments; `metered` has the meter meanwhile.
    std::int64_t peakBytes(MemoryMeter*& metered);
    /// What a forward leaves behind for its backward, beside its outputs.
    std::int64_t savedBytes();

private:
    Lap run(const RunArguments& arguments);

    const Workload& workload_;
    const Options& options_;
    Callable function_;
    Moments moments_;
    std::vector<at::Tensor> tangents_;
};

}  // namespace aotscope
