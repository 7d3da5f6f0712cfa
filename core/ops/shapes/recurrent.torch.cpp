#include "ops/shapes/rule_results.h"

namespace aotscope {

namespace {

constexpr std::size_t kHidden = 5, kCell = 6;

at::Tensor contiguousLike(const at::Tensor& t) { return t.defined() ? contiguous(t.sizes(), t) : t; }

/// input, four weights, hidden state, cell state, reverse, batch_sizes, mode, hidden_size, num_layers, has_biases,
/// bidirectional, batch_first, train: output, both states, workspace. Only oneDNN knows the size of the workspace; as
/// in PyTorch, it counts as empty.
Results rnnLayer(const RuleCall& call) {
    const at::Tensor input = call.tensor(0);
    TORCH_CHECK(input.dim() == 3, "mkldnn_rnn_layer: expected an input of 3 dimensions, found sizes ", input.sizes());
    const at::Tensor workspace = contiguous({0}, input, at::kByte);
    return {contiguous({input.size(0), input.size(1), call.args[10].toInt()}, input),
            contiguousLike(call.tensor(kHidden)), contiguousLike(call.tensor(kCell)), workspace};
}

/// input, four weights, hidden state, cell state, ...: their gradients
Results rnnLayerBackward(const RuleCall& call) {
    Results results;
    for (std::size_t i = 0; i <= kCell; ++i) results.emplace_back(contiguousLike(call.tensor(i)));
    return results;
}

// CUDA kernels.

/// input_gates, hidden_gates, cx, ...: hy, cy, workspace
Results lstmCell(const RuleCall& call) {
    return {contiguousLike(call.tensor(2)), contiguousLike(call.tensor(2)), contiguousLike(call.tensor(0))};
}

/// grad_hy, grad_cy, cx, cy, workspace, has_bias: gradients of the gates, the cell state and the bias
Results lstmCellBackward(const RuleCall& call) {
    const at::Tensor gates = call.tensor(4);
    return {contiguousLike(gates), contiguousLike(call.tensor(2)),
            call.args[5].toBool() ? contiguous({gates.size(1)}, gates) : at::Tensor()};
}

/// input_gates, hidden_gates, hx, ...: hy, workspace of five values per element of the hidden state
Results gruCell(const RuleCall& call) {
    const at::Tensor state = call.tensor(2);
    return {contiguousLike(state), contiguous({state.size(0), state.size(1) * 5}, state)};
}

/// grad_hy, workspace, has_bias: gradients of both gates, the hidden state and both biases
Results gruCellBackward(const RuleCall& call) {
    const at::Tensor workspace = call.tensor(1);
    const int64_t gates = workspace.size(1) / 5 * 3;
    const at::Tensor ofGates = contiguous({workspace.size(0), gates}, workspace);
    const auto bias = [&] { return call.args[2].toBool() ? contiguous({gates}, workspace) : at::Tensor(); };
    return {ofGates, contiguousLike(ofGates), contiguousLike(call.tensor(0)), bias(), bias()};
}

}  // namespace

std::vector<ShapeRuleRow> recurrentRules() {
    return {
        {"aten::mkldnn_rnn_layer", rnnLayer},      {"aten::mkldnn_rnn_layer_backward", rnnLayerBackward},
        {"aten::_thnn_fused_lstm_cell", lstmCell}, {"aten::_thnn_fused_lstm_cell_backward_impl", lstmCellBackward},
        {"aten::_thnn_fused_gru_cell", gruCell},   {"aten::_thnn_fused_gru_cell_backward", gruCellBackward},
    };
}

}  // namespace aotscope
