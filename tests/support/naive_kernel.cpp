#include "support/naive_kernel.h"

#include "support/fused_reference.h"

#include <ATen/Functions.h>

namespace aotscope::test {

namespace {

class NaiveKernel final : public FusedKernel {
public:
    explicit NaiveKernel(Kernel kernel) : kernel_(std::move(kernel)) {}

    void run(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
             c10::ArrayRef<at::Tensor> outputs) const override {
        const std::vector<std::int64_t> space = spaceOf(inputs, outputs);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            TORCH_CHECK(inputs[i].scalar_type() == scalarType(kernel_.inputs.at(i)), "an input has its type");
        const std::vector<at::Tensor> before = copies(outputs);
        const auto results = runByLibTorch(kernel_, inputs.vec(), numbers.vec(), space, before);
        const auto expected = emptyOutputs(kernel_, space);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (kernel_.outputs[i].accumulates()) {
                outputs[i].add_(results[i].sub(before[i]));  // others may add to the same memory
                continue;
            }
            TORCH_CHECK(
                outputs[i].sizes() == expected.at(i).sizes() && outputs[i].scalar_type() == expected[i].scalar_type(),
                "an output is of size ", outputs[i].sizes(), ", expected ", expected[i].sizes());
            outputs[i].copy_(results[i].expand(outputs[i].sizes()));
        }
    }

private:
    static std::vector<at::Tensor> copies(c10::ArrayRef<at::Tensor> tensors) {
        std::vector<at::Tensor> all;
        for (const at::Tensor& tensor : tensors) all.push_back(tensor.clone());
        return all;
    }
    std::vector<std::int64_t> spaceOf(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<at::Tensor> outputs) const {
        std::vector<std::int64_t> space(static_cast<std::size_t>(kernel_.rank), 1);
        for (const auto& tensors : {inputs, outputs})
            for (const at::Tensor& tensor : tensors) {
                TORCH_CHECK(tensor.dim() >= kernel_.rank, "a tensor of a kernel has its rank");
                for (std::size_t d = 0; d < space.size(); ++d) {
                    const std::int64_t size = tensor.sizes()[d];
                    TORCH_CHECK(size == 1 || space[d] == 1 || size == space[d], "tensors of a kernel agree in size");
                    if (size != 1) space[d] = size;
                }
            }
        return space;
    }

    Kernel kernel_;
};

}  // namespace

std::unique_ptr<FusedKernel> makeNaiveKernel(const Kernel& kernel) { return std::make_unique<NaiveKernel>(kernel); }

}  // namespace aotscope::test
