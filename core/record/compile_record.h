#pragma once

#include "ir/diff.h"
#include "ir/graph.h"
#include "ir/metadata.h"
#include "ir/rewrite.h"
#include "record/graph_kind.h"
#include "record/options/compiler_choice.h"
#include "record/partition.h"
#include "record/results/operator_costs.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

struct CompileRecord;

/// The result of one pass. The stepper, diffs, node histories, reports and golden tests only read these records.
struct PassRecord {
    PassId id = PassId::source;
    std::string title;  ///< the name of a printed pass; otherwise empty
    std::string help;
    /// The program after the pass: one graph, or forward and backward after partitioning.
    std::vector<std::pair<GraphKind, std::shared_ptr<const Graph>>> graphs;
    std::shared_ptr<const FunctionMetadata> metadata;  ///< set by the pass that computes it
    bool changed = false;
    std::size_t nodesBefore = 0, nodesAfter = 0;  ///< calls
    double ms = 0;
    MatchBy lineage = MatchBy::id;                  ///< how nodes correspond to those of the previous pass
    std::vector<std::pair<NodeId, NodeId>> merged;  ///< merged nodes, and those that replace them
    std::vector<std::string> log;
};

/// "dead-code", or the title of a printed pass.
std::string_view name(const PassRecord& pass);
/// The index of the first pass with this name, if there is one.
std::optional<std::size_t> passNamed(const CompileRecord& record, std::string_view name);

/// A condition on the inputs under which a compiled function is valid.
struct Guard {
    std::string text;                          ///< "s0 >= 2", "bool(aten.gt(sum, 0)) is True (model.py:12)"
    std::shared_ptr<const SourceInfo> source;  ///< its origin; may be null
    enum class Kind : std::uint8_t { value, shape, size } kind = Kind::value;
    std::string reason;  ///< why it is needed; may be empty
};
std::string_view name(Guard::Kind kind);

/// A fake result that differs from the real kernel's.
struct FakeMismatch {
    std::string op;
    std::string expected, found;  ///< the real kernel's result and the fake one, as text
    int count = 1;
};

/// The comparison of all fake results with those of real kernels.
struct CrossCheckReport {
    int checked = 0;
    std::map<std::string, int> skipped;  ///< reasons, with the number of operations
    std::vector<FakeMismatch> mismatches;
};

/// Milliseconds of each part of a compilation; total: from the loaded model to the callable.
struct CompileTimes {
    double load = 0, metadata = 0, joint = 0, partition = 0, compile = 0, total = 0;
};

struct ModelInfo {
    std::string name, path, kind;
    std::string torchVersion;
};

/// Everything about one run of the pipeline; immutable once created. If the pipeline failed, `error` has the reason,
/// and everything up to the failing pass is present.
struct CompileRecord {
    ModelInfo model;
    std::vector<PassRecord> passes;
    std::size_t compilation = 0;                       ///< number in the session: 0 for the first, then recompilations
    std::shared_ptr<const FunctionMetadata> metadata;  ///< of the function that is called
    std::shared_ptr<const FunctionMetadata> graphMetadata;     ///< of its graph; the same if the convention is plain
    std::map<GraphKind, std::shared_ptr<const Graph>> graphs;  ///< the final one of each kind
    std::shared_ptr<const Partition> partition;                ///< null for inference
    std::vector<PathStep> offendingPath;                       ///< why there is no partition: see UnboundedCut
    /// Python partitioned the printed joint graph with parameters and buffers free to save, so partitions of it here do
    /// the same.
    bool staticParameters = false;
    std::string whyNotSplit;  ///< why the printed joint graph cannot be split, as a sentence; empty if it can
    CompileTimes times;
    std::vector<CompilerUse> compilers;    ///< of the graphs, as compiled; results of runs have those that were used
    std::map<std::string, int> fallbacks;  ///< operators that ran a real kernel during tracing
    std::size_t dataKernels = 0;           ///< real kernels of the eager run for data that the program reads
    std::vector<Rewrite> rewrites;         ///< decompositions in the joint or inference graph
    std::vector<Guard> guards;
    std::string autocast = "off";                ///< autocast state during tracing: "on the cpu to bfloat16"
    std::vector<Symbol> symbols;                 ///< dynamic sizes; empty if all are static
    std::optional<CrossCheckReport> crossCheck;  ///< if requested in the options
    std::vector<std::string> warnings;
    std::vector<std::string> fellBack;  ///< other deviations from the request, and omissions
    std::vector<std::string> notes;     ///< information that needs no action: that graphs equal the printed ones
    std::string error;
    std::shared_ptr<const OperatorCosts> costs;  ///< of its operations, as known when it was made; may be null

    std::shared_ptr<const Graph> graph(GraphKind kind) const {
        const auto it = graphs.find(kind);
        return it == graphs.end() ? nullptr : it->second;
    }
    /// The metadata of the graphs; empty for printed graphs.
    const FunctionMetadata& knownMetadata() const {
        static const FunctionMetadata nothing;
        return graphMetadata ? *graphMetadata : nothing;
    }
    /// Empty if nothing is known.
    const OperatorCosts& knownCosts() const {
        static const OperatorCosts nothing;
        return costs ? *costs : nothing;
    }
};

/// The nodes that one kernel computes together with `node` in a graph of this kind, including `node`; empty if it is
/// computed alone. For a joint graph, those in forward and backward.
std::vector<NodeId> groupOf(const std::vector<CompilerUse>& compilers, GraphKind kind, NodeId node);

/// Warnings of the passes and of the partition, one sentence each.
std::vector<std::string> warningsOf(const CompileRecord& record);

/// Throws Error with the reason if there is no partition.
void requirePartition(const CompileRecord& record);

/// `options` as they apply to the joint graph of `record`.
PartitionOptions optionsOn(const CompileRecord& record, PartitionOptions options);

/// The name of a graph in PyTorch's format: "resnet18__0_forward_0" is the first graph of compilation 0.
std::string graphTitle(const CompileRecord& record, GraphKind kind);

/// Whether the record is a sequence: one graph printed after each of several passes.
bool isSequence(const CompileRecord& record);

/// The graphs that a run executes, in order: forward and backward, or the only one. For printed graphs without both,
/// the most complete one; for a sequence, the last one; empty without a graph of ATen operations.
std::vector<GraphKind> executedGraphs(const CompileRecord& record);

/// Whether two graphs have inputs of the same types, and the same number of outputs.
bool takesTheSame(const Graph& a, const Graph& b);
/// The graph of a sequence to compare the last one with: the first with the same inputs.
const PassRecord& referencePass(const CompileRecord& sequence);

/// Whether two graphs have the same operations on the same operands in the same order.
bool sameStructure(const Graph& a, const Graph& b);

}  // namespace aotscope
