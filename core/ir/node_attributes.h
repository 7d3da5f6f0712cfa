#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// Identifies a node across the passes of one pipeline: a pass keeps the id of every node that it keeps.
using NodeId = std::int32_t;
inline constexpr NodeId kNoNode = -1;

enum class NodeKind : std::uint8_t { placeholder, constant, call, output };

/// Which half of a training step computes a node.
enum class Stage : std::uint8_t { forward, backward };
std::string_view name(Stage stage);

/// The purpose of a placeholder or an output.
enum class Role : std::uint8_t {
    none,
    // placeholders
    parameter,
    buffer,
    userInput,
    syntheticBase,
    tangent,
    // outputs of a forward or inference graph
    mutatedInput,
    userOutput,
    intermediateBase,
    // outputs of a forward graph and placeholders of its backward
    saved,
    savedSymint,
    // outputs of a backward graph
    gradient,
};
std::string_view name(Role role);
std::optional<Role> roleFromName(std::string_view name);

/// The origin of a node in the user's model. Shared by all nodes of one source operation.
struct SourceInfo {
    std::string module;      ///< "layer1.0.conv1"; empty for the top level
    std::string moduleType;  ///< "Conv2d"
    std::string file;
    std::int32_t line = 0;
    std::string text;  ///< the source line itself
    bool operator==(const SourceInfo&) const = default;
};

/// Whether autograd saves an operation's own result for its backward (as relu does), and how that result is hidden from
/// its own history: a detach, or an alias where detach is decomposed.
enum class SavedOutput : std::uint8_t { no, detached, aliased };

/// The autograd node that links a backward operation to the forward operation it differentiates.
struct AutogradLink {
    std::int64_t sequence = -1;                 ///< sequence number of the autograd node, or -1
    std::string function;                       ///< backward only: "ConvolutionBackward0"
    NodeId forward = kNoNode;                   ///< backward only: the forward node that it differentiates
    SavedOutput savedOutput = SavedOutput::no;  ///< forward only
    bool operator==(const AutogradLink&) const = default;
};

/// What activation checkpointing requests for an operation's results. Source: torch/utils/checkpoint.py.
enum class CheckpointPolicy : std::uint8_t { none, mustSave, preferSave, mustRecompute, preferRecompute };
inline constexpr int kCheckpointPolicies = 5;
/// PyTorch's spelling: "MUST_SAVE"; empty for none.
std::string_view name(CheckpointPolicy policy);
/// Nothing for any other text.
std::optional<CheckpointPolicy> checkpointPolicyFromName(std::string_view name);

/// The tags of an operation in a checkpointed region: node.meta["recompute"] and node.meta["ac_graph_id"].
struct CheckpointTag {
    CheckpointPolicy policy = CheckpointPolicy::none;
    std::int32_t region = -1;  ///< increases in order of execution; -1: not in a region
    bool operator==(const CheckpointTag&) const = default;
    bool isSet() const { return policy != CheckpointPolicy::none || region >= 0; }
};

/// The purpose of a graph output; parallel to the arguments of the output node.
struct OutputSlot {
    Role role = Role::userOutput;
    std::string label;
    bool operator==(const OutputSlot&) const = default;
};

/// The operator without its overload: "aten.add" for "aten.add.Tensor". PyTorch's overload packet.
std::string_view packetOf(std::string_view op);
/// The bare name: "add" in "aten.add.Tensor".
std::string_view shortOpName(std::string_view op);

}  // namespace aotscope
