#include "aten/tensors.h"
#include "program/higher_order_gradient.h"
#include "program/joint_function.h"
#include "program/tensor_lists.h"

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>

#include <algorithm>

namespace aotscope {

namespace {

/// A step of the backward: (gradients of a result, accumulated gradients of shared operands, tangents of the previous
/// result, that result, an element, shared operands) -> (the first two for the previous step, gradients of the
/// element).
class AssociativeBackward final : public SubgraphFunction {
public:
    /// `elements`: the number of tensors that are scanned; `leaves`: which of them are differentiable.
    AssociativeBackward(c10::IValue joint, std::size_t elements, std::vector<bool> leaves, std::size_t shared)
        : joint_(std::move(joint)), elements_(elements), leaves_(std::move(leaves)), shared_(shared) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(joint_)->locations();
    }

    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        const auto count = static_cast<std::size_t>(std::count(leaves_.begin(), leaves_.end(), true));
        OperandList list(operands);
        const TensorVector total = list.take(count), shared = list.take(shared_), tangents = list.take(count),
                           primals = list.rest();
        const TensorVector gradients = subgraphFunction(joint_)->run(joined(primals, total), sink);
        TensorVector results, ofShared, ofElements;
        for (std::size_t i = 0; i < elements_; ++i)
            if (leaves_[i]) results.push_back(at::add(gradients[i], tangents[results.size()]));
        for (std::size_t i = 2 * elements_; i < gradients.size(); ++i)
            if (isDifferentiable(gradients[i])) ofShared.push_back(at::add(shared[ofShared.size()], gradients[i]));
        for (std::size_t i = 0; i < elements_; ++i)
            if (leaves_[i]) ofElements.push_back(gradients[elements_ + i]);
        return joined(joined(results, ofShared), ofElements);
    }

private:
    c10::IValue joint_;
    std::size_t elements_;
    std::vector<bool> leaves_;
    std::size_t shared_;
};

class AssociativeScanGradient final : public HigherOrderGradient {
public:
    explicit AssociativeScanGradient(const HigherOrderCall& call) {
        for (const at::Tensor& x : call.groups[0]) leaves_.push_back(isDifferentiable(x));
        wanted_ = leaves_;  // a result may depend on others that need gradients in a later step
        for (const TensorVector& group : call.groups)
            for (const at::Tensor& tensor : group) wanted_.push_back(tensor.requires_grad());
    }

    Forward forward(const HigherOrderCall& call) override {
        const TensorVector results = callHigherOrder("associative_scan", call);
        TensorVector kept;
        for (const at::Tensor& result : results) kept.push_back(detachedTwin(result));
        return {results, kept};
    }

    TensorVector backward(const HigherOrderCall& call, const TensorVector& kept,
                          const TensorVector& tangents) const override {
        const TensorVector& xs = call.groups[0];
        if (xs[0].size(0) == 1) {
            TensorVector results = tangents;
            results.resize(results.size() + call.groups[1].size());
            return results;
        }
        const TensorVector given = defined(tangents), shared = differentiable(call.groups[1]);
        const std::size_t operands = 2 * xs.size() + call.groups[1].size();
        auto joint = toIValue(c10::make_intrusive<JointFunction>(call.subgraphs[0], operands, wanted_));
        HigherOrderCall reverse;
        reverse.subgraphs = {
            toIValue(c10::make_intrusive<AssociativeBackward>(std::move(joint), xs.size(), leaves_, shared.size()))};
        TensorVector last, over;
        for (const at::Tensor& tangent : given) last.push_back(tangent.select(0, -1));
        for (const at::Tensor& before : joined(given, kept)) over.push_back(before.slice(0, 0, -1));
        for (const at::Tensor& x : xs) over.push_back(x.slice(0, 1));
        reverse.groups = {joined(last, zerosLike(shared)), flipped(over), call.groups[1]};
        const TensorVector found = callHigherOrder("scan", reverse);
        OperandList list(found);
        const TensorVector first = list.take(given.size()),
                           ofShared = withUndefined(list.take(shared.size()), call.groups[1]);
        TensorVector ofXs = flipped(list.rest());
        for (std::size_t i = 0; i < ofXs.size(); ++i) ofXs[i] = at::cat({first[i].unsqueeze(0), ofXs[i]});
        return joined(withUndefined(ofXs, xs), ofShared);
    }

private:
    std::vector<bool> leaves_, wanted_;
};

}  // namespace

std::unique_ptr<HigherOrderGradient> gradientOfAssociativeScan(const HigherOrderCall& call) {
    return std::make_unique<AssociativeScanGradient>(call);
}

}  // namespace aotscope
