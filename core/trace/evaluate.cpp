#include "trace/evaluate.h"

#include "ops/shape_rules.h"
#include "support/error.h"
#include "trace/dispatch_mode.h"
#include "trace/fake_tensor.h"

#include <ATen/ops/empty_strided.h>

#include <optional>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

at::Tensor metaOf(const at::Tensor& tensor) {
    if (!tensor.defined() || tensor.is_meta()) return tensor;
    if (auto* fake = asFake(tensor)) return fake->meta();
    at::Tensor meta = emptyMeta(tensor.sizes(), tensor.strides(), tensor.scalar_type());
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) meta.unsafeGetTensorImpl()->set_wrapped_number(true);
    return meta;
}

/// Applies `map` to every tensor of `value`, lists included.
template <typename Map>
c10::IValue mapTensors(const c10::IValue& value, Map&& map) {
    if (value.isTensor()) return map(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> mapped;
        for (const at::Tensor& t : value.toTensorVector()) mapped.push_back(map(t));
        return mapped;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> mapped;
        for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
            mapped.push_back(t ? std::optional<at::Tensor>(map(*t)) : std::nullopt);
        return mapped;
    }
    return value;
}

/// What a call needs to turn meta results into fakes again.
struct Origins {
    std::vector<at::Tensor> fakes;
    std::optional<c10::Device> device;

    c10::Device resultDevice() const {
        if (device) return *device;
        for (const auto& t : fakes)
            if (t.dim() > 0 || fakes.size() == 1) return t.device();
        return fakes.empty() ? c10::Device(c10::kCPU) : fakes.front().device();
    }

    at::Tensor toFake(const at::Tensor& meta) const {
        if (!meta.defined()) return meta;
        for (const auto& t : fakes)
            if (auto* fake = asFake(t); fake->meta().is_same(meta)) {
                fake->refresh();
                return t;
            }
        return makeFake(meta, resultDevice());
    }
};

Origins originsOf(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> args) {
    Origins origins;
    const auto note = [&](const at::Tensor& t) {
        if (t.defined() && asFake(t)) origins.fakes.push_back(t);
        return t;
    };
    for (std::size_t i = 0; i < args.size(); ++i) {
        mapTensors(args[i], note);
        if (args[i].isDevice() && schema.arguments()[i].name() == "device") origins.device = args[i].toDevice();
    }
    return origins;
}

/// Arguments with fakes replaced by their meta tensors and every device by the meta device.
std::vector<c10::IValue> metaArguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> args) {
    std::vector<c10::IValue> metas;
    metas.reserve(args.size());
    for (std::size_t i = 0; i < args.size(); ++i) {
        const bool device = schema.arguments()[i].name() == "device";
        if (device && (args[i].isDevice() || args[i].isNone())) metas.emplace_back(c10::Device(c10::kMeta));
        else metas.push_back(mapTensors(args[i], metaOf));
    }
    return metas;
}

std::vector<c10::IValue> callKernel(const c10::OperatorHandle& op, std::vector<c10::IValue> args) {
    Stack stack(std::move(args));
    op.callBoxed(stack);
    return stack;
}

/// The real CPU kernel on zeros of the same shapes; its results give shapes only.
std::vector<c10::IValue> runOnZeros(const c10::OperatorHandle& op, const std::vector<c10::IValue>& metas) {
    std::vector<at::Tensor> zeros, origins;
    const auto materialize = [&](const at::Tensor& meta) {
        if (!meta.defined()) return meta;
        at::Tensor t = at::empty_strided(meta.sizes(), meta.strides(), meta.options().device(at::kCPU)).zero_();
        zeros.push_back(t);
        origins.push_back(meta);
        return t;
    };
    std::vector<c10::IValue> args;
    for (const auto& v : metas)
        args.push_back(v.isDevice() ? c10::IValue(c10::Device(at::kCPU)) : mapTensors(v, materialize));
    const auto forget = [&](const at::Tensor& result) -> at::Tensor {
        if (!result.defined()) return result;
        for (std::size_t i = 0; i < zeros.size(); ++i)
            if (zeros[i].is_same(result)) return origins[i];
        return emptyMeta(result.sizes(), result.strides(), result.scalar_type());
    };
    std::vector<c10::IValue> results;
    for (const auto& v : callKernel(op, std::move(args))) results.push_back(mapTensors(v, forget));
    return results;
}

std::string printedName(const c10::OperatorHandle& op) {
    const auto& name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

}  // namespace

void FakeEvaluator::run(const c10::OperatorHandle& op, Stack& stack) {
    const auto& schema = op.schema();
    const auto count = schema.arguments().size();
    const c10::ArrayRef<c10::IValue> args(stack.data() + (stack.size() - count), count);
    if (op.operator_name().name == "aten::_pack_padded_sequence")
        throw Error(
            "packed sequences (pack_padded_sequence) keep their lengths in the data of a tensor, which does not exist "
            "while tracing; pass padded sequences and mask what lies behind their ends");

    const Origins origins = originsOf(schema, args);
    std::vector<c10::IValue> metas = metaArguments(schema, args);
    std::vector<c10::IValue> results;
    {
        const PlainKernelScope plain;
        if (auto* rule = findShapeRule(op.operator_name())) {
            results = rule({metas, origins.resultDevice()});
        } else {
            const bool hasMeta = op.hasComputedKernelForDispatchKey(c10::DispatchKey::Meta);
            bool done = false;
            if (hasMeta) try {
                    results = callKernel(op, metas);
                    done = true;
                } catch (const c10::NotImplementedError&) {
                    // A composite kernel that calls an operator without a meta kernel.
                }
            if (!done) {
                ++fallbacks_[printedName(op)];
                results = runOnZeros(op, metas);
            }
        }
    }
    stack.resize(stack.size() - count);
    for (const auto& result : results)
        stack.push_back(mapTensors(result, [&](const at::Tensor& t) { return origins.toFake(t); }));
}

void FakeEvaluator::replay(const c10::OperatorHandle& op, const DataReading& reading, Stack& stack) {
    const auto& schema = op.schema();
    const auto count = schema.arguments().size();
    const Origins origins = originsOf(schema, c10::ArrayRef<c10::IValue>(stack.data() + (stack.size() - count), count));
    stack.resize(stack.size() - count);
    for (const DataResult& result : reading.results)
        stack.push_back(result.isTensor
                            ? c10::IValue(origins.toFake(emptyMeta(result.sizes, result.strides, result.dtype)))
                            : result.number);
}

}  // namespace aotscope
