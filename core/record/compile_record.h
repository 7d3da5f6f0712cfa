#pragma once

#include "ir/diff.h"
#include "ir/graph.h"
#include "ir/metadata.h"
#include "ir/rewrite.h"
#include "record/graph_kind.h"
#include "record/options/compiler_choice.h"
#include "record/partition.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

struct CompileRecord;

/// The result of one pass. The stepper, diffs, node histories, reports and golden tests read only these records.
struct PassRecord {
    PassId id = PassId::source;
    std::string title;  ///< the name of a printed pass; else empty
    std::string help;
    /// The program after the pass: one graph, or forward and backward after partitioning.
    std::vector<std::pair<GraphKind, std::shared_ptr<const Graph>>> graphs;
    std::shared_ptr<const FunctionMetadata> metadata;  ///< set by the pass that collects it
    bool changed = false;
    std::size_t nodesBefore = 0, nodesAfter = 0;  ///< calls
    double ms = 0;
    MatchBy lineage = MatchBy::id;                  ///< how nodes correspond to those of the pass before
    std::vector<std::pair<NodeId, NodeId>> merged;  ///< nodes that were merged into another one
    std::vector<std::string> log;
};

/// "dead-code", or the title of a printed pass.
std::string_view name(const PassRecord& pass);
/// The place of the first pass of this name; nothing if there is none.
std::optional<std::size_t> passNamed(const CompileRecord& record, std::string_view name);

/// A condition on the inputs under which a compiled function is valid.
struct Guard {
    std::string text;                          ///< "s0 >= 2", "bool(aten.gt(sum, 0)) is True (model.py:12)"
    std::shared_ptr<const SourceInfo> source;  ///< where it comes from; may be null
    enum class Kind : std::uint8_t { value, shape, size } kind = Kind::value;
    std::string reason;  ///< why this condition exists; may be empty
};
std::string_view name(Guard::Kind kind);

/// A fake result that differs from the real kernel's.
struct FakeMismatch {
    std::string op;
    std::string expected, found;  ///< the real kernel's and the fake result, in words
    int count = 1;
};

/// The comparison of every fake result with the real kernel's.
struct CrossCheckReport {
    int checked = 0;
    std::map<std::string, int> skipped;  ///< reasons, and how many operations each
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

/// All that is to be known about one run of the pipeline; immutable once made. If the pipeline failed, `error`
/// says why and everything up to the failing pass is there.
struct CompileRecord {
    ModelInfo model;
    std::vector<PassRecord> passes;
    std::size_t compilation = 0;                       ///< of the session: 0 for the first, recompilations count on
    std::shared_ptr<const FunctionMetadata> metadata;  ///< of the function as it is called
    std::shared_ptr<const FunctionMetadata> graphMetadata;     ///< of its graph: the same if the convention is plain
    std::map<GraphKind, std::shared_ptr<const Graph>> graphs;  ///< the final one of each kind
    std::shared_ptr<const Partition> partition;                ///< null for inference
    std::vector<PathStep> offendingPath;                       ///< why there is no partition: see UnboundedCut
    /// Python partitioned the printed joint graph with parameters and buffers free to save, so partitions of it here
    /// are made like that, too.
    bool staticParameters = false;
    std::string whyNotSplit;  ///< why the printed joint graph cannot be split: one sentence; empty if it can
    CompileTimes times;
    std::vector<CompilerUse> compilers;    ///< of the graphs, as compiled; what runs them is in the results of runs
    std::map<std::string, int> fallbacks;  ///< operators that ran a real kernel while tracing
    std::size_t dataKernels = 0;           ///< real kernels of the eager run for the data that the program reads
    std::vector<Rewrite> rewrites;         ///< what decompositions replaced in the joint or inference graph
    std::vector<Guard> guards;
    std::string autocast = "off";                ///< that the program was traced under: "on the cpu to bfloat16"
    std::vector<Symbol> symbols;                 ///< sizes that vary; empty if all are fixed
    std::optional<CrossCheckReport> crossCheck;  ///< if the options ask for it
    std::vector<std::string> warnings;
    std::vector<std::string> fellBack;  ///< what was done otherwise than asked for, or left out, and nothing above says
    std::vector<std::string> notes;  ///< what is worth knowing and no reason to act: that halves equal the printed ones
    std::string error;

    std::shared_ptr<const Graph> graph(GraphKind kind) const {
        const auto it = graphs.find(kind);
        return it == graphs.end() ? nullptr : it->second;
    }
    /// The metadata of the graphs; empty for printed graphs.
    const FunctionMetadata& knownMetadata() const {
        static const FunctionMetadata nothing;
        return graphMetadata ? *graphMetadata : nothing;
    }
};

/// The nodes that one kernel computes together with `node` of a graph of this kind, including `node`; empty if it is
/// computed alone. For a joint graph, those of its halves.
std::vector<NodeId> groupOf(const std::vector<CompilerUse>& compilers, GraphKind kind, NodeId node);

/// Warnings of the passes and of the partition, one sentence each.
std::vector<std::string> warningsOf(const CompileRecord& record);

/// Throws Error, with the reason, if there is none.
void requirePartition(const CompileRecord& record);

/// `options` as they hold for the joint graph of `record`.
PartitionOptions optionsOn(const CompileRecord& record, PartitionOptions options);

/// The name of a graph in PyTorch's format: "resnet18__0_forward_0" is the first graph of compilation 0.
std::string graphTitle(const CompileRecord& record, GraphKind kind);

/// Whether the record is a sequence: one graph that was printed after each of several passes.
bool isSequence(const CompileRecord& record);

/// The graphs that a run executes, in order: forward and backward, or the only one. Of printed graphs without two
/// halves, the most complete one, of a sequence the last one; empty if there is none of ATen operations.
std::vector<GraphKind> executedGraphs(const CompileRecord& record);

/// Whether two graphs take values of the same types, and return as many.
bool takesTheSame(const Graph& a, const Graph& b);
/// The graph of a sequence that the last one is compared with: the first that takes the same.
const PassRecord& referencePass(const CompileRecord& sequence);

/// Whether two graphs have the same operations on the same operands in the same order.
bool sameStructure(const Graph& a, const Graph& b);

}  // namespace aotscope
