#include "verify/judge/random_rules.h"

#include "aten/convert.h"
#include "ops/before_autograd/rules.h"
#include "ops/op_table.h"
#include "program/higher_order.h"

#include <ATen/Context.h>
#include <ATen/ops/bernoulli.h>

#include <algorithm>

namespace aotscope {

namespace {

/// Whether one of them is for a random operation.
bool drawRandomly(const ChosenDecompositions& rules) {
    return std::ranges::any_of(decompositionRows(), [&](const DecompositionRow& row) {
        return (opTags(row.op) & kRandom) && rules.find(row.op);
    });
}

/// A recurrent layer on a GPU with dropout between its layers.
bool drawsInCudnn(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    const std::string& name = op.operator_name().name;
    if (name != "aten::lstm" && name != "aten::gru" && name != "aten::rnn_tanh" && name != "aten::rnn_relu")
        return false;
    const c10::FunctionSchema& schema = op.schema();
    const auto argument = [&](const char* which) -> const c10::IValue& {
        const auto index = static_cast<std::size_t>(schema.argumentIndexWithName(which).value());
        return stack[stack.size() - schema.arguments().size() + index];
    };
    const c10::IValue& input = stack[stack.size() - schema.arguments().size()];
    return input.isTensor() && input.toTensor().is_cuda() && argument("train").toBool() &&
           argument("dropout").toDouble() > 0;
}

/// The only one whose functional variant does not draw into a copy of its argument.
const c10::OperatorName kDrawInPlace("aten::bernoulli_", "float");

const c10::IValue& firstOf(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    return stack[stack.size() - op.schema().arguments().size()];
}

/// Runs operations without cuDNN.
class WithoutCudnn {
public:
    WithoutCudnn() { at::globalContext().setUserEnabledCuDNN(false); }
    ~WithoutCudnn() { at::globalContext().setUserEnabledCuDNN(enabled_); }
    WithoutCudnn(const WithoutCudnn&) = delete;
    WithoutCudnn& operator=(const WithoutCudnn&) = delete;

private:
    bool enabled_ = at::globalContext().userEnabledCuDNN();
};

/// Runs `op` if it draws random numbers into a non-contiguous tensor, in the order of its elements, like its functional
/// variant in graphs, rather than of its memory.
bool drawInOrder(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (op.operator_name() != kDrawInPlace) return false;
    const at::Tensor written = firstOf(op, stack).toTensor();
    if (written.is_contiguous()) return false;
    const PlainKernelScope plain;
    const auto generator = stack.back().toOptional<at::Generator>();
    const double p = (stack.end() - 2)->toDouble();
    written.copy_(at::bernoulli(written, p, generator));
    torch::jit::drop(stack, op.schema().arguments().size());
    stack.emplace_back(written);
    return true;
}

}  // namespace

RandomRulesHandler::RandomRulesHandler(const Options& options)
    : rules_(ChosenDecompositions::of(options.decompositions)), dialect_(options.dialect) {
    if (rules_ && !drawRandomly(*rules_)) rules_ = nullptr;
}

RandomRules::RandomRules(const Options& options, bool always) : handler_(options) {
    if (always || handler_.drawsByRules() || c10::Device(options.device).is_cuda()) scope_.emplace(handler_);
}

void RandomRulesHandler::dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const std::string name = rules_ ? graphName(op.operator_name()) : std::string();
    const DecompositionRow* row = rules_ && (opTags(name) & kRandom) ? rules_->find(name) : nullptr;
    if (row && row->run(stack)) return;
    if (drawInOrder(op, stack)) {
        reordered_ = true;
        return;
    }
    if (!findHigherOrder(op)) return runPlainKernel(op, stack);
    // Operations in its subgraphs arrive here, too.
    const AutocastOfCall autocast;
    op.callBoxedForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd, stack);
}

/// Dropout becomes the operation that graphs use instead, which has its own rules and order. cuDNN draws the numbers of
/// its recurrent layers itself; graphs, which decompose the layers, draw LibTorch's.
bool RandomRulesHandler::intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack) {
    if (drawsInCudnn(op, stack)) {
        const WithoutCudnn plain;
        op.redispatchBoxed(keys, &stack);
        return true;
    }
    if (op.operator_name().name != "aten::dropout") return false;
    const auto rule = findBeforeAutograd(op.operator_name(), dialect_);
    return rule && rule(stack);
}

}  // namespace aotscope
