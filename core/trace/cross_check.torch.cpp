#include "trace/cross_check.h"

#include "aten/convert.h"
#include "aten/copy_tensor.h"
#include "aten/dispatch_mode.h"
#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "support/error.h"
#include "support/formatted.h"
#include "support/names.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <optional>

namespace aotscope {

namespace {

/// Bytes of the largest results that are computed, and of all data kept at a time.
constexpr std::size_t kLargestResults = std::size_t{256} << 20, kLargestTotal = std::size_t{1} << 30;

/// Every tensor in `values`, including list elements and undefined ones.
std::vector<at::Tensor> tensorsOf(c10::ArrayRef<c10::IValue> values) {
    std::vector<at::Tensor> tensors;
    for (const auto& value : values) {
        if (value.isTensor()) tensors.push_back(value.toTensor());
        else if (value.isTensorList())
            for (const at::Tensor& t : value.toTensorVector()) tensors.push_back(t);
        else if (value.isOptionalTensorList())
            for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
                tensors.push_back(t.value_or(at::Tensor()));
    }
    return tensors;
}

std::size_t bytesOf(const at::Tensor& t) {
    return t.defined() ? at::detail::computeStorageNbytes(t.sizes(), t.strides(), t.dtype().itemsize(),
                                                          static_cast<std::size_t>(t.storage_offset()))
                       : 0;
}

/// Data of the same shape for an unknown value.
at::Tensor madeUp(const at::Tensor& fake) {
    const auto items = static_cast<std::int64_t>(bytesOf(fake) / fake.dtype().itemsize());
    const at::Tensor memory = at::empty({items}, at::TensorOptions(fake.scalar_type()));
    memory.fill_(c10::isIntegralType(fake.scalar_type(), true) ? 0 : 1);
    at::Tensor made = memory.as_strided(fake.sizes(), fake.strides(), fake.storage_offset());
    copyBits(fake, made);
    return made;
}

/// What is compared, as text: the first argument that `result` is, or whether it shares memory with any.
std::string aliasText(const at::Tensor& result, const std::vector<at::Tensor>& arguments) {
    bool shares = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].defined()) continue;
        if (valueKey(arguments[i]) == valueKey(result)) return ", argument " + std::to_string(i) + " itself";
        shares = shares || storageOf(arguments[i]) == storageOf(result);
    }
    return shares ? ", shares memory with an argument" : "";
}

/// A byte buffer whose size only the kernel knows: it is not compared.
bool isWorkspace(const at::Tensor& fake) {
    return fake.defined() && fake.scalar_type() == at::kByte && fake.numel() == 0;
}

std::string resultText(const at::Tensor& result, const std::vector<at::Tensor>& arguments) {
    if (!result.defined()) return "nothing";
    if (result.layout() != at::kStrided) return c10::str(result.layout());
    // Strides along dimensions of size 1 are meaningless.
    std::vector<std::int64_t> strides = result.strides().vec();
    for (std::size_t d = 0; d < strides.size(); ++d)
        if (result.numel() == 0 || result.size(static_cast<std::int64_t>(d)) == 1) strides[d] = 0;
    std::string text = c10::str(result.scalar_type(), result.sizes(), " strides ", c10::IntArrayRef(strides));
    if (result.storage_offset() != 0) text += " offset " + std::to_string(result.storage_offset());
    if (!result.device().is_cpu()) text += " on " + result.device().str();
    if (result.is_conj()) text += " with the conjugate bit";
    if (result.is_neg()) text += " with the negative bit";
    return text + aliasText(result, arguments);
}

}  // namespace

void CrossCheck::beginTrace() {
    known_.clear();
    copies_.clear();
    bytes_ = 0;
}

void CrossCheck::bindInput(const at::Tensor& fake, const std::string& name) {
    const auto& names = function_.leafNames();
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) return;
    const c10::IValue& leaf = values_[static_cast<std::size_t>(it - names.begin())];
    if (!leaf.isTensor() || leaf.toTensor().is_meta() || !leaf.toTensor().device().is_cpu()) return;
    const PlainKernelScope plain;
    const at::Tensor real = copyTensor(leaf.toTensor(), copies_).detach();
    if (resultText(real, {}) == resultText(fake, {})) remember(fake, real);
}

void CrossCheck::remember(const at::Tensor& fake, const at::Tensor& real) {
    if (!known_.insert_or_assign(valueKey(fake), Known{fake, real}).second) return;
    bytes_ += real.is_view() ? 0 : bytesOf(real);
}

