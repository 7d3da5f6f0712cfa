#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A row of a table, for display.
struct DecompositionEntry {
    std::string op;    ///< "aten.gelu_backward.default"
    std::string rule;  ///< "gelu_backward"
    std::string set;   ///< the named table that the rule comes from
};

/// A rule that a table may have for an operation. Only the engine knows all: see Engine::decompositionRules.
struct DecompositionRule {
    std::string op, rule;
    std::vector<std::string> sets;  ///< the named tables that contain it
};

/// Which operations are decomposed, and by which rule, whatever rules there are.
struct DecompositionTable {
    std::string name;                            ///< of a built-in table, or the path of a user's
    std::string base;                            ///< the built-in table that this one is based on, or itself
    std::map<std::string, std::string> choices;  ///< operators that are kept ("keep") or use the rule of another table

    /// "core-aten", "inductor", "prims", or the path of a user's table:
    ///
    ///     {"base": "core-aten", "ops": {"aten.silu": "keep", "aten.gelu.default": "inductor"}}
    ///
    /// uses the rules of `base` (default: none) except for the operations in `ops`, which are kept or use the rule of
    /// another named table; an operator without overload means all overloads. Null for "none". Throws Error if the
    /// table does not exist or is written differently.
    static std::shared_ptr<const DecompositionTable> load(const std::string& nameOrFile);
    static const std::vector<std::string>& names();  ///< of the built-in tables, "none" first

    /// What it takes of `rules`, which are all there are, sorted by operation. Choices that do not fit them change
    /// nothing.
    std::vector<DecompositionEntry> entries(const std::vector<DecompositionRule>& rules) const;
    /// Throws Error for a choice that does not fit `rules`.
    void requireFit(const std::vector<DecompositionRule>& rules) const;

    /// A user's table in the format of load(), based on `base`, that has of `rules` those `chosen`, at most one for
    /// each operation.
    static std::string text(const std::string& base, const std::vector<DecompositionEntry>& chosen,
                            const std::vector<DecompositionRule>& rules);

    bool operator==(const DecompositionTable&) const = default;
};

}  // namespace aotscope
