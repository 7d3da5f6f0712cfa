#pragma once

#include "trace/trace.h"

#include <memory>
#include <string>

namespace aotscope {

/// The graphs of one trace that contain sizes.
struct TracedProgram {
    std::shared_ptr<const Graph> preFunctionalization, functional;
    std::shared_ptr<const Graph> joint;        ///< or the decomposed inference graph; null if `functional` is compiled
    ConstantTable constants;                   ///< of the graph to be compiled
    FunctionMetadata metadata, graphMetadata;  ///< of the arguments; of the graph's inputs
};

/// The first place where a program traced at other sizes differs except for numbers; empty if there is none.
std::string differenceOf(const TracedProgram& example, const TracedProgram& other);

/// Numbers that are computed during tracing and depend on sizes can be computed by the graph instead.
bool isSizeNumber(const at::Tensor& constant);

/// A program traced at some sizes: at first only as written, which takes a fraction of the time.
class SizedTrace {
public:
    /// Traces the program as written. `options` must outlive this.
    SizedTrace(FlatFunction function, const TraceOptions& options);

    const std::shared_ptr<const Graph>& asWritten() const { return asWritten_; }
    /// Traces the rest; once.
    TracedProgram complete();

private:
    FlatFunction function_;
    const TraceOptions& options_;
    DataDependentValues dataValues_;  ///< of function_
    ForwardTrace forward_;
    std::shared_ptr<const Graph> asWritten_;
};

}  // namespace aotscope
