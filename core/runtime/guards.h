#pragma once

#include "compile/compiler.h"
#include "record/compile_record.h"
#include "trace/data_dependent_values.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The conditions on input data under which a compiled function is valid, because the program read that data during
/// tracing. Each guard compares a value computed by the graph with its value for the example inputs.
class GuardSet {
public:
    /// The joint or the functional graph, and what was read during tracing. Throws Error if a value that the program
    /// reads depends on random numbers.
    GuardSet(const Graph& graph, const ConstantTable& constants, const std::vector<TracedReading>& readings,
             const Compiler& compiler);

    const std::vector<Guard>& list() const { return guards_; }

    /// The reason why `leaves` violate a guard; nothing if they satisfy all.
    std::optional<std::string> failed(const std::vector<c10::IValue>& leaves) const;

private:
    struct Expectation {
        std::size_t guard;  ///< index into guards_
        DataResult result;
    };

    std::vector<Guard> guards_;
    std::vector<Expectation> expectations_;  ///< one for each output of graph_
    std::shared_ptr<const CompiledGraph> graph_;
    bool draws_ = false;  ///< whether it draws random numbers
};

}  // namespace aotscope
