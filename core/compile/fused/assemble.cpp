#include "compile/fused/candidate_search.h"
#include "compile/fused/index_call.h"
#include "compile/fused/positional.h"
#include "support/error.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

template <typename T>
std::size_t placeOf(std::vector<T>& list, const T& value) {
    const auto it = std::find(list.begin(), list.end(), value);
    const auto place = static_cast<std::size_t>(it - list.begin());
    if (it == list.end()) list.push_back(value);
    return place;
}

/// Finds the operands of a candidate's members: other members, inputs, or known numbers.
class CandidateSource final : public OperandSource {
public:
    CandidateSource(const FusionCandidate& candidate, FusionGroup& group, KernelBuilder& builder)
        : candidate_(candidate), group_(group), builder_(builder) {}

    void emit(const CandidateMember& member) {
        if (!member.operation->puts.empty()) return;
        member_ = &member;
        const Node* value = member.operation->value;
        const std::int64_t item = value == member.operation->call ? 0 : *value->args()[1].integer();
        const LoweredResults results = lower(*member.operation->call, builder_, *this);
        values_[value] = results.at(static_cast<std::size_t>(item));
    }
    Expr value(const Node* node) const { return values_.at(node); }

    Expr tensor(const Node& node) override {
        const DType dtype = node.type.tensor()->dtype;
        if (const auto fill = fillOf(*seeThrough(node).node)) return valueOfFill(*fill, dtype, builder_);
        if (const SeenTensor* position = find(member_->operation->positions, node)) {
            std::vector<int> place;
            for (std::size_t i = 0; i < node.type.tensor()->sizes.size(); ++i)
                place.push_back(member_->place(*position, i));
            return positionalValue(node, place, builder_);
        }
        const SeenTensor& seen = *find(member_->operation->tensors, node);
        if (const auto it = values_.find(seen.node); it != values_.end()) return it->second;
        return builder_.load(placeOf(group_.inputs, inSpace(seen)), dtype);
    }

    std::size_t indexed(const Node& node) override {
        for (const SeenTensor& seen : member_->operation->tensors)
            if (seen.argument == &node && !seen.indexed.empty()) return placeOf(group_.inputs, inSpace(seen));
        check(false, "an indexed tensor is read");
        return 0;
    }

    /// Adds the values of a member's calls to output `place`, or to the first of several.
    void accumulate(const CandidateMember& member, std::size_t place) {
        member_ = &member;
        for (const Node* put : member.operation->puts) {
            const IndexCall call = *indexCallOf(*put);
            KernelOutput output{tensor(*call.values).id, put->type.tensor()->dtype};
            const auto first = static_cast<std::int32_t>(builder_.kernel.outputs.size());
            const std::int32_t target = put == member.operation->puts.front() ? first : firstOf_;
            firstOf_ = target;
            const std::vector<Expr> offsets = offsetsOf(call, -1 - target, builder_, *this);
            for (std::size_t i = 0; i < offsets.size(); ++i) output.offsets.at(i) = offsets[i].id;
            builder_.kernel.outputs.push_back(output);
            group_.targets.push_back(place);
        }
    }

    GroupTensor inSpace(const CandidateMember& member, const SeenTensor& seen) const {
        GroupTensor tensor{seen.node, std::vector<int>(candidate_.sizes.size(), -1), seen.indexed};
        for (std::size_t i = 0; i < seen.dimensions.size(); ++i)
            if (const int place = member.place(seen, i); place >= 0)
                tensor.dimensions[static_cast<std::size_t>(place)] = seen.dimensions[i];
        return tensor;
    }

    Expr number(const Node& node) override {
        const bool isReal = node.type.scalar()->kind == ScalarType::Kind::real;
        return builder_.number(placeOf(group_.numbers, &node), isReal ? ComputeType::f64 : ComputeType::i64);
    }

private:
    static const SeenTensor* find(const std::vector<SeenTensor>& list, const Node& argument) {
        const auto it = std::find_if(list.begin(), list.end(), [&](const SeenTensor& tensor) {
            return tensor.argument == &argument && tensor.indexed.empty();
        });
        return it == list.end() ? nullptr : &*it;
    }
    GroupTensor inSpace(const SeenTensor& seen) const { return inSpace(*member_, seen); }

    const FusionCandidate& candidate_;
    FusionGroup& group_;
    KernelBuilder& builder_;
    const CandidateMember* member_ = nullptr;
    std::int32_t firstOf_ = 0;  ///< the first output of the kernel that goes into a tensor
    std::unordered_map<const Node*, Expr> values_;
};

