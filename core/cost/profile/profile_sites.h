#pragma once

#include "cost/profile/graph_calls.h"
#include "cost/profile/joined_profile.h"
#include "load/profile/profile.h"
#include "support/progress.h"

#include <map>
#include <set>

namespace aotscope {

/// What calls more nodes than this is not a part of the model, but what runs it.
inline constexpr std::size_t kLargestGroup = 64;

/// Nodes that something computes, and how that is known.
struct ProfileSite {
    const GraphCalls* graph = nullptr;
    std::vector<std::size_t> calls;  ///< in the graph, ascending
    JoinedBy by = JoinedBy::order;
};

/// A joined operation, for kernels between others.
struct JoinedCall {
    std::int32_t operation = -1;
    std::size_t call = 0;
    int iteration = 0;
};

/// An operation in a graph that Inductor has compiled, which keeps dependencies, but not the order of the graph.
struct CompiledCandidate {
    std::int32_t operation = -1;
    int key = -1;
};

/// What the operations of a profile compute.
struct OperationSites {
    std::vector<ProfileSite> sites;
    std::vector<std::int32_t> of;          ///< for each operation: in `sites`, or -1
    std::vector<const char*> reasons;      ///< for those without one
    std::vector<std::int32_t> iterations;  ///< the run of the graphs that it is in, or -1
    int iterationCount = 0;
    std::map<const GraphCalls*, std::vector<JoinedCall>> joined;  ///< in order of time
    std::vector<CompiledCandidate> compiled;                      ///< not joined yet, in order of time
    double fit = 0;  ///< the largest share of the graphs' calls that one run of them has
};

/// Aligns operations with calls, and explains those around and beside them.
OperationSites siteOperations(const Profile& profile, const std::vector<GraphCalls>& graphs, const OperatorKeys& keys,
                              const Progress& progress);

/// The reason for what is not a part of the model, but what PyTorch does around it.
bool isOverhead(const char* reason);

/// Inductor's mark around the call of a compiled graph: "## Call CompiledFxGraph abc".
bool isCompiledGraph(std::string_view name);

/// "cpp_fused_add_relu_0", "triton_poi_fused_add_0", also with a number of the graph before it.
bool isFusedKernel(std::string_view name);

}  // namespace aotscope
