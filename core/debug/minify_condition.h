#pragma once

#include "compile/compiler.h"
#include "passes/pipeline.h"
#include "query/query.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// What a minified graph must continue to show. Alternatives, separated by |:
///
///     check fails     the graph's compiler returns different values than the interpreter
///     compile fails   the compiler rejects the graph, or fails when it runs
///     run fails       the interpreter fails
///     nan             an operation returns a NaN, and no input or literal is one; uninitialized memory
///                     does not count
///     op:exp, ...     an operation that matches a query, which may test values: "has_inf" or "absmax>1e4"
class MinifyCondition {
public:
    /// Throws Error; QueryError for a query.
    explicit MinifyCondition(const std::string& text);

    /// Whether the condition depends on the graph's compiler.
    bool usesCompiler() const { return checks_ || compiles_; }
    bool checks() const { return checks_; }
    /// Called if the compiled function returns what eager does: differences of the compiler, and a NaN on its own, are
    /// then not faults.
    void leaveOutChecks() { checks_ = nans_ = false; }

    struct Subject {
        const Graph& graph;
        GraphKind kind;
        const ConstantTable& constants;
        const std::vector<c10::IValue>& inputs;
    };
    /// What the graph shows, as a clause; nothing if no alternative holds. `compiler` may be null if the condition does
    /// not use it.
    std::optional<std::string> shownBy(const Subject& subject, const Compiler* compiler, const CompileRecord& record,
                                       const Options& options) const;

private:
    void add(const std::string& alternative);
    bool readsValues() const;
    std::optional<std::string> shownByValues(const Subject& subject, const CompileRecord& record,
                                             const std::unordered_map<NodeId, c10::IValue>& values) const;
    std::optional<std::string> shownByCompiler(const Subject& subject, const Compiler& compiler, std::size_t count,
                                               const Options& options) const;

    bool checks_ = false, compiles_ = false, runs_ = false, nans_ = false;
    std::vector<std::pair<std::string, Query>> queries_;
};

}  // namespace aotscope
