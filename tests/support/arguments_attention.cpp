#include "support/outcomes.h"
#include "support/rule_arguments.h"

namespace aotscope::test {

namespace {

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

at::Tensor f(Random& r, const Sizes& sizes) { return r.plain(sizes, at::kFloat); }

Values encoderLayer(Random& r) {
    const int64_t heads = r.number(1, 2), size = 4 * heads, inner = r.number(2, 6);
    return {f(r, {r.number(1, 3), r.number(1, 4), size}),
            size,
            heads,
            f(r, {3 * size, size}),
            f(r, {3 * size}),
            f(r, {size, size}),
            f(r, {size}),
            r.coin(),
            r.coin(),
            1e-5,
            f(r, {size}),
            f(r, {size}),
            f(r, {size}),
            f(r, {size}),
            f(r, {inner, size}),
            f(r, {inner}),
            f(r, {size, inner}),
            f(r, {size}),
            c10::IValue(),
            c10::IValue()};
}
Values multiHeadAttention(Random& r) {
    const int64_t heads = r.number(1, 2), size = 4 * heads;
    const at::Tensor query = f(r, {r.number(1, 3), r.number(1, 4), size});
    return {query,
            query,
            query,
            size,
            heads,
            f(r, {3 * size, size}),
            f(r, {3 * size}),
            f(r, {size, size}),
            f(r, {size}),
            c10::IValue(),
            r.coin(),
            r.coin(),
            c10::IValue()};
}
Values splitHeads(Random& r) {
    const int64_t heads = r.number(1, 2), size = 3 * heads * r.number(1, 4);
    return {f(r, {r.number(1, 3), r.number(1, 4), size}), f(r, {size}), heads};
}
Values maskedSoftmax(Random& r) {
    const Sizes sizes = r.sizes(4, 1, 4);
    return {r.tensor(sizes, r.floating()), r.plain(sizes, at::kBool), int64_t{3}, c10::IValue()};
}

/// One direction of one layer of an LSTM.
Values rnnLayer(Random& r) {
    const int64_t length = r.number(1, 4), batch = r.number(1, 3), in = r.number(1, 5), hidden = r.number(1, 6);
    return {f(r, {length, batch, in}),
            f(r, {4 * hidden, in}),
            f(r, {4 * hidden, hidden}),
            f(r, {4 * hidden}),
            f(r, {4 * hidden}),
            f(r, {batch, hidden}),
            f(r, {batch, hidden}),
            r.coin(),
            Sizes{},
            int64_t{2},
            hidden,
            int64_t{1},
            true,
            r.coin(),
            false,
            true};
}
Values rnnLayerBackward(Random& r) {
    const Values a = rnnLayer(r), forward = call("aten::mkldnn_rnn_layer", a);
    const auto like = [&](const c10::IValue& t) { return f(r, t.toTensor().sizes().vec()); };
    const Values tensors(a.begin(), a.begin() + 7);
    Values arguments = tensors;
    arguments.insert(arguments.end(), {forward[0], forward[1], forward[2], like(forward[0]), r.maybe(like(forward[1])),
                                       r.maybe(like(forward[2])), a[7], a[9], a[10], a[11], a[12], true, a[13], Sizes{},
                                       false, forward[3]});
    return arguments;
}

}  // namespace

Generators attentionGenerators() {
    return {
        {"aten::_scaled_dot_product_flash_attention_for_cpu", {attention}},
        {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", {attentionBackward}},
        {"aten::_safe_softmax", {safeSoftmax}},
        {"aten::_transformer_encoder_layer_fwd", {encoderLayer}},
        {"aten::_native_multi_head_attention", {multiHeadAttention}},
        {"aten::_transform_bias_rescale_qkv", {splitHeads}},
        {"aten::_masked_softmax", {maskedSoftmax}},
        {"aten::mkldnn_rnn_layer", {rnnLayer, nullptr, 3}},
        {"aten::mkldnn_rnn_layer_backward", {rnnLayerBackward}},
    };
}

}  // namespace aotscope::test
