#include "trace/data_dependent_values.h"

#include "aten/convert.h"
#include "aten/copy_tensor.h"
#include "aten/dispatch_mode.h"
#include "aten/tensors.h"
#include "ops/before_autograd/rules.h"
#include "ops/trace_method.h"
#include "program/program.h"
#include "support/error.h"
#include "trace/fake_inputs.h"
#include "trace/first_step.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/nonzero.h>

#include <algorithm>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

/// A boolean mask selects as many elements as it has ones; integers select one each.
bool isMask(const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return false;
    const auto dtype = value.toTensor().scalar_type();
    return dtype == at::kBool || dtype == at::kByte;
}

bool hasMask(const c10::IValue& indices) {
    const auto list = indices.toListRef();
    return std::any_of(list.begin(), list.end(), isMask);
}

DataResult resultOf(const c10::IValue& value) {
    DataResult result;
    if (!value.isTensor()) {
        result.number = value;
        return result;
    }
    const at::Tensor& t = value.toTensor();
    result.isTensor = true;
    result.sizes = t.sizes().vec();
    result.strides = t.strides().vec();
    result.dtype = t.scalar_type();
    return result;
}

/// Runs every operation unchanged and records those that depend on data.
class ReadingCollector final : public DispatchHandler {
public:
    /// `assumed`: the device that the model is traced for, if it cannot run: the CPU replaces it.
    ReadingCollector(Dialect dialect, std::optional<c10::Device> assumed) : dialect_(dialect), assumed_(assumed) {}
    std::vector<DataReading> readings;
    std::size_t kernels = 0;

    void dispatch(const c10::OperatorHandle& op, Stack& stack) override {
        const auto& schema = op.schema();
        const auto count = schema.arguments().size();
        const auto args = torch::jit::last(stack, count);
        const bool reads = dependsOnData(op, args);
        const auto masks = masksOfWrite(op, args);
        if (reads || !masks.empty()) requireValues(op, args);
        const PlainKernelScope plain;
        if (assumed_) replaceAssumedDevice(schema, stack);
        noteMasks(masks);
        runPlainKernel(op, stack);
        ++kernels;
        if (!reads) return;
        DataReading reading{graphName(op.operator_name()), {}};
        for (const c10::IValue& result : torch::jit::last(stack, schema.returns().size())) {
            if (!result.isTensorList()) reading.results.push_back(resultOf(result));
            else
                for (const at::Tensor& tensor : result.toTensorVector()) reading.results.push_back(resultOf(tensor));
        }
        readings.push_back(std::move(reading));
    }

    bool intercept(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack& stack) override {
        if (runFirstStepApart(op, stack, dialect_, /*mayRead=*/true)) return true;
        const auto rule = findBeforeAutograd(op.operator_name(), dialect_);
        return rule && rule(stack);
    }

private:
    /// At other sizes than the example's, inputs have no values.
    static void requireValues(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
        if (std::ranges::any_of(args,
                                [](const c10::IValue& arg) { return arg.isTensor() && arg.toTensor().is_meta(); }))
            throw Error("the program reads data in " + graphName(op.operator_name()) +
                        ", which only the example inputs have");
    }

    void noteMasks(const std::vector<at::Tensor>& masks) {
        if (masks.empty()) return;
        DataReading reading{kMaskedWrite, {}};
        for (const at::Tensor& mask : masks) reading.results.push_back(resultOf(mask.nonzero()));
        readings.push_back(std::move(reading));
    }

    void replaceAssumedDevice(const c10::FunctionSchema& schema, Stack& stack) const {
        const std::size_t first = stack.size() - schema.arguments().size();
        for (std::size_t i = first; i < stack.size(); ++i)
            if (schema.arguments()[i - first].name() == "device" && stack[i].isDevice() &&
                stack[i].toDevice() == *assumed_)
                stack[i] = c10::Device(at::kCPU);
    }

    Dialect dialect_;
    std::optional<c10::Device> assumed_;
};

}  // namespace

bool dependsOnData(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    return op.operator_name().name == "aten::index" ? hasMask(args[1]) : dependsOnData(op);
}

std::vector<at::Tensor> masksOfWrite(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    const std::string& name = op.operator_name().name;
    if (name.find("index_put") == std::string::npos || !args[1].isList()) return {};
    std::vector<at::Tensor> masks;
    for (const c10::IValue& index : args[1].toListRef())
        if (isMask(index)) masks.push_back(index.toTensor());
    return masks;
}

const DataReading& DataDependentValues::reading(std::size_t index, const std::string& op) {
    if (!readings_) runTraceThread([this] { runEagerly(); });
    if (index >= readings_->size() || (*readings_)[index].op != op)
        throw Error("operation '" + op +
                    "' needs the values of a tensor that exists only while tracing (as in a backward); compute that "
                    "number outside the model or pass it as an int or float input");
    return (*readings_)[index];
}

const std::optional<c10::Device>& DataDependentValues::assumedDevice() const { return function_.assumedDevice(); }

void DataDependentValues::runEagerly() {
    std::vector<c10::IValue> leaves;
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    std::unordered_map<const c10::TensorImpl*, std::size_t> first;  // finds tensors that are passed twice
    for (const c10::IValue& leaf : function_.exampleValues()) {
        if (!isTensor(leaf)) {
            leaves.push_back(leaf);
            continue;
        }
        const auto [known, isNew] = first.emplace(leaf.toTensor().unsafeGetTensorImpl(), leaves.size());
        if (!isNew) {
            leaves.push_back(c10::IValue(leaves[known->second]));
            continue;
        }
        const at::Tensor copy = copyTensor(leaf.toTensor(), storages);
        if (copy.requires_grad() && !leaf.toTensor().is_leaf()) makeNonLeaf(copy);
        leaves.emplace_back(copy);
    }
    LocationSink location(function_.program().locations());
    ReadingCollector collector(dialect_, function_.assumedDevice());
    autocast_.apply();
    const DispatchScope dispatch(collector);
    const at::AutoGradMode grad(gradMode_);
    function_(leaves, &location);
    readings_ = std::move(collector.readings);
    kernels_ = collector.kernels;
}

}  // namespace aotscope
