#include "compile/fused/group_call.h"

#include "aten/convert.h"
#include "compile/fused/grouped_graph.h"
#include "compile/fused/lowering.h"
#include "support/error.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty_strided.h>
#include <c10/util/strides.h>

#include <algorithm>

namespace aotscope {

namespace {

using Sizes = c10::SmallVector<std::int64_t, 6>;

/// A tensor's layout in the kernel's space.
struct Placement {
    std::vector<int> dimensions, indexed;
    bool isPlain = false;  ///< used as it is
};

Placement placementOf(const GroupTensor& tensor) {
    const TensorType& type = *tensor.node->type.tensor();
    Placement placement{tensor.dimensions, tensor.indexed,
                        tensor.indexed.empty() && type.sizes.size() == tensor.dimensions.size()};
    for (std::size_t d = 0; d < tensor.dimensions.size() && placement.isPlain; ++d) {
        const int from = tensor.dimensions[d];
        placement.isPlain = from == static_cast<int>(d) || (from < 0 && isOne(sizeOf(type, d)));
    }
    return placement;
}

at::Tensor inSpace(const at::Tensor& tensor, const Placement& placement) {
    if (placement.isPlain) return tensor;
    Sizes sizes, strides;
    for (const int d : placement.dimensions) {
        sizes.push_back(d < 0 ? 1 : tensor.size(d));
        strides.push_back(d < 0 ? 1 : tensor.stride(d));
    }
    for (const int d : placement.indexed) {
        sizes.push_back(tensor.size(d));
        strides.push_back(tensor.stride(d));
    }
    return at::as_strided(tensor, sizes, strides);
}

class GroupCall final : public StepKernel {
public:
    GroupCall(const FusionGroup& group, std::unique_ptr<const FusedKernel> kernel)
        : kernel_(std::move(kernel)), targets_(group.targets) {
        for (const GroupTensor& input : group.inputs) inputs_.push_back(placementOf(input));
        for (std::size_t i = 0; i < group.outputs.size(); ++i) addOutput(group.outputs[i], group.bases[i], group);
        for (const GroupTensor& output : group.outputs) shown_.push_back(output.node->id());
    }

    std::vector<NodeId> shown() const override { return shown_; }

    void call(torch::jit::Stack& stack) const override {
        c10::SmallVector<at::Tensor, 8> inputs, bases, read, outputs, written;
        c10::SmallVector<c10::Scalar, 4> numbers;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            inputs.push_back(std::move(stack[i]).toTensor());
            if (inputs[i].is_neg()) inputs[i] = inputs[i].resolve_neg();
        }
        for (std::size_t i = inputs_.size(); i < inputs_.size() + bases_; ++i)
            bases.push_back(std::move(stack[i]).toTensor());
        for (std::size_t i = inputs_.size() + bases_; i < stack.size(); ++i) numbers.push_back(stack[i].toScalar());
        stack.clear();
        c10::SmallVector<bool, 8> reusable;
        for (const at::Tensor& input : inputs)
            reusable.push_back(input.use_count() == 1 && input.storage().use_count() == 1);
        for (std::size_t i = 0; i < inputs.size(); ++i) read.push_back(inSpace(inputs[i], inputs_[i]));
        std::size_t base = 0;
        for (const Output& output : outputs_) {
            outputs.push_back(output.hasBase ? startingFrom(bases[base++]) : allocate(output, inputs, reusable));
            if (output.accumulates && !output.hasBase) outputs.back().zero_();
        }
        for (const std::size_t target : targets_)
            written.push_back(inSpace(outputs[target], outputs_[target].placement));
        kernel_->run(read, numbers, written);
        for (at::Tensor& output : outputs) stack.emplace_back(std::move(output));
    }

private:
    /// A known size, or that of an input.
    struct Size {
        std::int64_t known = 0;
        std::size_t input = 0;
        std::optional<std::int64_t> dimension;
    };
    struct Output {
        Placement placement;
        std::vector<Size> sizes;
        std::vector<std::int64_t> strides;  ///< empty: row-major
        at::ScalarType type = at::kFloat;
        c10::Device device = at::kCPU;
        std::vector<std::size_t> twins;  ///< inputs whose memory it may reuse
        bool accumulates = false;        ///< values are added,
        bool hasBase = false;            ///< to those of another tensor, or else to zeros
    };

