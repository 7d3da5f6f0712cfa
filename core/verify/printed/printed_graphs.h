#pragma once

#include "record/compile_record.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A graph of a sequence, as it runs on the inputs of the last one; or null, and the reason as a clause.
struct RunnablePass {
    std::shared_ptr<const Graph> graph;
    std::string whyNot;
};

/// The printed graphs in the form in which they run: on one device, with every result of an operation, and with the
/// roles that a run needs. Nodes keep their ids.
struct RunnableGraphs {
    std::vector<GraphKind> kinds;           ///< forward and backward, or one graph
    std::shared_ptr<const Graph> forward;   ///< or the only graph
    std::shared_ptr<const Graph> backward;  ///< null: there is only one graph
    /// The joint graph with which the others are compared, or the first of `passes`; may be null.
    std::shared_ptr<const Graph> reference;
    std::vector<RunnablePass> passes;  ///< for a sequence
    std::vector<bool> tangentMask;     ///< by result of the forward before the saved values
    std::vector<bool> differentiable;  ///< by input of the forward
};

/// Why the graphs of `record` cannot run: one sentence, or empty. Does not run anything.
std::string whyPrintedCannotRun(const CompileRecord& record);

/// Throws Error like whyPrintedCannotRun.
RunnableGraphs runnableGraphs(const CompileRecord& record, const std::string& device);

/// A joint graph as forward and backward, where every operation is computed once: in the backward if it depends on a
/// tangent. Throws Error if a result of the forward does.
struct SplitJoint {
    std::shared_ptr<const Graph> forward, backward;
};
SplitJoint splitByTangents(const Graph& joint);

}  // namespace aotscope
