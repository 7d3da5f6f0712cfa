#include "support/rule_arguments.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>

namespace aotscope::test {

namespace {

at::Tensor fill(const at::Tensor& t) {
    if (t.scalar_type() == at::kBool) return t.fill_(1);
    return at::isFloatingType(t.scalar_type()) ? t.uniform_(0.1, 1) : t.zero_();
}

}  // namespace

at::Tensor Random::tensor(const Sizes& sizes, at::ScalarType type) {
    const auto options = at::TensorOptions().dtype(type);
    const auto rank = static_cast<int64_t>(sizes.size());
    at::Tensor t;
    switch (number(0, 4)) {
        case 0:
            if (rank != 4 && rank != 5) return plain(sizes, type);
            t = at::empty(sizes, options.memory_format(rank == 4 ? at::MemoryFormat::ChannelsLast
                                                                 : at::MemoryFormat::ChannelsLast3d));
            break;
        case 1: {
            if (rank < 2) return plain(sizes, type);
            Sizes swapped = sizes;
            const int64_t a = number(0, rank - 1), b = number(0, rank - 1);
            std::swap(swapped[static_cast<std::size_t>(a)], swapped[static_cast<std::size_t>(b)]);
            t = at::empty(swapped, options).transpose(a, b);
            break;
        }
        case 2: {
            if (rank < 1) return plain(sizes, type);
            Sizes wider = sizes;
            const int64_t d = number(0, rank - 1);
            wider[static_cast<std::size_t>(d)] = 2 * wider[static_cast<std::size_t>(d)] + 1;
            t = at::empty(wider, options).slice(d, 1, std::nullopt, 2);
            break;
        }
        default: return plain(sizes, type);
    }
    return fill(t);
}

at::Tensor Random::plain(const Sizes& sizes, at::ScalarType type) { return fill(at::empty(sizes, type)); }

Values call(const std::string& name, Values arguments) {
    const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
    const auto dot = name.find('.');
    const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(
        name.substr(0, dot).c_str(), dot == std::string::npos ? "" : name.substr(dot + 1).c_str());
    op.callBoxed(arguments);
    return arguments;
}

namespace {

Values convolution(Random& r) {
    const auto spatial = static_cast<std::size_t>(r.number(1, 3));
    const int64_t groups = r.oneOf<int64_t>({1, 1, 2}), in = groups * r.number(1, 3), out = groups * r.number(1, 3);
    const bool transposed = r.number(0, 3) == 0;
    const auto type = r.floating();
    Sizes input = {r.number(1, 3), in}, weight = transposed ? Sizes{in, out / groups} : Sizes{out, in / groups};
    for (std::size_t i = 0; i < spatial; ++i) {
        input.push_back(r.number(5, 9));
        weight.push_back(r.number(1, 3));
    }
    const Sizes stride = r.sizes(spatial, 1, 2), padding = r.sizes(spatial, 0, 1), dilation = r.sizes(spatial, 1, 2);
    const Sizes outputPadding(spatial, 0);
    return {r.tensor(input, type),
            r.tensor(weight, type),
            r.maybe(r.plain({out}, type)),
            stride,
            padding,
            dilation,
            transposed,
            outputPadding,
            groups};
}

Values convolutionWithSwitches(Random& r) {
    Values arguments = convolution(r);
    for (int i = 0; i < 4; ++i) arguments.emplace_back(false);
    return arguments;
}

Values convolutionBackward(Random& r) {
    Values arguments = convolution(r);
    const at::Tensor output = call("aten::convolution", arguments).at(0).toTensor();
    arguments.insert(arguments.begin(), r.tensor(output.sizes().vec(), output.scalar_type()));
    arguments[3] = r.coin() ? c10::IValue(Sizes{output.size(1)}) : c10::IValue();
    // The bias' gradient is asked for only where there is a bias.
    arguments.emplace_back(c10::List<bool>({r.coin(), r.coin(), !arguments[3].isNone()}));
    return arguments;
}

template <int rank>
Values adaptivePool(Random& r) {
    Sizes input = r.sizes(static_cast<std::size_t>(rank) + (r.coin() ? 2 : 1), 2, 6);
    return {r.tensor(input, r.oneOf({at::kFloat, at::kDouble})), r.sizes(rank, 1, 4)};
}

template <int rank>
Values adaptivePoolBackward(Random& r) {
    Values forward = adaptivePool<rank>(r);
    const char* name = rank == 2 ? "aten::_adaptive_avg_pool2d" : "aten::_adaptive_avg_pool3d";
    const at::Tensor output = call(name, forward).at(0).toTensor();
    return {r.tensor(output.sizes().vec(), output.scalar_type()), forward[0]};
}

struct Normalized {
    at::Tensor input;
    c10::IValue weight, bias;
    at::Tensor mean, var;
};

Normalized batchNormTensors(Random& r) {
    const auto type = r.floating();
    // Half precision may keep its parameters in single precision.
    const auto parameters = type == at::kBFloat16 && r.coin() ? at::kFloat : type;
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(2, 5)), 2, 5);
    const Sizes channels = {sizes[1]};
    Normalized n{r.tensor(sizes, type), {}, {}, r.plain(channels, parameters), r.plain(channels, parameters)};
    if (r.coin()) {
        n.weight = r.plain(channels, parameters);
        n.bias = r.plain(channels, parameters);
    } else if (parameters != type) {
        n.mean = n.mean.to(type);
        n.var = n.var.to(type);
    }
    return n;
}

