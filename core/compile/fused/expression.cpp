#include "compile/fused/expression.h"

#include "support/error.h"

#include <algorithm>
#include <bit>

namespace aotscope {

namespace {

bool givesBoolean(Opcode op) {
    return (op >= Opcode::equal && op <= Opcode::greaterEqual) || op == Opcode::isNan || op == Opcode::isInf;
}

/// Bitwise equality, so that zeros keep their signs and NaN equals itself.
bool isSame(const Instruction& a, const Instruction& b) {
    Instruction first = a, second = b;
    first.real = second.real = 0;
    return first == second && std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real);
}

}  // namespace

bool isKernelType(DType dtype) {
    const bool isWideUnsigned = dtype == DType::u16 || dtype == DType::u32 || dtype == DType::u64;
    return computeTypeOf(dtype) && !isWideUnsigned;
}

ComputeType promotedType(DType dtype) {
    check(isKernelType(dtype), "kernels have no values of this type");
    return *computeTypeOf(dtype);
}

Expr KernelBuilder::add(Instruction instruction) {
    auto& code = kernel.code;
    auto it = std::find_if(code.begin(), code.end(), [&](const Instruction& i) { return isSame(i, instruction); });
    if (it == code.end()) it = code.insert(it, instruction);
    return {this, static_cast<std::int32_t>(it - code.begin()), instruction.computeType};
}

Expr KernelBuilder::load(std::size_t input, DType dtype) {
    Instruction load{Opcode::load, promotedType(dtype)};
    load.index = static_cast<std::int32_t>(input);
    return add(load);
}

Expr KernelBuilder::gather(std::size_t input, DType dtype, const std::vector<Expr>& offsets) {
    Instruction gather{Opcode::gather, promotedType(dtype)};
    gather.index = static_cast<std::int32_t>(input);
    for (std::size_t i = 0; i < offsets.size(); ++i) gather.operands.at(i) = offsets[i].id;
    return add(gather);
}

Expr KernelBuilder::position(int dimension) {
    Instruction position{Opcode::position, ComputeType::i64};
    position.dimension = dimension;
    return add(position);
}

Expr KernelBuilder::number(std::size_t index, ComputeType computeType) {
    Instruction number{Opcode::number, computeType};
    number.index = static_cast<std::int32_t>(index);
    return add(number);
}

Expr KernelBuilder::constant(ComputeType computeType, double value) {
    if (!isReal(computeType))
        return constant(computeType, computeType == ComputeType::boolean ? std::int64_t{value != 0}
                                                                         : static_cast<std::int64_t>(value));
    Instruction constant{Opcode::constant, computeType};
    constant.real = value;
    return add(constant);
}

Expr KernelBuilder::constant(ComputeType computeType, std::int64_t value) {
    if (isReal(computeType)) return constant(computeType, static_cast<double>(value));
    Instruction constant{Opcode::constant, computeType};
    constant.integer = computeType == ComputeType::boolean ? std::int64_t{value != 0} : value;
    return add(constant);
}

Expr constantLike(Expr like, double value) { return like.builder->constant(like.computeType, value); }

Expr convert(Expr a, ComputeType computeType) {
    if (a.computeType == computeType) return a;
    const Instruction& made = a.builder->kernel.code[static_cast<std::size_t>(a.id)];
    if (made.op == Opcode::constant)
        return isReal(a.computeType) ? a.builder->constant(computeType, made.real)
                                     : a.builder->constant(computeType, made.integer);
    Instruction convert{Opcode::convert, computeType};
    convert.operands[0] = a.id;
    return a.builder->add(convert);
}

Expr convert(Expr a, DType dtype) {
    const Expr converted = convert(a, promotedType(dtype));
    if (storedAsComputed(dtype)) return converted;
    Instruction narrow{Opcode::narrow, converted.computeType};
    narrow.operands[0] = converted.id;
    narrow.dtype = dtype;
    const Instruction& made = a.builder->kernel.code[static_cast<std::size_t>(converted.id)];
    return made.op == Opcode::narrow && made.dtype == dtype ? converted : a.builder->add(narrow);
}

Expr apply(Opcode op, Expr a) {
    Instruction made{op, givesBoolean(op) ? ComputeType::boolean : a.computeType};
    made.operands[0] = a.id;
    return a.builder->add(made);
}

Expr apply(Opcode op, Expr a, Expr b) {
    check(a.computeType == b.computeType, "the operands of an instruction are of one compute type");
    Instruction made{op, givesBoolean(op) ? ComputeType::boolean : a.computeType};
    made.operands = {a.id, b.id, -1};
    return a.builder->add(made);
}

Expr where(Expr condition, Expr a, Expr b) {
    check(condition.computeType == ComputeType::boolean && a.computeType == b.computeType,
          "'where' takes a truth value and two of one compute type");
    Instruction made{Opcode::where, a.computeType};
    made.operands = {condition.id, a.id, b.id};
    return a.builder->add(made);
}

}  // namespace aotscope
