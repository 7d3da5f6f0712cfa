#include "support/random_graph.h"

#include "aten/convert.h"
#include "support/operation_graph.h"

#include <ATen/Functions.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace aotscope::test {

namespace {

/// Whether the last bits of its first operand determine the result of the operation: `sin` of a half near 60, sums of
/// values that cancel. Kernels that round elsewhere may differ there.
bool isSensitive(const c10::OperatorHandle& op, Values stack, const at::Tensor& result) {
    const at::Tensor x = stack.at(0).toTensor();
    if (!x.is_floating_point()) return false;
    const at::Tensor signs = at::arange(x.numel(), at::kDouble).remainder(2).mul(2).sub(1).reshape(x.sizes());
    stack[0] = at::mul(x, signs.mul(x.scalar_type() == at::kHalf ? 2e-3 : 2e-6).add(1).to(x.scalar_type()));
    op.callBoxed(stack);
    const at::Tensor moved = stack.at(0).toTensor();
    return !at::allclose(moved.to(at::kDouble), result.to(at::kDouble), 5e-3, 5e-3, /*equal_nan=*/true);
}

class Drawing {
public:
    explicit Drawing(unsigned seed) : r_(seed) { at::manual_seed(seed); }

    RandomGraph run() {
        for (std::int64_t i = r_.number(2, 5); i > 0; --i) addInput();
        for (std::int64_t i = r_.number(4, 24); i > 0; --i) addOperation();
        std::vector<Argument> outputs = {values_.back().first};
        for (const auto& [node, value] : values_)
            if (node != values_.back().first && node->kind() == NodeKind::call && r_.number(0, 3) == 0)
                outputs.emplace_back(node);
        std::vector<OutputSlot> slots(outputs.size());
        graph_->setOutput(std::move(outputs), std::move(slots));
        return {std::move(graph_), std::move(inputs_)};
    }

private:
    void addInput() {
        Sizes sizes = sizes_;
        for (auto& size : sizes)
            if (r_.number(0, 4) == 0) size = 1;
        sizes.erase(sizes.begin(), sizes.begin() + r_.oneOf<std::int64_t>({0, 0, 0, 1, 2}));
        at::Tensor tensor = r_.tensor(
            sizes, r_.oneOf({at::kFloat, at::kFloat, at::kFloat, at::kDouble, at::kHalf, at::kInt, at::kBool}));
        if (at::has_internal_overlap(tensor) == at::MemOverlap::Yes) tensor = tensor.clone();  // to be filled
        fillAtRandom(tensor, false);
        inputs_.emplace_back(tensor);
        values_.emplace_back(graph_->addPlaceholder("x", ValueType{typeOf(tensor)}), tensor);
    }

    std::pair<Node*, at::Tensor> any() {
        const auto last = static_cast<std::int64_t>(values_.size()) - 1;
        return values_[static_cast<std::size_t>(r_.coin() ? r_.number(0, last)
                                                          : r_.number(std::max<std::int64_t>(0, last - 4), last))];
    }

    /// Operations that LibTorch refuses are left out, and those that amplify a last bit.
    void call(const char* op, const std::vector<Argument>& args, Values stack) {
        const c10::OperatorName name = operatorName(op);
        const auto handle =
            c10::Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
        for (std::size_t i = stack.size(); i < handle.schema().arguments().size(); ++i)
            stack.push_back(handle.schema().arguments()[i].default_value().value_or(c10::IValue()));
        const Values operands = stack;
        try {
            handle.callBoxed(stack);
        } catch (const std::exception&) {
            return;
        }
        const at::Tensor result = stack.at(0).toTensor();
        if (result.numel() > 4096 || isSensitive(handle, operands, result)) return;
        values_.emplace_back(graph_->addCall(op, args, {}, ValueType{typeOf(result)}), result);
    }

    void addOperation() {
        const auto [a, x] = any();
        const auto [b, y] = any();
        switch (r_.number(0, 11)) {
            case 0:
            case 1:
            case 2:
                return call(
                    r_.oneOf({"aten.sin.default", "aten.tanh.default", "aten.sigmoid.default", "aten.relu.default",
                              "aten.neg.default", "aten.gelu.default", "aten.abs.default"}),
                    {a}, {x});
            case 3:
            case 4:
            case 5:
                return call(r_.oneOf({"aten.add.Tensor", "aten.mul.Tensor", "aten.sub.Tensor", "aten.maximum.default",
                                      "aten.gt.Tensor", "aten.sigmoid_backward.default"}),
                            {a, b}, {x, y});
            case 6: {
                const auto [c, z] = any();
                return call("aten.where.self", {c, a, b}, {z, x, y});
            }
            case 7:
            case 8: {
                const std::int64_t dim = r_.number(-x.dim(), std::max<std::int64_t>(x.dim() - 1, 0));
                const bool keeps = r_.coin();
                return call(r_.oneOf({"aten.sum.dim_IntList", "aten.mean.dim", "aten.amax.default"}),
                            {a, Argument::List{dim}, keeps}, {x, std::vector<std::int64_t>{dim}, keeps});
            }
            case 9: {
                const std::int64_t dim = r_.number(-x.dim(), std::max<std::int64_t>(x.dim() - 1, 0));
                return call("aten._softmax.default", {a, dim, false}, {x, dim, false});
            }
            case 10: {
                const std::int64_t dim = r_.number(0, x.dim());
                return call(r_.oneOf({"aten.unsqueeze.default", "aten.cumsum.default", "aten.squeeze.dim"}), {a, dim},
                            {x, dim});
            }
            default: {
                Argument::List sizes;
                for (const std::int64_t size : sizes_) sizes.emplace_back(size);
                return call("aten.expand.default", {a, sizes}, {x, sizes_});
            }
        }
    }

    Random r_;
    Sizes sizes_ = r_.sizes(3, 2, 5);
    std::unique_ptr<Graph> graph_ = std::make_unique<Graph>("g");
    std::vector<std::pair<Node*, at::Tensor>> values_;
    Values inputs_;
};

}  // namespace

RandomGraph randomGraph(unsigned seed) { return Drawing(seed).run(); }

}  // namespace aotscope::test