Values batchNorm(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, n.mean, n.var, r.coin(), 0.1, 1e-5};
}
Values batchNormInference(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, n.mean, n.var, 0.1, 1e-5};
}
Values batchNormWithoutStatistics(Random& r) {
    const auto n = batchNormTensors(r);
    return {n.input, n.weight, n.bias, true, 0.1, 1e-5};
}
Values batchNormBackward(Random& r) {
    const auto n = batchNormTensors(r);
    const bool train = r.coin();
    const Values forward =
        call("aten::native_batch_norm", {n.input, n.weight, n.bias, n.mean, n.var, train, 0.1, 1e-5});
    const bool affine = n.weight.isTensor();
    return {r.tensor(n.input.sizes().vec(), n.input.scalar_type()),
            n.input,
            n.weight,
            n.mean,
            n.var,
            forward[1],
            forward[2],
            train,
            1e-5,
            c10::List<bool>({r.coin(), affine && r.coin(), affine && r.coin()})};
}

Values layerNorm(Random& r) {
    const auto type = r.floating();
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 5);
    const Sizes normalized(sizes.end() - r.number(1, static_cast<int64_t>(sizes.size())), sizes.end());
    const auto parameters = type == at::kBFloat16 && r.coin() ? at::kFloat : type;
    const bool affine = r.coin();
    return {r.tensor(sizes, type), normalized, affine ? c10::IValue(r.plain(normalized, parameters)) : c10::IValue(),
            affine ? c10::IValue(r.plain(normalized, parameters)) : c10::IValue(), 1e-5};
}
Values layerNormBackward(Random& r) {
    const Values arguments = layerNorm(r);
    const Values forward = call("aten::native_layer_norm", arguments);
    const at::Tensor input = arguments[0].toTensor();
    const bool affine = arguments[2].isTensor();
    return {r.tensor(input.sizes().vec(), input.scalar_type()),
            input,
            arguments[1],
            forward[1],
            forward[2],
            arguments[2],
            arguments[3],
            c10::List<bool>({r.coin(), affine && r.coin(), affine && r.coin()})};
}

/// (B, H, S, D), in memory like that or as (B, S, H, D).
at::Tensor heads(Random& r, const Sizes& s, at::ScalarType type) {
    return r.coin() ? r.plain(s, type) : r.plain({s[0], s[2], s[1], s[3]}, type).transpose(1, 2);
}
Values attention(Random& r) {
    const auto type = r.oneOf({at::kFloat, at::kDouble, at::kBFloat16});
    const int64_t batch = r.number(1, 3), count = r.number(1, 3), size = r.oneOf<int64_t>({4, 8});
    const Sizes query = {batch, count, r.number(1, 6), size}, key = {batch, count, r.number(1, 6), size};
    return {heads(r, query, type),          heads(r, key, type), heads(r, key, type), 0.0,
            query[2] == key[2] && r.coin(), c10::IValue(),       c10::IValue()};
}
Values attentionBackward(Random& r) {
    const Values a = attention(r);
    const Values forward = call("aten::_scaled_dot_product_flash_attention_for_cpu", a);
    const at::Tensor output = forward[0].toTensor();
    return {heads(r, output.sizes().vec(), output.scalar_type()),
            a[0],
            a[1],
            a[2],
            forward[0],
            forward[1],
            0.0,
            a[4],
            c10::IValue(),
            c10::IValue()};
}
Values safeSoftmax(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 5);
    return {r.tensor(sizes, r.floating()), r.number(0, static_cast<int64_t>(sizes.size()) - 1),
            r.coin() ? c10::IValue() : c10::IValue(at::kDouble)};
}