void CrossCheck::forget(const c10::IValue& value) {
    for (const at::Tensor& t : tensorsOf({value}))
        if (t.defined()) known_.erase(valueKey(t));
}

at::Tensor CrossCheck::realOf(const at::Tensor& tensor, bool written) {
    if (!tensor.defined()) return tensor;
    if (!asFake(tensor)) return written ? tensor.clone() : tensor;
    const auto it = known_.find(valueKey(tensor));
    if (it != known_.end()) return it->second.real;
    at::Tensor real = madeUp(tensor);
    remember(tensor, real);
    return real;
}

CrossCheck::Call CrossCheck::begin(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args) {
    Call call{args.vec(), {}, {}};
    if (bytes_ > kLargestTotal) known_.clear(), bytes_ = 0;
    std::size_t missing = 0;
    for (const at::Tensor& t : tensorsOf(args)) {
        if (!t.defined()) continue;
        if (!t.device().is_cpu()) call.skipped = "tensors on another device";
        if (!asFake(t) || known_.contains(valueKey(t))) continue;
        missing += bytesOf(t);
        // Kernels trust what they find in a workspace.
        if (t.scalar_type() == at::kByte) call.skipped = "a workspace whose data is not known";
    }
    if (missing > kLargestResults) call.skipped = "arguments larger than " + formatBytes(kLargestResults);
    if (!call.skipped.empty()) return call;
    const PlainKernelScope plain;
    const auto& declared = op.schema().arguments();
    for (std::size_t i = 0; i < args.size(); ++i) {
        const bool written = declared[i].alias_info() && declared[i].alias_info()->isWrite();
        call.reals.push_back(mapTensors(args[i], [&](const at::Tensor& t) { return realOf(t, written); }));
    }
    return call;
}

void CrossCheck::finish(const c10::OperatorHandle& op, Call call, c10::ArrayRef<c10::IValue> results) {
    const std::vector<at::Tensor> fakes = tensorsOf(results);
    std::size_t bytes = 0;
    for (const at::Tensor& t : fakes) bytes += bytesOf(t);
    if (call.skipped.empty() && bytes > kLargestResults)
        call.skipped = "results larger than " + formatBytes(kLargestResults);
    torch::jit::Stack stack = call.reals;
    if (call.skipped.empty()) {
        try {
            runPlainKernel(op, stack);
        } catch (const std::exception& e) {
            call.skipped = graphName(op.operator_name()) + " refuses the data: " + firstSentence(e.what());
        }
    }
    if (!call.skipped.empty()) {
        ++report_.skipped[call.skipped];
        if (op.schema().is_mutable())
            for (const auto& value : call.fakes) forget(value);
        return;
    }
    ++report_.checked;
    compare(op, call, fakes, tensorsOf(stack));
}

void CrossCheck::compare(const c10::OperatorHandle& op, const Call& call, const std::vector<at::Tensor>& fakes,
                         const std::vector<at::Tensor>& reals) {
    const std::string name = graphName(op.operator_name());
    if (fakes.size() != reals.size())
        return mismatch(name, counted(reals.size(), "result"), counted(fakes.size(), "result"));
    std::vector<at::Tensor> fakeArguments = tensorsOf(call.fakes), realArguments = tensorsOf(call.reals);
    // Fake tensors never share the memory of a constant, whose values are known and never overwritten.
    for (std::size_t i = 0; i < fakeArguments.size(); ++i)
        if (fakeArguments[i].defined() && !asFake(fakeArguments[i])) fakeArguments[i] = realArguments[i] = at::Tensor();
    for (std::size_t i = 0; i < fakes.size(); ++i) {
        const std::string expected = resultText(reals[i], realArguments), found = resultText(fakes[i], fakeArguments);
        if (expected == found || isWorkspace(fakes[i])) {
            if (fakes[i].defined()) remember(fakes[i], reals[i]);
            continue;
        }
        const std::string which = fakes.size() > 1 ? "result " + std::to_string(i) + ": " : "";
        mismatch(name, which + expected, which + found);
        if (fakes[i].defined()) known_.erase(valueKey(fakes[i]));
    }
}

void CrossCheck::mismatch(std::string op, std::string expected, std::string found) {
    for (FakeMismatch& known : report_.mismatches)
        if (known.op == op && known.expected == expected && known.found == found) {
            ++known.count;
            return;
        }
    report_.mismatches.push_back({std::move(op), std::move(expected), std::move(found), 1});
}

}  // namespace aotscope
