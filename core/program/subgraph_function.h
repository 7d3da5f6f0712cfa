#pragma once

#include "ir/node_attributes.h"
#include "program/location_sink.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <vector>

namespace aotscope {

/// The function that a higher-order operator runs, which takes everything it reads as a tensor operand. It calls
/// operators through the dispatcher, so that it can be traced and differentiated like the rest of its program.
/// Thread-safe.
class SubgraphFunction : public torch::CustomClassHolder {
public:
    /// `sink` may be null.
    virtual std::vector<at::Tensor> run(const std::vector<at::Tensor>& operands, LocationSink* sink) const = 0;

    /// The locations that the sink's indices refer to.
    virtual const std::vector<std::shared_ptr<const SourceInfo>>& locations() const = 0;
};

/// As an argument of an operator; the dispatcher passes it through.
c10::IValue toIValue(c10::intrusive_ptr<SubgraphFunction> function);
/// Null if `value` is anything else.
c10::intrusive_ptr<const SubgraphFunction> subgraphFunction(const c10::IValue& value);

/// Runs `function`, and copies results that share memory with an operand: higher-order operators do not return views.
std::vector<at::Tensor> runStep(const SubgraphFunction& function, const std::vector<at::Tensor>& operands,
                                LocationSink* sink);

}  // namespace aotscope
