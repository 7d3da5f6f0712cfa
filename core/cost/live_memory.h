#pragma once

#include "ir/graph.h"
#include "ir/metadata.h"
#include "record/compile_record.h"
#include "record/partition.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The purpose of a block of memory.
enum class MemoryKind : std::uint8_t {
    parameter,
    buffer,
    input,
    tangent,
    output,      ///< returned to the caller, who keeps it
    saved,       ///< kept from the forward for the backward
    activation,  ///< of the forward, freed before the backward
    recomputed,  ///< a forward value that the backward recomputes
    temporary,   ///< of the backward
    gradient,
    workspace,  ///< needed by an operation while it runs
};
std::string_view name(MemoryKind kind);
/// Provided by the caller: live before and after, for any partition.
inline bool isGiven(MemoryKind kind) { return kind <= MemoryKind::tangent; }

/// A block of memory (a storage with all its views) and its lifetime.
struct LiveValue {
    NodeId node = kNoNode;  ///< that it belongs to
    std::string name, op;   ///< of that node; op: "placeholder" for an input
    std::string label;      ///< the user's name of an input
    std::string module;
    MemoryKind kind = MemoryKind::activation;
    std::int64_t bytes = 0;
    std::size_t first = 0, last = 0;  ///< points of the curve, both included

    bool isAt(std::size_t point) const { return first <= point && point <= last; }
};

/// The peak of allocated memory while one operation runs.
struct MemoryPoint {
    Stage stage = Stage::forward;
    NodeId node = kNoNode;  ///< kNoNode: between forward and backward
    std::string name;
    std::int64_t bytes = 0;  ///< excluding parameters, inputs and tangents
};

/// Live memory of forward and backward in order of execution, as their compiler allocates and frees it: a value is
/// freed after its last use, also a saved one unless the caller holds it; views share memory. All sizes are in bytes.
struct LiveMemory {
    std::vector<MemoryPoint> curve;
    std::vector<LiveValue> values;  ///< in order of allocation
    std::int64_t givenBytes = 0;    ///< parameters, buffers, inputs, tangents
    std::int64_t savedBytes = 0;    ///< kept from forward to backward, without given memory and outputs
    std::int64_t peakBytes = 0;     ///< without given memory
    std::size_t peak = 0;           ///< index of the peak in `curve`
    /// Operations by where their inner bytes are from: see CostBasis.
    std::array<std::size_t, 3> operationsBy{};

    /// The live values at a point of the curve, largest first; the caller's only with `withGiven`.
    std::vector<LiveValue> liveAt(std::size_t point, bool withGiven = false) const;
};

/// `costs`: what is known of inner bytes (node_figures.h). `compilers`: of the graphs; others are interpreted.
LiveMemory liveMemory(const Partition& partition, const FunctionMetadata& metadata, const OperatorCosts& costs = {},
                      const std::vector<CompilerUse>& compilers = {});
/// For an inference graph.
LiveMemory liveMemory(const Graph& inference, const FunctionMetadata& metadata, const OperatorCosts& costs = {},
                      const std::vector<CompilerUse>& compilers = {});

/// For the final graphs of the record and their compilers; nothing if it has no executable ones.
std::optional<LiveMemory> liveMemory(const CompileRecord& record);

}  // namespace aotscope
