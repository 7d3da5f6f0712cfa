#pragma once

#include "record/compile_record.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A graph of a sequence, as it runs on the inputs of the last one; null, and a clause: why it does not.
struct RunnablePass {
    std::shared_ptr<const Graph> graph;
    std::string whyNot;
};

/// The printed graphs as they run: on one device, with every result that an operation has, and with the roles that a
/// run needs. Nodes keep their ids.
struct RunnableGraphs {
    std::vector<GraphKind> kinds;           ///< forward and backward, or one graph
    std::shared_ptr<const Graph> forward;   ///< or the only graph
    std::shared_ptr<const Graph> backward;  ///< null: there is one graph
    /// The joint graph that the halves are compared with, or the first of `passes`; may be null.
    std::shared_ptr<const Graph> reference;
    std::vector<RunnablePass> passes;  ///< of a sequence
    std::vector<bool> tangentMask;     ///< of the forward's results before the saved values
    std::vector<bool> differentiable;  ///< of the forward's inputs
};

/// Why the graphs of `record` cannot run: one sentence; empty: they can. Runs nothing.
std::string whyPrintedCannotRun(const CompileRecord& record);

/// Throws Error as whyPrintedCannotRun says.
RunnableGraphs runnableGraphs(const CompileRecord& record, const std::string& device);

/// A joint graph as forward and backward in which every operation is computed once: in the backward, if it depends on a
/// tangent. Throws Error if a result of the forward does.
struct SplitJoint {
    std::shared_ptr<const Graph> forward, backward;
};
SplitJoint splitByTangents(const Graph& joint);

}  // namespace aotscope
