#include "support/outcomes.h"
#include "support/rule_arguments.h"

namespace aotscope::test {

namespace {

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
/// A condition that is true.
at::Tensor truth(Random& r) {
    return r.plain(Sizes(static_cast<std::size_t>(r.number(0, 2)), 1), r.oneOf({at::kBool, at::kFloat, at::kLong}))
        .fill_(1);
}
Values assertion(Random& r) { return {truth(r)}; }
Values assertionWithMessage(Random& r) { return {truth(r), "it holds"}; }
Values functionalAssertion(Random& r) {
    return {truth(r), "it holds", r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 3)), 0, 4), r.floating())};
}
Values dropout(Random& r) {
    const auto input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4), r.floating());
    return {input, r.oneOf({0.25, 0.5}), r.oneOf<c10::IValue>({c10::IValue(), true, false})};
}
Values dropoutBackward(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4);
    return {r.tensor(sizes, r.floating()), r.tensor(sizes, at::kBool), 2.0};
}
/// Three lists of tensors and a number for each.
Values forEachTernary(Random& r) {
    Values arguments;
    const auto type = r.floating();
    const int64_t count = r.number(1, 3);
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4);
    for (int list = 0; list < 3; ++list) {
        c10::List<at::Tensor> tensors;
        for (int64_t i = 0; i < count; ++i) tensors.push_back(r.tensor(sizes, type));
        arguments.emplace_back(tensors);
    }
    arguments.emplace_back(r.plain({count}, at::kFloat));
    return arguments;
}
/// Without a dtype: for a wider one than the tensors have, LibTorch's kernel writes behind its result.
Values forEachPowerSum(Random& r) {
    c10::List<at::Tensor> tensors;
    const auto type = r.floating();
    for (int64_t i = 0, count = r.number(1, 3); i < count; ++i)
        tensors.push_back(r.tensor(r.sizes(static_cast<std::size_t>(r.number(1, 4)), 1, 4), type));
    return {tensors, r.number(1, 2), c10::IValue()};
}

}  // namespace

Generators elementwiseGenerators() {
    return {
        {"aten::relu", {oneTensor}},
        {"aten::relu_", {oneTensor}},
        {"aten::where.self", {where}},
        {"aten::_assert_async", {assertion}},
        {"aten::_assert_async.msg", {assertionWithMessage}},
        {"aten::_functional_assert_async.msg", {functionalAssertion}},
        {"aten::native_dropout", {dropout}},
        {"aten::native_dropout_backward", {dropoutBackward}},
        {"aten::_foreach_addcmul.Tensor", {forEachTernary}},
        {"aten::_foreach_addcdiv.Tensor", {forEachTernary}},
        {"aten::_foreach_addcmul_.Tensor", {forEachTernary}},
        {"aten::_foreach_addcdiv_.Tensor", {forEachTernary}},
        {"aten::_foreach_powsum.Scalar", {forEachPowerSum}},
    };
}

}  // namespace aotscope::test
