#include "record/options/option_needs.h"

#include "record/model_kind.h"

namespace aotscope {

std::string needsThisMachine(const Options& options) {
    return isRemote(options.model)
               ? "only for models on this machine: for another one, name its aotscope-engine at the end of the remote "
                 "command"
               : "";
}

std::string needsExportedFile(const Options& options) {
    const std::string& model = options.model;
    // A session may derive from one.
    const bool may = model.empty() || model.ends_with(".pt2") || namesSessionFile(model);
    return may ? ""
               : "only for torch.export files (.pt2), which can contain several models, take other weights, and call "
                 "Python operators";
}

std::string needsTorchScript(const Options& options) {
    return options.model.ends_with(".pt2") ? "only for TorchScript files: an exported program has no methods" : "";
}

std::string needsCuda(const Options& options) {
    return options.device.starts_with("cuda") ? "" : "only for a CUDA device: choose one as the device";
}

std::string needsBackward(const Options& options) {
    return options.inference ? "not for inference, which has no backward" : "";
}

std::string needsInference(const Options& options) {
    return options.inference ? "" : "only for inference: there is no inference graph without it";
}

std::string needsPlan(const Options& options) {
    if (std::string why = needsBackward(options); !why.empty()) return why;
    return options.partition.algorithm == PartitionAlgorithm::planned ? ""
                                                                      : "only for the partitioner 'plan': choose it";
}

std::string needsNoFunction(const Options& options) {
    if (std::string why = needsPlan(options); !why.empty()) return why;
    return options.partition.function.empty() ? "" : "the partition function creates the plan; give only one of them";
}

std::string needsNoOtherPlan(const Options& options) {
    if (std::string why = needsNoFunction(options); !why.empty()) return why;
    return options.partition.plan.empty() ? "" : "the plan lists all saved values; give only one of them";
}

std::string needsPeak(const Options& options) {
    if (std::string why = needsNoOtherPlan(options); !why.empty()) return why;
    return options.partition.peak.empty() ? "only for a plan with a limit of the peak: set one" : "";
}

std::string needsRules(const Options& options) {
    if (std::string why = needsBackward(options); !why.empty()) return why;
    return options.partition.algorithm == PartitionAlgorithm::planned ? "a plan lists all saved values; leave it out"
                                                                      : "";
}

std::string needsMinCut(const Options& options) {
    if (std::string why = needsBackward(options); !why.empty()) return why;
    return options.partition.algorithm == PartitionAlgorithm::minCut ? ""
                                                                     : "only for the min-cut partitioner: choose it";
}

std::string needsBudget(const Options& options) {
    if (std::string why = needsMinCut(options); !why.empty()) return why;
    return options.partition.memoryBudget < 1 ? "" : "only for a memory budget below 1: choose one";
}

std::string needsMoves(const Options& options) {
    const CollectiveMoves& moves = options.partition.moves;
    return moves.issueEarly || !moves.bucket.empty()
               ? ""
               : "only with buckets of collectives or early issue: choose one of these";
}

}  // namespace aotscope
