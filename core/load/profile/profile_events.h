#pragma once

#include "load/profile/profile.h"
#include "load/profile/profile_bytes.h"
#include "support/progress.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// The events of a file that profiles are made of, as they are written: in any order, in the clock of the machine.
struct ProfileEvents {
    struct Span {
        ProfileText name = 0, thread = 0;
        double start = 0, us = 0;
    };
    struct Operation : Span {
        std::int64_t sequence = -1, external = -1;
        std::int32_t arguments = -1;
    };
    /// A call that launches kernels, "cudaLaunchKernel".
    struct Launch : Span {
        std::int64_t correlation = -1, external = -1;
    };
    struct Activity : Span {
        GpuActivity::Kind kind = GpuActivity::Kind::kernel;
        std::int64_t correlation = -1, external = -1;
        std::int32_t device = -1, stream = -1;
        std::vector<ProfileText> stack;
    };

    std::vector<std::string> texts;
    std::vector<ProfiledArguments> arguments;
    std::vector<Operation> operations;
    std::vector<Launch> launches;
    std::vector<Activity> activities;
    std::vector<Span> annotations, modules;
    std::map<std::int64_t, std::string> devices;  ///< names, by number
    std::vector<std::string> processes;           ///< names, for what other programs write
    std::vector<ProfileText> operationProcesses;  ///< distinct
    std::size_t count = 0;                        ///< of all events in the file
    bool isObject = false, hasEvents = false;     ///< the document, and its list
    bool isByTorch = false;                       ///< it has what only torch.profiler writes
    bool isOurs = false;                          ///< a trace that aotscope wrote
};

/// Reads the events. Throws Error, a clause, if `bytes` are not JSON, end too early or exceed the limits; Cancelled.
ProfileEvents readProfileEvents(ProfileBytes& bytes, const Progress& progress);

}  // namespace aotscope
