#pragma once

#include "record/partition.h"

#include <optional>
#include <vector>

namespace aotscope {

/// What a value that the forward hands to the backward adds to memory.
enum class SavedShare : std::uint8_t {
    own,       ///< its storage, which nothing but the backward needs
    input,     ///< nothing: it is an input of the program, whose owner keeps it
    constant,  ///< nothing: the program keeps its constants
    view,      ///< nothing: it lies in the memory of an input, of a constant or of another saved value
    number,    ///< nothing: it is a size
};

/// The figures of a partition. Every place that shows one of them takes it from here, and they mean (Glossary):
///
/// * saved: what the forward keeps in memory for the backward, and would not keep without it. A storage is one value,
///   however many tensors lie in it.
/// * kept anyway: everything else that the forward hands to the backward.
/// * recomputed: operations of the forward that the backward computes again. It also makes views, elements of tuples
///   and sizes again, which computes nothing: these are not counted. Bytes: of the results.
struct PartitionFigures {
    std::size_t savedValues = 0;
    std::int64_t savedBytes = 0;
    std::size_t keptInputs = 0, keptViews = 0, keptSizes = 0;  ///< inputs: and constants
    std::int64_t keptInputBytes = 0;
    std::size_t recomputedOps = 0;
    std::int64_t recomputedBytes = 0;

    struct Saved {
        SavedShare share = SavedShare::own;
        std::int64_t bytes = 0;  ///< of its own storage; 0 for other shares
        NodeId owner = kNoNode;  ///< of a view: the node in whose memory it lies
    };
    std::vector<Saved> saved;  ///< of each of Partition::saved
    /// Of each of Partition::recomputed, the bytes of what it computes again; nothing: it computes nothing.
    std::vector<std::optional<std::int64_t>> recomputed;
};

PartitionFigures figuresOf(const Partition& partition);

/// "3 values saved, 65.5 kB; 2 operations recomputed, 131 kB".
std::string figuresText(const PartitionFigures& figures);
/// "; kept anyway: 1 input (8.19 kB), 2 views", for behind a text on what is saved; empty if there is nothing.
std::string keptText(const PartitionFigures& figures);

/// The gradients that a joint or backward graph returns: one for each input that receives one.
std::size_t gradientCount(const Graph& graph);

/// The bytes of the results of an operation; nothing for one that computes nothing, such as a view.
std::optional<std::int64_t> computedBytes(const Node& node);

/// A node that both halves have.
RecomputedValue recomputedValue(const Node& node);

}  // namespace aotscope
