#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

namespace aotscope {

/// A tensor that has a real device, backend keys, sizes and a storage of the right size, but no memory: what a
/// trace runs on. It holds a meta tensor of the same shape, on which LibTorch's own shape functions run, and
/// shares that tensor's storage, so that tensors alias exactly when their storages are the same object.
class FakeTensorImpl final : public c10::TensorImpl {
public:
    FakeTensorImpl(at::Tensor meta, c10::Device device, c10::DispatchKeySet keys);

    const at::Tensor& meta() const { return meta_; }
    /// Takes over sizes, strides and storage of the meta tensor after an operation changed them in place.
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

/// Tensors with the same key hold the same value: a fake that autograd has copied, as for `.data`, looks into the same
/// meta tensor.
const c10::TensorImpl* valueKey(const at::Tensor& tensor);

/// A fake on `device` with the shape and storage of `meta`, a strided meta tensor.
at::Tensor makeFake(const at::Tensor& meta, c10::Device device);

/// A fake with the sizes, strides, offset and dtype of `real`, which may itself lack memory, on its device unless
/// another is given. Looks into `storage` if given, else into a new one as large as that of `real`.
at::Tensor fakeLike(const at::Tensor& real, const c10::Storage* storage = nullptr,
                    const std::optional<c10::Device>& device = std::nullopt);

/// Makes `copy`, which has the memory of `original`, have its value, too: where that is lazily conjugated or negated.
void copyBits(const at::Tensor& original, const at::Tensor& copy);

/// A meta tensor without memory; storage of its own.
at::Tensor emptyMeta(c10::IntArrayRef sizes, c10::IntArrayRef strides, at::ScalarType dtype);

}  // namespace aotscope
