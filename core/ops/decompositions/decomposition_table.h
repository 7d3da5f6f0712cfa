#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

struct DecompositionRow;

/// A row of a table, for display.
struct DecompositionEntry {
    std::string op;    ///< "aten.gelu_backward.default"
    std::string rule;  ///< "gelu_backward"
    std::string set;   ///< the named table that the rule comes from
};

/// A rule that a table may have for an operation.
struct DecompositionRule {
    std::string op, rule;
    std::vector<std::string> sets;  ///< the named tables that have it
};
/// Of all operations, sorted by them.
std::vector<DecompositionRule> allDecompositionRules();

/// Which operations are decomposed, and by which rule.
class DecompositionTable {
public:
    /// "core-aten", "inductor", "prims", or the path of a user's table:
    ///
    ///     {"base": "core-aten", "ops": {"aten.silu": "keep", "aten.gelu.default": "inductor"}}
    ///
    /// takes the rules of `base` (default: none) except for the operations under `ops`, which are kept or take their
    /// rule from another named table; an operator without its overload means all of them. Null for "none". Throws
    /// Error if there is no such table.
    static std::shared_ptr<const DecompositionTable> load(const std::string& nameOrFile);
    static const std::vector<std::string>& names();  ///< of the built-in ones, "none" first

    const std::string& name() const { return name_; }
    /// The named table that this one starts from; of a named one, itself.
    const std::string& base() const { return base_; }
    std::vector<DecompositionEntry> entries() const;  ///< sorted by operation
    /// Null: the operation is not decomposed.
    const DecompositionRow* find(std::string_view op) const;

    /// A user's table, as load() takes it, that starts from `base` and has the rules `chosen`, at most one for each
    /// operation.
    static std::string text(const std::string& base, const std::vector<DecompositionEntry>& chosen);

private:
    static DecompositionTable builtIn(const std::string& name);
    static DecompositionTable fromFile(const std::string& path);
    /// The entry of a user's table for one operator.
    void change(const std::string& op, const nlohmann::json& choice);

    std::string name_, base_;
    std::map<std::string, const DecompositionRow*, std::less<>> rows_;
    std::map<std::string, std::string, std::less<>> sets_;  ///< where rows come from, if not from table `name_`
};

}  // namespace aotscope
