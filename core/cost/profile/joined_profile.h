#pragma once

#include "record/compile_record.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The evidence that a kernel or an operation computes nodes of a graph, the strongest first.
enum class JoinedBy : std::uint8_t {
    provenance,  ///< Inductor says which nodes a kernel computes, or which lines of code
    order,       ///< the same operators on the same sizes in the same order
    sequence,    ///< the number of the autograd node
    enclosing,   ///< it calls the operations that compute them
    kernelName,  ///< the operators in the kernel's name, at the only place where they can be
};
/// "order", "kernel name".
std::string_view name(JoinedBy by);

/// Kernels, or operations of a CPU, with the same name that compute the same nodes.
struct ProfileRow {
    std::string name;
    double ms = 0;  ///< of all calls
    std::size_t calls = 0;
    GraphKind graph = GraphKind::forward;
    std::vector<NodeId> nodes;  ///< several: the time is that of the group, and is not divided; empty: not joined
    JoinedBy by = JoinedBy::order;
    std::string reason;          ///< why it is not joined, a clause
    std::vector<double> stepMs;  ///< in each step, see JoinedProfile::steps
};

/// A profile on the graphs of a record.
struct JoinedProfile {
    std::string device;
    std::size_t steps = 0;       ///< as the profiler marked them; without marks, how often the graphs have run
    std::size_t warmUps = 0;     ///< of them, the first ones that took much longer than the others
    std::vector<double> stepMs;  ///< all that ran in each step
    double kernelMs = 0, joinedMs = 0;
    double overheadMs = 0;                   ///< on a CPU: of kernelMs, what PyTorch does around the graphs
    std::vector<ProfileRow> rows, unjoined;  ///< the longest first
    std::vector<std::string> notes;          ///< sentences
};

}  // namespace aotscope
