#include "aten/fake_tensor.h"
#include "program/higher_order_gradient.h"
#include "program/joint_function.h"
#include "program/split_step.h"
#include "program/tensor_lists.h"
#include "support/error.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/ops/add.h>

#include <algorithm>

namespace aotscope {

namespace {

/// The numbers of tensors that a scan carries, scans, and passes to every step unchanged.
struct ScanCounts {
    std::size_t carried, xs, additional;

    enum class Group : std::uint8_t { carried, xs, additional };
    Group groupOf(std::size_t operand) const {
        if (operand < carried) return Group::carried;
        return operand < carried + xs ? Group::xs : Group::additional;
    }
};

/// The step of a scan with a backward: the forward of the split step, which also returns the saved carried tensors.
/// Shared and scanned operands are saved directly.
class ScanForward final : public SubgraphFunction {
public:
    ScanForward(const SplitStep& split, ScanCounts counts) : split_(split), counts_(counts) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(split_.forward)->locations();
    }

    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        const TensorVector all = subgraphFunction(split_.forward)->run(operands, sink);
        const auto made = static_cast<std::size_t>(std::count(split_.saved.begin(), split_.saved.end(), std::nullopt));
        check(made <= all.size(), "a step returns what it saves");
        TensorVector results(all.begin(), all.end() - static_cast<std::ptrdiff_t>(made));
        auto next = all.end() - static_cast<std::ptrdiff_t>(made);
        for (const auto& operand : split_.saved) {
            if (!operand) results.push_back(*next++);
            else if (counts_.groupOf(*operand) == ScanCounts::Group::carried) results.push_back(operands[*operand]);
        }
        return results;
    }

private:
    SplitStep split_;
    ScanCounts counts_;
};

/// A step of the backward: (gradients of carried values, accumulated gradients of shared operands, tangents of the
/// step's results, saved xs, saved values of the step, saved shared operands) -> (the first two for the previous step,
/// gradients of the xs).
class ScanBackward final : public SubgraphFunction {
public:
    /// `differentiable`: by operand of the step.
    ScanBackward(const SplitStep& split, ScanCounts counts, std::vector<bool> differentiable, std::size_t tangents)
        : split_(split), counts_(counts), differentiable_(std::move(differentiable)), tangents_(tangents) {}

    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        return subgraphFunction(split_.backward)->locations();
    }

    TensorVector run(const TensorVector& operands, LocationSink* sink) const override {
        using Group = ScanCounts::Group;
        OperandList list(operands);
        const TensorVector carried = list.take(count(Group::carried)), shared = list.take(count(Group::additional)),
                           tangents = list.take(tangents_), xs = list.take(savedOf(Group::xs)),
                           made = list.take(split_.saved.size() - savedOf(Group::xs) - savedOf(Group::additional)),
                           additional = list.rest();
        auto nextX = xs.begin(), nextMade = made.begin(), nextAdditional = additional.begin();
        TensorVector saved;
        for (const auto& operand : split_.saved) {
            const Group group = operand ? counts_.groupOf(*operand) : Group::carried;
            saved.push_back(group == Group::xs ? *nextX++ : group == Group::carried ? *nextMade++ : *nextAdditional++);
        }
        const TensorVector gradients =
            subgraphFunction(split_.backward)->run(joined(joined(saved, carried), tangents), sink);
        TensorVector results = ofGroup(gradients, Group::carried);
        const TensorVector more = ofGroup(gradients, Group::additional);
        for (std::size_t i = 0; i < shared.size(); ++i) results.push_back(at::add(shared[i], more[i]));
        return joined(results, ofGroup(gradients, Group::xs));
    }