    void addOutput(const GroupTensor& tensor, const Node* base, const FusionGroup& group) {
        const TensorType& type = *tensor.node->type.tensor();
        Output output{placementOf(tensor), {}, {}, toScalarType(type.dtype), c10::Device(type.device.name), {}};
        const std::size_t place = outputs_.size();
        output.accumulates = isAccumulated(group, place);
        if (base) {
            output.hasBase = true;
            ++bases_;
            outputs_.push_back(std::move(output));
            return;
        }
        for (std::size_t d = 0; d < type.sizes.size(); ++d) {
            const SymExpr size = sizeOf(type, d);
            output.sizes.push_back(size.isNumber() ? Size{size.number(), 0, std::nullopt}
                                                   : readFrom(group, tensor, static_cast<int>(d)));
        }
        if (!type.symbolic) output.strides = type.strides;
        output.twins = reusableInputs(group, place);
        outputs_.push_back(std::move(output));
    }

    static Size readFrom(const FusionGroup& group, const GroupTensor& output, int dimension) {
        const auto in = std::find(output.dimensions.begin(), output.dimensions.end(), dimension);
        check(in != output.dimensions.end(), "every dimension of varying size has a place in the kernel's space");
        const auto place = static_cast<std::size_t>(in - output.dimensions.begin());
        for (std::size_t i = 0; i < group.inputs.size(); ++i) {
            const int from = group.inputs[i].dimensions[place];
            if (from >= 0 && !isOne(sizeOf(*group.inputs[i].node->type.tensor(), static_cast<std::size_t>(from))))
                return {0, i, from};
        }
        check(false, "some input of a kernel has each varying size");
        return {};
    }

    /// The base itself where nothing else holds it.
    static at::Tensor startingFrom(at::Tensor& base) {
        if (base.is_neg()) base = base.resolve_neg();
        const bool isOurs = base.use_count() == 1 && base.storage().use_count() == 1;
        return isOurs ? std::move(base) : at::clone(base);
    }

    static at::Tensor allocate(const Output& output, c10::ArrayRef<at::Tensor> inputs,
                               c10::SmallVector<bool, 8>& reusable) {
        for (const std::size_t i : output.twins) {
            if (!reusable[i] || (!output.strides.empty() && inputs[i].strides() != output.strides) ||
                (output.strides.empty() && !inputs[i].is_contiguous()))
                continue;
            reusable[i] = false;
            return inputs[i];
        }
        Sizes sizes;
        for (const Size& size : output.sizes)
            sizes.push_back(size.dimension ? inputs[size.input].size(*size.dimension) : size.known);
        const c10::DimVector strides =
            output.strides.empty() ? c10::contiguous_strides(sizes) : c10::DimVector(output.strides);
        if (output.device.is_cpu()) return at::detail::empty_strided_cpu(sizes, strides, output.type);
        return at::empty_strided(sizes, strides, at::TensorOptions().dtype(output.type).device(output.device));
    }

    std::unique_ptr<const FusedKernel> kernel_;
    std::vector<Placement> inputs_;
    std::vector<Output> outputs_;
    std::size_t bases_ = 0;
    std::vector<std::size_t> targets_;  ///< by output of the kernel
    std::vector<NodeId> shown_;         ///< of the outputs
};

}  // namespace

std::unique_ptr<const StepKernel> makeGroupCall(const FusionGroup& group, std::unique_ptr<const FusedKernel> kernel) {
    return std::make_unique<GroupCall>(group, std::move(kernel));
}

}  // namespace aotscope
