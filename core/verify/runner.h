#pragma once

#include "verify/device_timer.h"
#include "verify/memory_meter.h"
#include "verify/model_run.h"

#include <vector>

namespace aotscope {

/// One forward and backward; times in milliseconds.
struct Iteration {
    double forward = 0, backward = 0;
    bool ranBackward = false;
};

/// The times of all iterations.
struct Iterations {
    std::vector<double> forward, backward, step;  ///< step: both
    bool ranBackward = false;

    void add(const Iteration& iteration);
};

/// A function with the arguments of a model run, run again and again on their device.
class Runner {
public:
    Runner(const ModelRun& modelRun, const Options& options, Callable function);

    Iteration iterate();
    /// The most that one iteration allocates, beside its arguments; `metered` has the meter meanwhile.
    std::int64_t peakBytes(MemoryMeter*& metered);
    /// What a forward leaves behind for its backward, beside its outputs.
    std::int64_t savedBytes();

private:
    Iteration run(const RunArguments& arguments);

    const ModelRun& modelRun_;
    const Options& options_;
    Callable function_;
    DeviceTimer timer_;
    std::vector<at::Tensor> tangents_;
};

}  // namespace aotscope
