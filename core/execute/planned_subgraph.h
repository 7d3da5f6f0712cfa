#pragma once

#include "execute/plan.h"

namespace aotscope {

/// A subgraph as the argument of the operator that runs it, planned by the rules of the whole graph, whose `constants`
/// these are.
c10::IValue planSubgraph(const Graph& subgraph, const ConstantTable& constants, const PlanRules& rules = {});

/// Which inputs of a subgraph are numbers; in a model, those without a tensor type are.
std::vector<bool> numberInputs(const Graph& subgraph, bool asModel);

/// Calls `op` with the arguments before the last `numbers`, which are passed to its subgraphs. The results at `places`
/// are numbers that are returned as tensors. Null if there are neither: the operator suffices.
std::shared_ptr<const StepKernel> kernelOfSubgraphs(const c10::OperatorHandle& op, std::size_t numbers,
                                                    std::vector<std::size_t> places);

}  // namespace aotscope
