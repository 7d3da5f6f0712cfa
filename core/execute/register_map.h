#pragma once

#include "ir/graph.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace aotscope {

using Register = int;
inline constexpr Register kUnused = -1;
inline std::size_t registerIndex(Register r) { return static_cast<std::size_t>(r); }

/// Which register holds which value while a graph runs, and for how long. A tuple has no register, but its elements do:
/// getitems with the same index share one. Plans and the live memory estimate are based on it.
class RegisterMap {
public:
    explicit RegisterMap(const Graph& graph);

    Register count() const { return static_cast<Register>(nodes_.size()); }
    /// kUnused for tuples and the output.
    Register of(const Node* node) const;
    /// The register of an element of a tuple; kUnused if nothing uses it.
    Register element(const Node* tuple, std::size_t index) const;
    /// The first node whose value it holds.
    const Node* node(Register r) const { return nodes_[registerIndex(r)]; }

    /// The calls that are executed, in order.
    const std::vector<const Node*>& steps() const { return steps_; }
    /// Whether a step or an output uses it.
    bool isUsed(Register r) const { return lastUse_[registerIndex(r)] != kNotUsed; }
    /// Whether this step uses it, and nothing afterwards.
    bool endsAt(Register r, std::size_t step) const { return lastUse_[registerIndex(r)] == step + 1; }
    /// Whether a step uses this operand for the last time, and only once: a result may then reuse its memory.
    bool mayOverwrite(const Node* operand, std::size_t step) const;
    /// The same for its first argument.
    bool mayOverwriteFirst(std::size_t step) const;

private:
    static constexpr std::size_t kNotUsed = 0, kReturned = static_cast<std::size_t>(-1);

    void assign(const Node& node);
    void findLastUses(const Graph& graph);

    std::vector<const Node*> nodes_;
    std::unordered_map<const Node*, Register> registers_;
    std::map<std::pair<const Node*, std::int64_t>, Register> elements_;
    std::vector<const Node*> steps_;
    std::vector<std::size_t> lastUse_;  ///< by register: 1 + the step
};

}  // namespace aotscope