/// Removes instructions that no output depends on, and inputs and numbers that no instruction reads.
void prune(FusionGroup& group) {
    auto& code = group.kernel.code;
    std::vector<std::int32_t> place(code.size(), -1);
    const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    for (const KernelOutput& output : group.kernel.outputs) {
        place[index(output.value)] = 0;
        for (const std::int32_t offset : output.offsets)
            if (offset >= 0) place[index(offset)] = 0;
    }
    for (std::size_t i = code.size(); i-- > 0;)
        for (const std::int32_t operand : code[i].operands)
            if (place[i] == 0 && operand >= 0) place[index(operand)] = 0;
    std::vector<Instruction> kept;
    std::vector<GroupTensor> inputs;
    std::vector<const Node*> numbers;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (place[i] < 0) continue;
        Instruction instruction = code[i];
        for (std::int32_t& operand : instruction.operands)
            if (operand >= 0) operand = place[index(operand)];
        const bool reads = readsInput(instruction.op) || (instruction.op == Opcode::offset && instruction.index >= 0);
        if (reads)
            instruction.index = static_cast<std::int32_t>(placeOf(inputs, group.inputs[index(instruction.index)]));
        if (instruction.op == Opcode::number)
            instruction.index = static_cast<std::int32_t>(placeOf(numbers, group.numbers[index(instruction.index)]));
        place[i] = static_cast<std::int32_t>(kept.size());
        kept.push_back(instruction);
    }
    for (KernelOutput& output : group.kernel.outputs) {
        output.value = place[index(output.value)];
        for (std::int32_t& offset : output.offsets)
            if (offset >= 0) offset = place[index(offset)];
    }
    code = std::move(kept);
    group.inputs = std::move(inputs);
    group.numbers = std::move(numbers);
}

void describeOperands(Kernel& kernel, const FusionGroup& group) {
    for (const GroupTensor& input : group.inputs) kernel.inputs.push_back(input.node->type.tensor()->dtype);
    for (const Node* number : group.numbers)
        kernel.numbers.push_back(number->type.scalar()->kind == ScalarType::Kind::real ? ComputeType::f64
                                                                                       : ComputeType::i64);
}

GroupTensor outputOf(const CandidateMember& member, std::size_t rank) {
    const Node* node = member.operation->value;
    GroupTensor output{node, std::vector<int>(rank, -1)};
    for (std::size_t d = 0; d < node->type.tensor()->sizes.size(); ++d)
        if (member.place(d) >= 0 && !isOne(sizeOf(*node->type.tensor(), d)))
            output.dimensions[static_cast<std::size_t>(member.place(d))] = static_cast<int>(d);
    return output;
}

/// The sizes of the space must follow from the inputs.
void checkSizes(const FusionGroup& group) {
    for (std::size_t d = 0; d < group.sizes.size(); ++d) {
        const auto tells = [&](const GroupTensor& input) {
            return input.dimensions[d] >= 0 &&
                   !isOne(sizeOf(*input.node->type.tensor(), static_cast<std::size_t>(input.dimensions[d])));
        };
        const bool isFixed = group.kernel.reduced.empty() && group.sizes[d].isNumber();
        check(isOne(group.sizes[d]) || isFixed || std::any_of(group.inputs.begin(), group.inputs.end(), tells),
              "each size of a kernel's space is fixed, or that of an input");
    }
}

/// Checks that candidate and kernel agree on which outputs are kept.
void checkKept(const FusionGroup& group, const FusionCandidate& candidate) {
    const std::vector<bool> kept = keptOnly(group.kernel);
    for (std::size_t i = 0; i < group.outputs.size() && !candidate.reduced.empty(); ++i)
        check(kept[static_cast<std::size_t>(group.kernel.outputs[i].value)] ==
                  candidate.find(group.outputs[i].node)->kept,
              "an output of a kernel is there once for all reduced positions if it follows from reductions alone");
}

}  // namespace

FusionGroup groupOf(const FusionCandidate& candidate, const std::vector<const Node*>& outputs) {
    FusionGroup group;
    group.sizes = candidate.sizes;
    KernelBuilder builder;
    builder.kernel.rank = static_cast<int>(candidate.sizes.size());
    builder.kernel.reduced = candidate.reduced;
    CandidateSource source(candidate, group, builder);
    for (const CandidateMember& member : candidate.members) {
        source.emit(member);
        if (std::find(group.nodes.begin(), group.nodes.end(), member.operation->call) == group.nodes.end())
            group.nodes.push_back(member.operation->call);
        group.nodes.insert(group.nodes.end(), member.operation->absorbed.begin(), member.operation->absorbed.end());
    }
    builder.kernel.sequential = candidate.sequential();
    for (const Node* node : outputs) {
        const CandidateMember& member = *candidate.find(node);
        const FusibleOperation& operation = *member.operation;
        group.bases.push_back(operation.target.node);
        if (operation.puts.empty()) {
            builder.kernel.outputs.push_back({source.value(node).id, node->type.tensor()->dtype});
            group.targets.push_back(group.outputs.size());
            group.outputs.push_back(outputOf(member, candidate.sizes.size()));
        } else {
            source.accumulate(member, group.outputs.size());
            GroupTensor output = source.inSpace(member, operation.target);
            output.node = node;
            group.outputs.push_back(std::move(output));
        }
    }
    group.kernel = std::move(builder.kernel);
    prune(group);
    describeOperands(group.kernel, group);
    checkKept(group, candidate);
    checkSizes(group);
    return group;
}

}  // namespace aotscope
