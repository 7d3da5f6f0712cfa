#include "ops/rule_results.h"

namespace aotscope {

namespace {

constexpr std::size_t kHidden = 5, kCell = 6;

at::Tensor denseLike(const at::Tensor& t) { return t.defined() ? contiguous(t.sizes(), t) : t; }

/// input, four weights, hidden state, cell state, reverse, batch_sizes, mode, hidden_size, num_layers, has_biases,
/// bidirectional, batch_first, train: output, both states, workspace. How large the workspace is only oneDNN knows;
/// as in PyTorch it counts as empty.
Results rnnLayer(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.dim() == 3, "mkldnn_rnn_layer: expected an input of 3 dimensions, found sizes ", input.sizes());
    const at::Tensor workspace = contiguous({0}, input, at::kByte);
    return {contiguous({input.size(0), input.size(1), call.args[10].toInt()}, input), denseLike(call.tensor(kHidden)),
            denseLike(call.tensor(kCell)), workspace};
}

/// input, four weights, hidden state, cell state, ...: their gradients
Results rnnLayerBackward(const RuleCall& call) {
    Results results;
    for (std::size_t i = 0; i <= kCell; ++i) results.emplace_back(denseLike(call.tensor(i)));
    return results;
}

}  // namespace

std::vector<ShapeRuleRow> recurrentRules() {
    return {
        {"aten::mkldnn_rnn_layer", rnnLayer},
        {"aten::mkldnn_rnn_layer_backward", rnnLayerBackward},
    };
}

}  // namespace aotscope