Values oneTensor(Random& r) {
    return {r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4),
                     r.oneOf({at::kFloat, at::kDouble, at::kHalf, at::kLong}))};
}
Values where(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 4)), 1, 4);
    // Each operand is broadcast from some of the dimensions.
    const auto part = [&] {
        Sizes own = sizes;
        for (auto& size : own)
            if (r.number(0, 3) == 0) size = 1;
        return own;
    };
    const auto type = [&] { return r.oneOf({at::kFloat, at::kFloat, at::kDouble, at::kLong, at::kBool}); };
    return {r.tensor(part(), at::kBool), r.tensor(part(), type()), r.tensor(part(), type())};
}
Values dropout(Random& r) {
    const auto input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4), r.floating());
    return {input, r.oneOf({0.25, 0.5}), r.oneOf<c10::IValue>({c10::IValue(), true, false})};
}
Values dropoutBackward(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4);
    return {r.tensor(sizes, r.floating()), r.tensor(sizes, at::kBool), 2.0};
}
Values embedding(Random& r) {
    return {r.tensor(r.sizes(2, 1, 5), r.floating()),
            r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 3)), 0, 4), r.oneOf({at::kLong, at::kInt})),
            int64_t{-1}, false, false};
}
Values embeddingBackward(Random& r) {
    Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 3)), 0, 4);
    const at::Tensor indices = r.tensor(sizes, r.oneOf({at::kLong, at::kInt}));
    sizes.push_back(r.number(1, 5));
    return {r.tensor(sizes, r.floating()), indices, r.number(1, 6), int64_t{-1}, r.coin()};
}

}  // namespace

const std::map<std::string, Generator>& generators() {
    static const std::map<std::string, Generator> all = {
        {"aten::convolution", {convolution}},
        {"aten::_convolution", {convolutionWithSwitches}},
        {"aten::convolution_overrideable", {convolution, "aten::convolution"}},
        {"aten::convolution_backward", {convolutionBackward}},
        {"aten::_adaptive_avg_pool2d", {adaptivePool<2>}},
        {"aten::_adaptive_avg_pool3d", {adaptivePool<3>}},
        {"aten::_adaptive_avg_pool2d_backward", {adaptivePoolBackward<2>}},
        {"aten::_adaptive_avg_pool3d_backward", {adaptivePoolBackward<3>}},
        {"aten::native_batch_norm", {batchNorm}},
        {"aten::_native_batch_norm_legit", {batchNorm}},
        {"aten::_native_batch_norm_legit.no_stats", {batchNormWithoutStatistics}},
        {"aten::_native_batch_norm_legit_functional", {batchNorm}},
        {"aten::_native_batch_norm_legit_no_training", {batchNormInference}},
        {"aten::native_batch_norm_backward", {batchNormBackward}},
        {"aten::native_layer_norm", {layerNorm}},
        {"aten::native_layer_norm_backward", {layerNormBackward}},
        {"aten::_scaled_dot_product_flash_attention_for_cpu", {attention}},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", {attentionBackward}},
        {"aten::_safe_softmax", {safeSoftmax}},
        {"aten::relu", {oneTensor}},
        {"aten::relu_", {oneTensor}},
        {"aten::where.self", {where}},
        {"aten::native_dropout", {dropout}},
        {"aten::native_dropout_backward", {dropoutBackward}},
        {"aten::embedding", {embedding}},
        {"aten::embedding_dense_backward", {embeddingBackward}},
    };
    return all;
}

}  // namespace aotscope::test
