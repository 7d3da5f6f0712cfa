#include "aten/fake_tensor.h"

#include "aten/dispatch_mode.h"
#include "support/error.h"

#include <ATen/EmptyTensor.h>
#include <c10/core/TensorOptions.h>

#include <typeinfo>

namespace aotscope {

FakeTensorImpl::FakeTensorImpl(at::Tensor meta, c10::Device device, c10::DispatchKeySet keys)
    : TensorImpl(c10::Storage(meta.storage()), keys, meta.dtype()), meta_(std::move(meta)) {
    device_opt_ = device;
    refresh();
}

void FakeTensorImpl::refresh() {
    storage_ = meta_.storage();
    sizes_and_strides_.set_sizes(meta_.sizes());
    for (int64_t i = 0; i < meta_.dim(); ++i) sizes_and_strides_.stride_at(static_cast<size_t>(i)) = meta_.stride(i);
    storage_offset_ = meta_.storage_offset();
    refresh_numel();
    refresh_contiguous();
}

c10::intrusive_ptr<c10::TensorImpl> FakeTensorImpl::shallow_copy_and_detach(const c10::VariableVersion& version,
                                                                            bool allowMetadataChange) const {
    auto copy = c10::make_intrusive<FakeTensorImpl>(meta_, *device_opt_, key_set_);
    copy_tensor_metadata(this, copy.get(), version, allowMetadataChange);
    copy->device_opt_ = device_opt_;
    return copy;
}

c10::intrusive_ptr<c10::TensorImpl> FakeTensorImpl::shallow_copy_and_detach(c10::VariableVersion&& version,
                                                                            bool allowMetadataChange) const {
    return shallow_copy_and_detach(static_cast<const c10::VariableVersion&>(version), allowMetadataChange);
}

void FakeTensorImpl::shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& other) {
    auto* fake = dynamic_cast<FakeTensorImpl*>(other.get());
    if (!fake)
        throw Error(
            "a traced tensor cannot take over the data of a tensor from outside the trace (set_data); pass that tensor "
            "as an input");
    copy_tensor_metadata(fake, this, version_counter(), allow_tensor_metadata_change());
    meta_ = fake->meta_;
    device_opt_ = fake->device_opt_;
}

FakeTensorImpl* asFake(const at::Tensor& tensor) {
    c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
    return typeid(*impl) == typeid(FakeTensorImpl) ? static_cast<FakeTensorImpl*>(impl) : nullptr;
}

const c10::TensorImpl* valueKey(const at::Tensor& tensor) {
    const auto* fake = asFake(tensor);
    return (fake ? fake->meta() : tensor).unsafeGetTensorImpl();
}

at::Tensor makeFake(const at::Tensor& meta, c10::Device device) {
    if (!device.has_index() && device.type() != c10::kCPU) device = c10::Device(device.type(), 0);
    const c10::DispatchKeySet keys(
        c10::computeDispatchKey(meta.scalar_type(), at::kStrided, device));  // the constructor adds autograd's keys
    // A ZeroTensor stays one: LibTorch's results for it are zero even with infinities.
    const c10::DispatchKeySet bits(
        {c10::DispatchKey::Conjugate, c10::DispatchKey::Negative, c10::DispatchKey::ZeroTensor});
    return at::detail::make_tensor<FakeTensorImpl>(meta, device, keys | (meta.key_set() & bits));
}

at::Tensor fakeLike(const at::Tensor& real, const c10::Storage* storage, const std::optional<c10::Device>& device) {
    const PlainKernelScope plain;
    const auto items = static_cast<int64_t>(real.storage().nbytes() / real.itemsize());
    at::Tensor meta = emptyMeta(real.sizes(), real.strides(), real.scalar_type());
    auto* impl = meta.unsafeGetTensorImpl();
    impl->set_storage_keep_dtype(storage ? *storage : emptyMeta({items}, {1}, real.scalar_type()).storage());
    impl->set_storage_offset(real.storage_offset());
    copyBits(real, meta);
    // A tensor on the meta device represents one on the CPU.
    return makeFake(meta, device.value_or(real.is_meta() ? c10::Device(c10::kCPU) : real.device()));
}

void copyBits(const at::Tensor& original, const at::Tensor& copy) {
    if (original.is_conj()) copy._set_conj(true);
    if (original.is_neg()) copy._set_neg(true);
}

at::Tensor emptyMeta(c10::IntArrayRef sizes, c10::IntArrayRef strides, at::ScalarType dtype) {
    return at::Tensor(at::detail::empty_strided_meta(sizes, strides, dtype));
}

}  // namespace aotscope
