#include "compile/fused/index_call.h"
#include "compile/fused/lowering.h"

namespace aotscope {

std::vector<Expr> offsetsOf(const IndexCall& call, std::int32_t tensor, KernelBuilder& builder, OperandSource& source) {
    std::vector<Expr> offsets;
    for (const IndexedDimension& indexed : call.indexed) {
        Instruction offset{Opcode::offset, ComputeType::i64};
        offset.operands[0] = convert(source.tensor(*indexed.index), ComputeType::i64).id;
        offset.index = tensor;
        offset.indexed = static_cast<std::int32_t>(offsets.size());
        offset.dimension = indexed.dimension;
        offset.rule = call.rule;
        offsets.push_back(builder.add(offset));
    }
    return offsets;
}

namespace {

LoweredResults gathered(LoweredCall& c) { return {c.gathered()}; }

}  // namespace

LoweringTable indexLowerings() {
    using enum Lowering::Shape;
    return {
        {"aten._unsafe_index.Tensor", {gathered, gather}}, {"aten.index.Tensor", {gathered, gather}},
        {"aten.embedding.default", {gathered, gather}},    {"aten.index_select.default", {gathered, gather}},
        {"aten.gather.default", {gathered, gather}},
    };
}

}  // namespace aotscope
