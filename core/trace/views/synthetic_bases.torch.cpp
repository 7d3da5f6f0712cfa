#include "trace/views/synthetic_bases.h"

#include "aten/convert.h"
#include "aten/overlap.h"
#include "aten/regenerate_alias.h"
#include "aten/tensors.h"
#include "support/error.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

using Arguments = std::vector<c10::IValue>;

/// A one-dimensional view of the whole storage of `t`.
at::Tensor wholeStorageOf(const at::Tensor& t) { return at::empty({0}, t.options()).set_(t.storage()); }

bool coversStorage(const at::Tensor& t) {
    return t.is_non_overlapping_and_dense() && t.nbytes() == t.storage().nbytes();
}

at::Tensor makeBase(const GraphInput& input, const Arguments& arguments) {
    const at::Tensor& first = arguments[input.arguments.front()].toTensor();
    return input.wholeStorage ? wholeStorageOf(first) : baseOf(first);
}

class Planner {
public:
    Planner(const FunctionMetadata& metadata, const Arguments& arguments)
        : metadata_(metadata), arguments_(arguments), plan_(CallingConvention::plain(arguments.size())) {}

    CallingConvention run() {
        findDuplicates();
        plan_.inputs.clear();
        for (const auto& group : overlappingGroups()) addBase(group);
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (plan_.isDuplicate(i)) plan_.arguments[i] = plan_.arguments[plan_.duplicateOf[i]];
            else if (!plan_.arguments[i].view) {
                plan_.arguments[i].input = plan_.inputs.size();
                plan_.inputs.push_back({{i}, false, false});
            }
        }
        return std::move(plan_);
    }

private:
    bool mutated(std::size_t i) const { return metadata_.inputs[i].mutation != MutationType::notMutated; }
    const at::Tensor& tensor(std::size_t i) const { return arguments_[i].toTensor(); }
    std::string name(std::size_t i) const { return "'" + metadata_.inputs[i].name + "'"; }

    /// Duplicates that are not mutated may be separate inputs: autograd adds their gradients.
    void findDuplicates() {
        std::unordered_map<const c10::TensorImpl*, std::size_t> first;
        std::vector<std::size_t> duplicateOf;
        bool specialise = false;
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            duplicateOf.push_back(
                isTensor(arguments_[i]) ? first.emplace(tensor(i).unsafeGetTensorImpl(), i).first->second : i);
            specialise = specialise || (duplicateOf[i] != i && (mutated(i) || mutated(duplicateOf[i])));
        }
        if (specialise) plan_.duplicateOf = std::move(duplicateOf);
    }

    /// For each storage, the arguments that overlap another one, if one of them is mutated; and all mutated ones, since
    /// writing the base back writes all of its memory.
    std::vector<std::vector<std::size_t>> overlappingGroups() const {
        std::unordered_map<const c10::StorageImpl*, std::size_t> indexOf;
        std::vector<std::vector<std::size_t>> sharing, groups;
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (!isTensor(arguments_[i]) || plan_.isDuplicate(i)) continue;
            const auto [it, isNew] = indexOf.emplace(storageOf(tensor(i)), sharing.size());
            if (isNew) sharing.emplace_back();
            sharing[it->second].push_back(i);
        }
        for (const auto& members : sharing)
            if (auto group = overlapping(members); !group.empty()) groups.push_back(std::move(group));
        return groups;
    }

    /// Whether the program may access memory outside of a mutated argument, which its updated value would not have.
    bool reachesBeyond(std::size_t i) const {
        return metadata_.inputs[i].restrided && metadata_.inputs[i].mutatesData && !coversStorage(tensor(i));
    }

    std::vector<std::size_t> overlapping(const std::vector<std::size_t>& members) const {
        const auto changed = [&](std::size_t i) { return metadata_.inputs[i].mutatesData; };
        if (std::none_of(members.begin(), members.end(), changed)) return {};
        std::vector<std::size_t> group;
        bool needed = false;
        for (const std::size_t i : members) {
            const bool shares = std::any_of(members.begin(), members.end(),
                                            [&](std::size_t k) { return k != i && overlap(tensor(i), tensor(k)); });
            needed = needed || (shares && changed(i)) || reachesBeyond(i);
            if (shares || changed(i)) group.push_back(i);
        }
        return needed ? group : std::vector<std::size_t>();
    }

    void addBase(const std::vector<std::size_t>& group) {
        GraphInput input{group, true, false};
        const at::Tensor base = baseOf(tensor(group.front()));
        for (const std::size_t i : group) {
            requireSameDtype(group.front(), i);
            if (!baseOf(tensor(i)).is_same(base) || (reachesBeyond(i) && !coversStorage(base))) {
                requireNoGradients(group, i);
                input.wholeStorage = true;
            }
        }
        if (base.scalar_type() != tensor(group.front()).scalar_type()) {
            requireNoGradients(group, group.back());
            input.wholeStorage = true;
        }
        for (const std::size_t i : group) {
            plan_.arguments[i] = {plan_.inputs.size(), typeOf(tensor(i))};
            plan_.arguments[i].view->requiresGrad = tensor(i).requires_grad();
            plan_.arguments[i].view->device = metadata_.inputs[i].tensor->device;  // examples may have no device
        }
        plan_.inputs.push_back(std::move(input));
    }

    void requireSameDtype(std::size_t a, std::size_t b) const {
        if (tensor(a).scalar_type() == tensor(b).scalar_type()) return;
        throw Error("inputs " + name(a) + " and " + name(b) + " share memory that the model mutates, but as " +
                    std::string(longName(toDType(tensor(a).scalar_type()))) + " and " +
                    std::string(longName(toDType(tensor(b).scalar_type()))) +
                    ": input mutations on views with different dtypes are not handled; pass tensors with memory of "
                    "their own, for example a clone");
    }

    /// Without gradients, any views of one storage are allowed; otherwise autograd must know their base.
    void requireNoGradients(const std::vector<std::size_t>& group, std::size_t b) const {
        const auto differentiable = [&](std::size_t i) { return metadata_.inputs[i].requiresGrad; };
        if (!metadata_.needsAutograd || std::none_of(group.begin(), group.end(), differentiable)) return;
        const std::size_t a = group.front();
        throw Error(
            "inputs " + name(a) + " and " + name(b) +
            " share storage that the model mutates, but are not differentiable views of each other: "
            "non-differentiable view input mutations are not handled; pass views of one tensor, or tensors with "
            "memory of their own, for example a clone");
    }

    const FunctionMetadata& metadata_;
    const Arguments& arguments_;
    CallingConvention plan_;
};

