#include "compile/fused/candidate_search.h"
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
        member_ = &member;
        const Node* value = member.operation->value;
        const std::int64_t item = value == member.operation->call ? 0 : *value->args()[1].integer();
        const LoweredResults results = lower(*member.operation->call, builder_, *this);
        values_[value] = results.at(static_cast<std::size_t>(item));
    }
    Expr value(const Node* node) const { return values_.at(node); }

    Expr tensor(const Node& node) override {
        const DType dtype = node.type.tensor()->dtype;
        if (const auto fill = fillOf(*seeThrough(node).node)) return constant(*fill, dtype);
        const auto& tensors = member_->operation->tensors;
        const SeenTensor& seen =
            *std::find_if(tensors.begin(), tensors.end(), [&](const SeenTensor& t) { return t.argument == &node; });
        if (const auto it = values_.find(seen.node); it != values_.end()) return it->second;
        GroupTensor input{seen.node, std::vector<int>(candidate_.sizes.size(), -1)};
        for (std::size_t i = 0; i < seen.dimensions.size(); ++i)
            if (const int place = member_->place(seen, i); place >= 0)
                input.dimensions[static_cast<std::size_t>(place)] = seen.dimensions[i];
        return builder_.load(placeOf(group_.inputs, input), dtype);
    }

    Expr number(const Node& node) override {
        const bool isReal = node.type.scalar()->kind == ScalarType::Kind::real;
        return builder_.number(placeOf(group_.numbers, &node), isReal ? ComputeType::f64 : ComputeType::i64);
    }

private:
    Expr constant(const Argument& fill, DType dtype) {
        if (const auto* integer = fill.integer())
            return convert(builder_.constant(promotedType(dtype), *integer), dtype);
        const auto* truth = std::get_if<bool>(&fill.value);
        const double value = truth ? (*truth ? 1 : 0) : std::get<double>(fill.value);
        return convert(builder_.constant(promotedType(dtype), value), dtype);
    }

    const FusionCandidate& candidate_;
    FusionGroup& group_;
    KernelBuilder& builder_;
    const CandidateMember* member_ = nullptr;
    std::unordered_map<const Node*, Expr> values_;
};

/// Removes instructions that no output depends on, and inputs and numbers that no instruction reads.
void prune(FusionGroup& group) {
    auto& code = group.kernel.code;
    std::vector<std::int32_t> place(code.size(), -1);
    const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    for (const KernelOutput& output : group.kernel.outputs) place[index(output.value)] = 0;
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
        if (instruction.op == Opcode::load)
            instruction.index = static_cast<std::int32_t>(placeOf(inputs, group.inputs[index(instruction.index)]));
        if (instruction.op == Opcode::number)
            instruction.index = static_cast<std::int32_t>(placeOf(numbers, group.numbers[index(instruction.index)]));
        place[i] = static_cast<std::int32_t>(kept.size());
        kept.push_back(instruction);
    }
    for (KernelOutput& output : group.kernel.outputs) output.value = place[index(output.value)];
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
        check(isOne(group.sizes[d]) || std::any_of(group.inputs.begin(), group.inputs.end(), tells),
              "each size of a kernel's space is that of an input");
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
    }
    for (const Node* node : outputs) {
        builder.kernel.outputs.push_back({source.value(node).id, node->type.tensor()->dtype});
        group.outputs.push_back(outputOf(*candidate.find(node), candidate.sizes.size()));
    }
    group.kernel = std::move(builder.kernel);
    prune(group);
    describeOperands(group.kernel, group);
    checkKept(group, candidate);
    checkSizes(group);
    return group;
}

}  // namespace aotscope
