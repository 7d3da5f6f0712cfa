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
    std::vector<std::string> sets;  ///< the named tables that contain it
};
/// For all operations, sorted by operation.
std::vector<DecompositionRule> allDecompositionRules();

/// Which operations are decomposed, and by which rule.
class DecompositionTable {
public:
    /// "core-aten", "inductor", "prims", or the path of a user's table:
    ///
    ///     {"base": "core-aten", "ops": {"aten.silu": "keep", "aten.gelu.default": "inductor"}}
    ///
    /// uses the rules of `base` (default: none) except for the operations in `ops`, which are kept or use the rule of
    /// another named table; an operator without overload means all overloads. Null for "none". Throws Error if the
    /// table does not exist.
    static std::shared_ptr<const DecompositionTable> load(const std::string& nameOrFile);
    static const std::vector<std::string>& names();  ///< of the built-in tables, "none" first

    const std::string& name() const { return name_; }
    /// The named table that this one is based on, or itself.
    const std::string& base() const { return base_; }
    std::vector<DecompositionEntry> entries() const;  ///< sorted by operation
    /// Null if the operation is not decomposed.
    const DecompositionRow* find(std::string_view op) const;

    /// A user's table in the format of load(), based on `base` with the rules `chosen`, at most one for each operation.
    static std::string text(const std::string& base, const std::vector<DecompositionEntry>& chosen);

private:
    static DecompositionTable builtIn(const std::string& name);
    static DecompositionTable fromFile(const std::string& path);
    /// Applies the entry of a user's table for one operator.
    void change(const std::string& op, const nlohmann::json& choice);

    std::string name_, base_;
    std::map<std::string, const DecompositionRow*, std::less<>> rows_;
    std::map<std::string, std::string, std::less<>> sets_;  ///< the tables of rows that are not from table `name_`
};

}  // namespace aotscope
