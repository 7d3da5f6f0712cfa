#pragma once

#include "program/subgraph_function.h"

#include <ATen/core/ivalue.h>

#include <vector>

namespace aotscope {

/// Whether gradients pass through `tensor`: its dtype is real or complex.
bool isDifferentiable(const at::Tensor& tensor);

/// The joint graph of a subgraph, which recomputes what it needs of the forward: (primals, tangents) -> a gradient for
/// every primal, zeros if it has none. Differentiable results of the forward have tangents. The whole joint graph
/// returns the results of the forward before the gradients.
class JointFunction final : public SubgraphFunction {
public:
    /// The tangents follow `before` primals. `wanted`: the primals whose gradients are requested.
    enum class Returns : std::uint8_t { gradients, forwardAndGradients };
    JointFunction(c10::IValue forward, std::size_t before, std::vector<bool> wanted,
                  Returns returns = Returns::gradients)
        : forward_(std::move(forward)), before_(before), wanted_(std::move(wanted)), returns_(returns) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(forward_)->locations();
    }

    std::vector<at::Tensor> run(const std::vector<at::Tensor>& operands, LocationSink* sink) const override;

private:
    /// A gradient for every wanted primal, possibly undefined. `outputs`: the results of the forward.
    std::vector<at::Tensor> differentiate(const std::vector<at::Tensor>& primals,
                                          const std::vector<at::Tensor>& tangents, LocationSink* sink,
                                          std::vector<at::Tensor>& outputs) const;

    c10::IValue forward_;
    std::size_t before_;
    std::vector<bool> wanted_;
    Returns returns_;
};

}  // namespace aotscope