private:
    std::size_t savedOf(ScanCounts::Group group) const {
        return static_cast<std::size_t>(std::count_if(split_.saved.begin(), split_.saved.end(), [&](const auto& saved) {
            return saved && counts_.groupOf(*saved) == group;
        }));
    }
    std::size_t count(ScanCounts::Group group) const {
        std::size_t found = 0;
        for (std::size_t i = 0; i < differentiable_.size(); ++i)
            if (differentiable_[i] && counts_.groupOf(i) == group) ++found;
        return found;
    }
    TensorVector ofGroup(const TensorVector& gradients, ScanCounts::Group group) const {
        TensorVector found;
        for (std::size_t i = 0; i < differentiable_.size(); ++i)
            if (differentiable_[i] && counts_.groupOf(i) == group) found.push_back(gradients.at(i));
        return found;
    }

    SplitStep split_;
    ScanCounts counts_;
    std::vector<bool> differentiable_;
    std::size_t tangents_;
};

class ScanGradient final : public HigherOrderGradient {
public:
    explicit ScanGradient(const HigherOrderCall& call)
        : counts_{call.groups[0].size(), call.groups[1].size(), call.groups[2].size()} {
        std::vector<bool> wanted;
        bool real = true;
        for (std::size_t i = 0; i < call.groups.size(); ++i)
            for (const at::Tensor& tensor : call.groups[i]) {
                real = real && !asFake(tensor) && !at::functionalization::impl::isFunctionalTensor(tensor);
                differentiable_.push_back(isDifferentiable(tensor));
                // Carried values may depend on others that need gradients in a later step.
                wanted.push_back(differentiable_.back() && (i == 0 || tensor.requires_grad()));
            }
        split_ = splitStep(call.subgraphs[0], findHigherOrder("scan")->stepInputs(call), wanted, real);
    }

    Forward forward(const HigherOrderCall& call) override {
        const HigherOrderCall saving{{toIValue(c10::make_intrusive<ScanForward>(split_, counts_))}, call.groups};
        TensorVector all = callHigherOrder("scan", saving);
        std::size_t saved = 0;
        for (const auto& operand : split_.saved)
            if (!operand || counts_.groupOf(*operand) == ScanCounts::Group::carried) ++saved;
        const auto kept = all.end() - static_cast<std::ptrdiff_t>(saved);
        return {TensorVector(all.begin(), kept), TensorVector(kept, all.end())};
    }

    TensorVector backward(const HigherOrderCall& call, const TensorVector& kept,
                          const TensorVector& tangents) const override {
        const auto behind = tangents.begin() + static_cast<std::ptrdiff_t>(counts_.carried);
        const TensorVector ofCarried = defined({tangents.begin(), behind}), ofSteps = defined({behind, tangents.end()});
        const TensorVector shared = differentiable(call.groups[2]);
        HigherOrderCall reverse;
        reverse.subgraphs = {
            toIValue(c10::make_intrusive<ScanBackward>(split_, counts_, differentiable_, ofSteps.size()))};
        reverse.groups = {joined(ofCarried, zerosLike(shared)),
                          flipped(joined(joined(ofSteps, saved(call, ScanCounts::Group::xs)), kept)),
                          saved(call, ScanCounts::Group::additional)};
        const TensorVector found = callHigherOrder("scan", reverse);
        OperandList list(found);
        TensorVector results = withUndefined(list.take(ofCarried.size()), call.groups[0]);
        const TensorVector ofShared = withUndefined(list.take(shared.size()), call.groups[2]);
        results = joined(results, withUndefined(flipped(list.rest()), call.groups[1]));
        return joined(results, ofShared);
    }

private:
    /// Operands that are saved directly.
    TensorVector saved(const HigherOrderCall& call, ScanCounts::Group group) const {
        const TensorVector operands = joined(joined(call.groups[0], call.groups[1]), call.groups[2]);
        TensorVector found;
        for (const auto& operand : split_.saved)
            if (operand && counts_.groupOf(*operand) == group) found.push_back(operands.at(*operand));
        return found;
    }

    ScanCounts counts_;
    std::vector<bool> differentiable_;
    SplitStep split_;
};

}  // namespace

std::unique_ptr<HigherOrderGradient> gradientOfScan(const HigherOrderCall& call) {
    return std::make_unique<ScanGradient>(call);
}

}  // namespace aotscope
