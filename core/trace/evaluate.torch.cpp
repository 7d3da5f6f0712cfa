#include "trace/evaluate.h"

#include "aten/dispatch_mode.h"
#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "ops/shapes/rules.h"
#include "support/budget.h"
#include "support/error.h"
#include "support/formatted.h"
#include "trace/cross_check.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/from_blob.h>

#include <cstdlib>
#include <optional>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

at::Tensor metaOf(const at::Tensor& tensor) {
    if (!tensor.defined() || tensor.is_meta()) return tensor;
    if (auto* fake = asFake(tensor)) return fake->meta();
    at::Tensor meta = emptyMeta(tensor.sizes(), tensor.strides(), tensor.scalar_type());
    copyBits(tensor, meta);
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) meta.unsafeGetTensorImpl()->set_wrapped_number(true);
    return meta;
}

/// What is needed to turn a call's meta results back into fake tensors.
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
        if (asFake(t)) origins.fakes.push_back(t);
    };
    for (std::size_t i = 0; i < args.size(); ++i) {
        forEachTensor(args[i], note);
        if (args[i].isDevice() && schema.arguments()[i].name() == "device") origins.device = args[i].toDevice();
    }
    return origins;
}

/// Arguments with fake tensors replaced by their meta tensors and every device by the meta device.
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

/// Largest arguments, in bytes, for which a real kernel runs to find its results' shapes.
constexpr std::size_t kLargestTrial = std::size_t{256} << 20;

std::string printedName(const c10::OperatorHandle& op) {
    const auto& name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

std::vector<c10::IValue> callKernel(const c10::OperatorHandle& op, std::vector<c10::IValue> args) {
    Stack stack(std::move(args));
    op.callBoxed(stack);
    return stack;
}

/// Zeros on the CPU, whose memory is allocated only where a kernel touches it.
at::Tensor zerosWithin(const at::Tensor& meta, std::size_t bytes) {
    void* data = std::calloc(std::max<std::size_t>(bytes, 1), 1);
    if (!data) throw std::bad_alloc();
    return at::from_blob(
        data, meta.sizes(), meta.strides(), [](void* p) { std::free(p); }, at::TensorOptions(meta.scalar_type()));
}

/// Runs the real CPU kernel on zeros of the same shapes; only the shapes of its results are used.
class Trial {
public:
    Trial(const c10::OperatorHandle& op, const std::vector<c10::IValue>& metas) : op_(op) {
        for (const auto& v : metas)
            args_.push_back(v.isDevice() ? c10::IValue(c10::Device(at::kCPU))
                                         : mapTensors(v, [this](const at::Tensor& t) { return materialize(t); }));
    }

    std::vector<c10::IValue> results() {
        std::optional<ForeignRun> run;
        if (!ForeignRun::current()) run.emplace("a kernel that had to run");  // in the backward, or for a printed graph
        std::vector<c10::IValue> results;
        for (const auto& v : callKernel(op_, args_))
            results.push_back(mapTensors(v, [this](const at::Tensor& t) { return forget(t); }));
        return results;
    }

private:
    at::Tensor materialize(const at::Tensor& meta) {
        if (!meta.defined()) return meta;
        const std::size_t bytes =
            at::detail::computeStorageNbytes(meta.sizes(), meta.strides(), meta.dtype().itemsize());
        if ((bytes_ += bytes) > kLargestTrial)
            throw Error("operator '" + printedName(op_) +
                        "' has no shape rule, and its arguments are larger than the " + formatBytes(kLargestTrial) +
                        " on which its kernel may run while tracing; trace with smaller inputs");
        zeros_.push_back(zerosWithin(meta, bytes));
        copyBits(meta, zeros_.back());
        origins_.push_back(meta);
        return zeros_.back();
    }

    /// The meta tensor of a result; one that shares an argument's memory becomes a view of it.
    at::Tensor forget(const at::Tensor& result) const {
        if (!result.defined()) return result;
        for (std::size_t i = 0; i < zeros_.size(); ++i) {
            if (zeros_[i].is_same(result)) return origins_[i];
            if (zeros_[i].is_alias_of(result) && zeros_[i].scalar_type() == result.scalar_type())
                return origins_[i].as_strided(result.sizes(), result.strides(),
                                              origins_[i].storage_offset() + result.storage_offset());
        }
        return emptyMeta(result.sizes(), result.strides(), result.scalar_type());
    }

    const c10::OperatorHandle& op_;
    std::vector<c10::IValue> args_;
    std::vector<at::Tensor> zeros_, origins_;
    std::size_t bytes_ = 0;
};

/// The results of LibTorch's meta kernel; nothing if there is none.
std::optional<std::vector<c10::IValue>> callMetaKernel(const c10::OperatorHandle& op,
                                                       const std::vector<c10::IValue>& metas) {
    try {
        return callKernel(op, metas);
    } catch (const c10::NotImplementedError&) {
        return std::nullopt;  // no kernel, or a composite one that calls an operator without one
    }
}

}  // namespace

void FakeEvaluator::run(const c10::OperatorHandle& op, Stack& stack) {
    if (!crossCheck_) return evaluate(op, stack);
    const auto& schema = op.schema();
    auto call = crossCheck_->begin(op, torch::jit::last(stack, schema.arguments().size()));
    evaluate(op, stack);
    crossCheck_->finish(op, std::move(call), torch::jit::last(stack, schema.returns().size()));
}

void FakeEvaluator::evaluate(const c10::OperatorHandle& op, Stack& stack) {
    const auto& schema = op.schema();
    const auto count = schema.arguments().size();
    const auto args = torch::jit::last(stack, count);
    if (op.operator_name().name == "aten::_pack_padded_sequence")
        throw Error(
            "packed sequences (pack_padded_sequence) keep their lengths in the data of a tensor, which does not exist "
            "while tracing; pass padded sequences and mask what lies behind their ends");
    const ShapeRule rule = findShapeRule(op.operator_name());

    const Origins origins = originsOf(schema, args);
    std::vector<c10::IValue> metas = metaArguments(schema, args);
    std::vector<c10::IValue> results;
    {
        const PlainKernelScope plain;
        if (rule) {
            results = rule({metas, origins.resultDevice()});
        } else if (auto known = callMetaKernel(op, metas)) {
            results = std::move(*known);
        } else {
            ++fallbacks_[printedName(op)];
            results = Trial(op, metas).results();
        }
    }
    torch::jit::drop(stack, count);
    for (const auto& result : results)
        stack.push_back(mapTensors(result, [&](const at::Tensor& t) { return origins.toFake(t); }));
}

void FakeEvaluator::replay(const c10::OperatorHandle& op, const DataReading& reading, Stack& stack) {
    const auto& schema = op.schema();
    const auto count = schema.arguments().size();
    const Origins origins = originsOf(schema, torch::jit::last(stack, count));
    torch::jit::drop(stack, count);
    const auto fake = [&](const DataResult& r) { return origins.toFake(emptyMeta(r.sizes, r.strides, r.dtype)); };
    if (schema.returns().size() == 1 && schema.returns()[0].type()->kind() == c10::TypeKind::ListType) {
        c10::List<at::Tensor> list;
        for (const DataResult& result : reading.results) list.push_back(fake(result));
        stack.emplace_back(std::move(list));
        return;
    }
    for (const DataResult& result : reading.results)
        stack.push_back(result.isTensor ? c10::IValue(fake(result)) : result.number);
}

}  // namespace aotscope
