#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// A tensor with a real device, backend keys, sizes and a storage of the right size, but without memory: what traces
/// run on. It holds a meta tensor of the same shape, on which LibTorch's own shape functions run, and shares that
/// tensor's storage, so that two fakes alias exactly if their storages are the same object. Counterpart of FakeTensor
/// (torch/_subclasses/fake_tensor.py).
class FakeTensorImpl final : public c10::TensorImpl {
public:
    FakeTensorImpl(at::Tensor meta, c10::Device device, c10::DispatchKeySet keys);

    const at::Tensor& meta() const { return meta_; }
    /// Takes sizes, strides and storage from the meta tensor after an operation has changed them in place.
    void refresh();

    c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(const c10::VariableVersion& version,
                                                           bool allowMetadataChange) const override;
    c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(c10::VariableVersion&& version,
                                                           bool allowMetadataChange) const override;
    void shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& other) override;

private:
    const char* tensorimpl_type_name() const override { return "FakeTensorImpl"; }

    at::Tensor meta_;
};

/// The FakeTensorImpl behind `tensor`, or null if it is an ordinary tensor.
FakeTensorImpl* asFake(const at::Tensor& tensor);

/// The identity of a value: copies that autograd makes of a fake, as for `.data`, share the meta tensor and therefore
/// the key.
const c10::TensorImpl* valueKey(const at::Tensor& tensor);

/// A fake on `device` with the shape and storage of `meta`, a strided meta tensor.
at::Tensor makeFake(const at::Tensor& meta, c10::Device device);

/// A fake with the sizes, strides, offset and dtype of `real` (which need not have memory), on `device` if given,
/// otherwise on that of `real`. Uses `storage` if given, otherwise a new one of the same size as that of `real`.
at::Tensor fakeLike(const at::Tensor& real, const c10::Storage* storage = nullptr,
                    const std::optional<c10::Device>& device = std::nullopt);

/// Copies the lazy conjugate and negative bits of `original` to `copy`, which shares its memory.
void copyBits(const at::Tensor& original, const at::Tensor& copy);

/// A meta tensor with its own storage, without memory.
at::Tensor emptyMeta(c10::IntArrayRef sizes, c10::IntArrayRef strides, at::ScalarType dtype);

}  // namespace aotscope
