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
Values dropout(Random& r) {
    const auto input = r.tensor(r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4), r.floating());
    return {input, r.oneOf({0.25, 0.5}), r.oneOf<c10::IValue>({c10::IValue(), true, false})};
}
Values dropoutBackward(Random& r) {
    const Sizes sizes = r.sizes(static_cast<std::size_t>(r.number(0, 4)), 0, 4);
    return {r.tensor(sizes, r.floating()), r.tensor(sizes, at::kBool), 2.0};
}
}  // namespace

Generators elementwiseGenerators() {
    return {
        {"aten::relu", {oneTensor}},
        {"aten::relu_", {oneTensor}},
        {"aten::where.self", {where}},
        {"aten::native_dropout", {dropout}},
        {"aten::native_dropout_backward", {dropoutBackward}},
    };
}

}  // namespace aotscope::test
