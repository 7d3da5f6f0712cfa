#pragma once

#include "verify/device_timer.h"
#include "verify/memory_meter.h"
#include "verify/model_run.h"

#include <vector>

namespace aotscope {

/// Times of one forward and backward in milliseconds.
struct Iteration {
    double forward = 0, backward = 0;
    bool ranBackward = false;
    double onCore = 0;  ///< CPU time of the calling thread meanwhile
};

/// Times of all iterations in milliseconds.
struct Iterations {
    std::vector<double> forward, backward, step;  ///< step: both
    double ms = 0, onCore = 0;                    ///< of all: as they took, and CPU time of the calling thread
    bool ranBackward = false;

    void add(const Iteration& iteration);
};

/// Repeatedly runs a function with the arguments of a model run on their device.
class Runner {
public:
    Runner(const ModelRun& modelRun, const Options& options, Callable function);

    Iteration iterate();
    /// The peak memory in bytes of one iteration, excluding its arguments; `metered` points to the meter meanwhile.
    std::int64_t peakBytes(MemoryMeter*& metered);
    /// The bytes that a forward keeps for its backward, besides its outputs.
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
