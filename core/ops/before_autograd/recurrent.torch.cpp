#include "ops/before_autograd/rules.h"
#include "ops/decompositions/decomposition_support.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mkldnn_rnn_layer.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace aotscope {

namespace {

using namespace rules;
using Tensors = std::vector<Tensor>;

/// For one layer in one direction.
struct Weights {
    Tensor input, hidden;
    MaybeTensor inputBias, hiddenBias, projection;
};

/// The state of a layer between steps: its output and, for an LSTM, the cell.
using State = Tensors;
/// The state after a step; `gates` is the contribution of the input to the gates.
using Cell = State (*)(const Tensor& gates, const State& state, const Weights& weights);

/// The common arguments of the calls.
struct Network {
    std::vector<Weights> weights;
    std::vector<State> start;
    std::int64_t layers;
    double dropout;
    bool train, bidirectional, batchFirst;
};

struct LayerResult {
    Tensor output;
    State state;
};

std::vector<Weights> weightsOf(const Tensors& params, bool biases, bool projections) {
    const std::size_t size = 2 + (biases ? 2 : 0) + (projections ? 1 : 0);
    std::vector<Weights> all;
    for (std::size_t i = 0; i + size <= params.size(); i += size) {
        Weights weights{params[i], params[i + 1], {}, {}, {}};
        if (biases) weights.inputBias = params[i + 2], weights.hiddenBias = params[i + 3];
        if (projections) weights.projection = params[i + size - 1];
        all.push_back(std::move(weights));
    }
    return all;
}

// --- Cells ---

State lstmCell(const Tensor& gates, const State& state, const Weights& weights) {
    const auto parts = plus(at::linear(state[0], weights.hidden, weights.hiddenBias), gates).chunk(4, 2);
    const Tensor in = at::sigmoid(parts[0]), forget = at::sigmoid(parts[1]), cell = at::tanh(parts[2]);
    const Tensor out = at::sigmoid(parts[3]);
    const Tensor kept = plus(times(forget, state[1]), times(in, cell));
    const Tensor result = times(out, at::tanh(kept));
    return {weights.projection ? at::linear(result, *weights.projection) : result, kept};
}

State gruCell(const Tensor& gates, const State& state, const Weights& weights) {
    const auto ofInput = gates.chunk(3, 1);
    const auto ofHidden = at::linear(state[0], weights.hidden, weights.hiddenBias).chunk(3, 2);
    const Tensor reset = at::sigmoid(plus(ofHidden[0], ofInput[0]));
    const Tensor update = at::sigmoid(plus(ofHidden[1], ofInput[1]));
    const Tensor fresh = at::tanh(plus(ofInput[2], times(ofHidden[2], reset)));
    return {plus(times(minus(state[0], fresh), update), fresh)};
}

template <Tensor (*nonlinearity)(const Tensor&)>
State rnnCell(const Tensor& gates, const State& state, const Weights& weights) {
    return {nonlinearity(plus(at::linear(state[0], weights.hidden, weights.hiddenBias), gates))};
}

// --- Layers ---

LayerResult stepByStep(Cell cell, const Tensor& input, const State& start, const Weights& weights, bool reverse) {
    Tensor gates = at::linear(input, weights.input, weights.inputBias);
    if (reverse) gates = gates.flip({0});
    State state;
    for (const Tensor& part : start) state.push_back(part.unsqueeze(0));
    Tensors outputs;
    for (const Tensor& step : gates.unbind(0)) {
        state = cell(step, state, weights);
        outputs.push_back(state[0]);
    }
    if (reverse) std::reverse(outputs.begin(), outputs.end());
    for (Tensor& part : state) part = part.squeeze(0);
    return {at::cat(outputs, 0), std::move(state)};
}

/// oneDNN's kernel for a whole LSTM layer, called as in its own decomposition: in training mode if gradients are
/// needed, which Python omits.
LayerResult lstmByOneDnn(const Tensor& input, const State& start, const Weights& weights, bool reverse, bool train) {
    constexpr std::int64_t lstm = 2;  // ideep::rnn_kind
    const bool biases = weights.inputBias.has_value();
    const auto none = [](const Tensor& weight) { return at::zeros(weight.sizes(), weight.options()); };
    const Tensor output = start[0].unsqueeze(0).contiguous(), cell = start[1].unsqueeze(0).contiguous();
    const auto [y, hy, cy, workspace] = at::mkldnn_rnn_layer(
        input.contiguous(), weights.input, weights.hidden, biases ? *weights.inputBias : none(weights.input),
        biases ? *weights.hiddenBias : none(weights.hidden), output, cell, reverse, {}, lstm, output.size(2), 1, biases,
        /*bidirectional=*/false, /*batch_first=*/false, train);
    return {y, {hy.squeeze(0), cy.squeeze(0)}};
}

/// The output of the last layer, and the final states of all.
template <typename Layer>
std::pair<Tensor, std::vector<State>> run(Tensor input, const Network& network, const Layer& layer) {
    if (network.batchFirst) input = input.transpose(0, 1);
    std::vector<State> finals;
    const std::size_t directions = network.bidirectional ? 2 : 1;
    for (std::int64_t i = 0; i < network.layers; ++i) {
        Tensors outputs;
        for (std::size_t direction = 0; direction < directions; ++direction) {
            const std::size_t at = static_cast<std::size_t>(i) * directions + direction;
            LayerResult result = layer(input, network.start[at], network.weights[at], direction == 1);
            outputs.push_back(result.output);
            finals.push_back(std::move(result.state));
        }
        input = network.bidirectional ? at::cat(outputs, outputs[0].dim() - 1) : outputs[0];
        // Python's own decomposition omits this, too.
        if (network.dropout != 0 && network.train && i < network.layers - 1)
            input = at::dropout(input, network.dropout, true);
    }
    return {network.batchFirst ? input.transpose(0, 1) : input, std::move(finals)};
}

Tensor stacked(const std::vector<State>& finals, std::size_t part) {
    Tensors parts;
    for (const State& state : finals) parts.push_back(state[part]);
    return at::stack(parts, 0);
}

/// Kernels report the error.
bool fits(const Tensor& input, const Network& network) {
    const std::size_t count = static_cast<std::size_t>(network.layers) * (network.bidirectional ? 2 : 1);
    return input.dim() == 3 && input.numel() > 0 && network.layers > 0 && network.weights.size() == count &&
           network.start.size() == count;
}

// --- Rules ---

template <Cell cell>
std::optional<std::tuple<Tensor, Tensor>> recurrent(const Tensor& input, const Tensor& start, const Tensors& params,
                                                    bool biases, std::int64_t layers, double dropout, bool train,
                                                    bool bidirectional, bool batchFirst) {
    Network network{weightsOf(params, biases, false), {}, layers, dropout, train, bidirectional, batchFirst};
    if (start.dim() != 3) return std::nullopt;
    for (const Tensor& layer : start.unbind(0)) network.start.push_back({layer});
    if (!fits(input, network)) return std::nullopt;
    const auto [output, finals] = run(input, network, [](const auto&... layer) { return stepByStep(cell, layer...); });
    return std::tuple(output, stacked(finals, 0));
}

/// Whether Python calls oneDNN's kernel. If the input requires grad, it is decomposed instead.
bool isForOneDnn(const Tensor& input, const Tensors& start, const Tensors& params) {
    if (!at::globalContext().userEnabledMkldnn() || input.requires_grad()) return false;
    if (start[0].size(2) != start[1].size(2)) return false;
    Tensors all = params;
    all.insert(all.end(), {input, start[0], start[1]});
    return std::all_of(all.begin(), all.end(), [](const Tensor& t) {
        return t.is_cpu() && (t.scalar_type() == at::kFloat || t.scalar_type() == at::kBFloat16);
    });
}

std::optional<std::tuple<Tensor, Tensor, Tensor>> lstm(const Tensor& input, const Tensors& start, const Tensors& params,
                                                       bool biases, std::int64_t layers, double dropout, bool train,
                                                       bool bidirectional, bool batchFirst) {
    if (start.size() != 2 || start[0].dim() != 3 || start[1].dim() != 3) return std::nullopt;
    const bool projections = start[0].size(2) != start[1].size(2);
    Network network{weightsOf(params, biases, projections), {}, layers, dropout, train, bidirectional, batchFirst};
    const auto outputs = start[0].unbind(0), cells = start[1].unbind(0);
    for (std::size_t i = 0; i < std::min(outputs.size(), cells.size()); ++i)
        network.start.push_back({outputs[i], cells[i]});
    if (!fits(input, network)) return std::nullopt;
    const auto result = [](const auto& ran) {
        return std::tuple(ran.first, stacked(ran.second, 0), stacked(ran.second, 1));
    };
    if (!isForOneDnn(input, start, params))
        return result(run(input, network, [](const auto&... layer) { return stepByStep(lstmCell, layer...); }));
    if (input.scalar_type() != at::kFloat) return std::nullopt;  // LibTorch knows whether this CPU supports it
    const bool gradients = at::GradMode::is_enabled() &&
                           std::any_of(params.begin(), params.end(), [](const Tensor& t) { return t.requires_grad(); });
    return result(
        run(input, network, [&](const auto&... layer) { return lstmByOneDnn(layer..., train || gradients); }));
}

}  // namespace

std::vector<BeforeAutogradRow> recurrentBeforeAutograd() {
    return {
        {"aten.gru.input", "gru", rule<recurrent<gruCell>>},
        {"aten.lstm.input", "lstm", rule<lstm>},
        {"aten.rnn_relu.input", "rnn", rule<recurrent<rnnCell<at::relu>>>},
        {"aten.rnn_tanh.input", "rnn", rule<recurrent<rnnCell<at::tanh>>>},
    };
}

}  // namespace aotscope
