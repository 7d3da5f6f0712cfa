#pragma once

#include "record/compile_record.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// How the placeholders and results of one graph correspond to the metadata: the arguments of the function, the inputs
/// of its graph, and its outputs. Nothing corresponds if the record has no metadata, or if the placeholders are not
/// those that it describes.
class MetadataLinks {
public:
    MetadataLinks(const Graph& graph, GraphKind kind, const CompileRecord& record);
    /// For the graph that the metadata primarily describes: joint, inference or functional.
    static MetadataLinks ofFinalGraph(const CompileRecord& record, GraphKind& kind);

    /// How a node is returned.
    struct Returned {
        std::vector<std::size_t> updates;  ///< indices among described()->inputs for which it is the new value
        std::vector<std::size_t> outputs;  ///< of the user
        std::vector<std::size_t> bases;    ///< intermediate bases
    };

    /// The metadata whose inputs are the placeholders: of the function or of its graph; null if nothing corresponds.
    const FunctionMetadata* described() const { return described_; }
    /// For a placeholder, its index among described()->inputs.
    std::optional<std::size_t> inputOf(NodeId placeholder) const;
    /// Arguments of the function that a placeholder represents: several for a base and for duplicates.
    std::vector<std::size_t> argumentsOf(NodeId placeholder) const;
    bool isSyntheticBase(NodeId placeholder) const;
    /// Null if the node is not returned.
    const Returned* returnedAs(NodeId node) const;

    /// kNoNode: none.
    NodeId placeholderOf(std::size_t argument) const;
    NodeId outputNode(std::size_t output) const;
    NodeId baseNode(std::size_t base) const;
    /// Index among described()->inputs of an argument of the function.
    std::size_t describedInput(std::size_t argument) const;

private:
    bool match(const Graph& graph, const FunctionMetadata* metadata);
    void takeOutputs(const Graph& graph);
    const CallingConvention* convention() const;  ///< null if every argument is an input of its own

    const FunctionMetadata* function_ = nullptr;
    const FunctionMetadata* described_ = nullptr;
    std::unordered_map<NodeId, std::size_t> inputOf_;
    std::unordered_map<NodeId, Returned> returned_;
    std::vector<NodeId> inputNodes_, outputNodes_, baseNodes_;
};

}  // namespace aotscope
