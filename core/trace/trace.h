#pragma once

#include "ir/metadata.h"
#include "load/program.h"
#include "trace/fake_inputs.h"

#include <ATen/FunctionalStorageImpl.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// A graph made by running a function on fakes.
struct Trace {
    std::unique_ptr<Graph> graph;
    ConstantTable constants;
    std::map<std::string, int> fallbacks;  ///< operators that ran a real kernel for want of a shape rule
    std::vector<TracedReading> readings;   ///< where the program's course or its shapes follow from data
};

/// The view operations that lead from a base to an output, to be replayed at run time.
using ViewSequence = std::vector<std::shared_ptr<at::functionalization::ViewMeta>>;

/// Runs the program on fakes, functionalized, and learns what it does to its inputs and how its outputs alias.
struct MetadataTrace {
    FunctionMetadata metadata;
    std::vector<ViewSequence> outputViews;  ///< for every output; empty where views are not replayed
    Trace functional;                       ///< the forward without mutations: (mutated inputs, outputs)
    Structure outputStructure;
};
MetadataTrace traceMetadata(const FlatFunction& function, const FakeInputs& fakes, DataOracle& oracle, bool gradMode);

/// The program as written: operations below autograd, mutations in place. Consumes the fakes: their shapes may
/// have been changed in place afterwards.
Trace traceForward(const FlatFunction& function, FakeInputs fakes, DataOracle& oracle);

/// (primals, tangents) -> (mutated inputs, outputs, intermediate bases | gradients of the primals).
Trace traceJoint(const FlatFunction& function, const FakeInputs& fakes, DataOracle& oracle,
                 const FunctionMetadata& metadata);

}  // namespace aotscope