/// How `now` shares memory differently, as a clause.
std::string difference(const FunctionMetadata& metadata, const CallingConvention& now) {
    const CallingConvention& then = metadata.convention;
    const auto name = [&](std::size_t i) { return "'" + metadata.inputs[i].name + "'"; };
    for (std::size_t i = 0; i < then.duplicateOf.size(); ++i) {
        if (then.duplicateOf[i] == now.duplicateOf[i]) continue;
        if (then.isDuplicate(i))
            return "it was compiled under the assumption that input " + name(i) + " would be a duplicate of input " +
                   name(then.duplicateOf[i]) + ", which it is not";
        return "input " + name(i) + " is a duplicate of input " + name(now.duplicateOf[i]) +
               ", which it was not when it was compiled";
    }
    const auto names = [&](const GraphInput& base) {
        std::string text;
        for (const std::size_t i : base.arguments) text += (text.empty() ? "" : ", ") + name(i);
        return text;
    };
    const auto onlyIn = [](const CallingConvention& one, const CallingConvention& other) {
        return std::ranges::find_if(one.inputs, [&](const GraphInput& input) {
            return input.syntheticBase && std::ranges::find(other.inputs, input) == other.inputs.end();
        });
    };
    if (const auto base = onlyIn(then, now); base != then.inputs.end())
        return "inputs " + names(*base) + " do not share the memory that is mutated, as they did when it was compiled";
    const auto base = onlyIn(now, then);
    return base == now.inputs.end()
               ? "mutated inputs share memory in another way than when it was compiled"
               : "inputs " + names(*base) + " share memory that is mutated, which they did not when it was compiled";
}

}  // namespace

CallingConvention planConvention(const FunctionMetadata& metadata, const Arguments& arguments) {
    return Planner(metadata, arguments).run();
}

Arguments packArguments(const CallingConvention& convention, const Arguments& arguments) {
    if (convention.isPlain()) return arguments;
    Arguments packed;
    for (const GraphInput& input : convention.inputs)
        packed.push_back(input.syntheticBase ? c10::IValue(makeBase(input, arguments))
                                             : arguments[input.arguments.front()]);
    return packed;
}

Arguments unpackArguments(const FunctionMetadata& metadata, const Arguments& inputs, const Arguments& examples) {
    const CallingConvention& convention = metadata.convention;
    Arguments arguments;
    for (std::size_t i = 0; i < convention.arguments.size(); ++i) {
        const ArgumentSource& source = convention.arguments[i];
        if (convention.isDuplicate(i)) arguments.push_back(arguments[convention.duplicateOf[i]]);
        else if (!source.view) arguments.push_back(inputs[source.input]);
        else {
            const at::Tensor& base = inputs[source.input].toTensor();
            const at::Tensor view = viewByStrides(base, *source.view, examples[i].toTensor());
            arguments.emplace_back(matchGradient(view, base, source.view->requiresGrad));
        }
    }
    return arguments;
}

std::optional<std::string> failedAliasing(const FunctionMetadata& metadata, const Arguments& arguments) {
    if (!metadata.mutatesInputs()) return std::nullopt;
    try {
        const CallingConvention now = planConvention(metadata, arguments);
        if (now.inputs == metadata.convention.inputs && now.duplicateOf == metadata.convention.duplicateOf)
            return std::nullopt;
        return difference(metadata, now);
    } catch (const Error& e) {
        return e.what();
    }
}

}  // namespace aotscope
