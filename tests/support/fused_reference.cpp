#include "support/fused_reference.h"

#include <ATen/ATen.h>

namespace aotscope::test {

at::ScalarType scalarType(ComputeType computeType) {
    switch (computeType) {
        case ComputeType::f32: return at::kFloat;
        case ComputeType::f64: return at::kDouble;
        case ComputeType::i64: return at::kLong;
        default: return at::kBool;
    }
}

int KernelMaker::load(DType dtype, ComputeType computeType) {
    const int value = op(Opcode::load, computeType, {});
    kernel.code.back().index = static_cast<int>(kernel.inputs.size());
    kernel.inputs.push_back(dtype);
    return value;
}

int KernelMaker::number(ComputeType computeType) {
    const int value = op(Opcode::number, computeType, {});
    kernel.code.back().index = static_cast<int>(kernel.numbers.size());
    kernel.numbers.push_back(computeType);
    return value;
}

int KernelMaker::constant(ComputeType computeType, double value) {
    const int result = op(Opcode::constant, computeType, {});
    kernel.code.back().real = value;
    kernel.code.back().integer = static_cast<std::int64_t>(value);
    return result;
}

int KernelMaker::op(Opcode op, ComputeType computeType, std::initializer_list<int> operands) {
    Instruction instruction;
    instruction.op = op;
    instruction.computeType = computeType;
    std::copy(operands.begin(), operands.end(), instruction.operands.begin());
    kernel.code.push_back(instruction);
    return static_cast<int>(kernel.code.size()) - 1;
}

namespace {

at::Tensor applyTwo(Opcode op, const at::Tensor& a, const at::Tensor& b) {
    switch (op) {
        case Opcode::add: return a + b;
        case Opcode::sub: return a - b;
        case Opcode::mul: return a * b;
        case Opcode::div: return a / b;
        case Opcode::floorDivide: return at::div(a, b, "floor");
        case Opcode::truncDivide: return at::div(a, b, "trunc");
        case Opcode::fmod: return at::fmod(a, b);
        case Opcode::remainder: return at::remainder(a, b);
        case Opcode::pow: return at::pow(a, b);
        case Opcode::atan2: return at::atan2(a, b);
        case Opcode::hypot: return at::hypot(a, b);
        case Opcode::copysign: return at::copysign(a, b);
        case Opcode::minimum: return at::minimum(a, b);
        case Opcode::maximum: return at::maximum(a, b);
        case Opcode::bitAnd: return at::bitwise_and(a, b);
        case Opcode::bitOr: return at::bitwise_or(a, b);
        case Opcode::bitXor: return at::bitwise_xor(a, b);
        case Opcode::equal: return a == b;
        case Opcode::notEqual: return a != b;
        case Opcode::less: return a < b;
        case Opcode::lessEqual: return a <= b;
        case Opcode::greater: return a > b;
        case Opcode::greaterEqual: return a >= b;
        default: TORCH_CHECK(false, "no reference for ", name(op));
    }
}

/// The part of the standard normal distribution that is below `a`.
at::Tensor below(const at::Tensor& a) { return a.mul(0.7071067811865476).erf().add(1).mul(0.5); }

at::Tensor applyOne(Opcode op, const at::Tensor& a) {
    switch (op) {
        case Opcode::bitNot: return at::bitwise_not(a);
        case Opcode::neg: return -a;
        case Opcode::abs: return at::abs(a);
        case Opcode::sign: return at::sign(a);
        case Opcode::reciprocal: return at::reciprocal(a);
        case Opcode::sqrt: return at::sqrt(a);
        case Opcode::rsqrt: return at::rsqrt(a);
        case Opcode::exp: return at::exp(a);
        case Opcode::exp2: return at::exp2(a);
        case Opcode::expm1: return at::expm1(a);
        case Opcode::log: return at::log(a);
        case Opcode::log2: return at::log2(a);
        case Opcode::log10: return at::log10(a);
        case Opcode::log1p: return at::log1p(a);
        case Opcode::sin: return at::sin(a);
        case Opcode::cos: return at::cos(a);
        case Opcode::tan: return at::tan(a);
        case Opcode::asin: return at::asin(a);
        case Opcode::acos: return at::acos(a);
        case Opcode::atan: return at::atan(a);
        case Opcode::sinh: return at::sinh(a);
        case Opcode::cosh: return at::cosh(a);
        case Opcode::tanh: return at::tanh(a);
        case Opcode::asinh: return at::asinh(a);
        case Opcode::acosh: return at::acosh(a);
        case Opcode::atanh: return at::atanh(a);
        case Opcode::erf: return at::erf(a);
        case Opcode::erfc: return at::erfc(a);
        case Opcode::gelu: return a.mul(below(a));
        case Opcode::geluSlope: return below(a).add(a.mul(a).mul(-0.5).exp().mul(a).mul(0.3989422804014327));
        case Opcode::sigmoid: return at::sigmoid(a);
        case Opcode::floor: return at::floor(a);
        case Opcode::ceil: return at::ceil(a);
        case Opcode::round: return at::round(a);
        case Opcode::trunc: return at::trunc(a);
        case Opcode::isNan: return at::isnan(a);
        case Opcode::isInf: return at::isinf(a);
        default: TORCH_CHECK(false, "no reference for ", name(op));
    }
}

at::Tensor reduceByLibTorch(Opcode op, at::Tensor a, c10::IntArrayRef reduced) {
    if (op == Opcode::reduceMin) return at::amin(a, reduced, true);
    if (op == Opcode::reduceMax) return at::amax(a, reduced, true);
    if (op == Opcode::reduceSum && a.scalar_type() != at::kFloat) return at::sum(a, reduced, true);
    if (op == Opcode::reduceSum) return at::sum(a.to(at::kDouble), reduced, true).to(at::kFloat);
    for (std::int64_t dim : reduced) a = at::prod(a, dim, true);
    return a;
}

}  // namespace

at::Tensor applyByLibTorch(const Instruction& instruction, const std::vector<at::Tensor>& operands,
                           c10::IntArrayRef reduced) {
    const Opcode op = instruction.op;
    const at::ScalarType type = scalarType(instruction.computeType);
    if (op == Opcode::convert) return operands[0].to(type);
    if (op == Opcode::narrow) return operands[0].to(scalarType(instruction.dtype)).to(type);
    if (op == Opcode::where) return at::where(operands[0], operands[1], operands[2]);
    if (isReduction(op)) return reduceByLibTorch(op, operands[0], reduced);
    return operandCount(op) == 2 ? applyTwo(op, operands[0], operands[1]) : applyOne(op, operands[0]);
}

namespace {

/// Positions along a dimension, over the space.
at::Tensor positions(std::int64_t dimension, c10::IntArrayRef space) {
    std::vector<std::int64_t> sizes(space.size(), 1);
    sizes[static_cast<std::size_t>(dimension)] = space[static_cast<std::size_t>(dimension)];
    return at::arange(space[static_cast<std::size_t>(dimension)], at::kLong).view(sizes).expand(space);
}

/// Indices for all dimensions of a tensor of the space, then of the indexed ones.
c10::List<std::optional<at::Tensor>> indicesOf(const at::Tensor& tensor, const std::array<std::int32_t, 3>& offsets,
                                               const std::vector<at::Tensor>& values, c10::IntArrayRef space) {
    c10::List<std::optional<at::Tensor>> indices;
    for (std::size_t d = 0; d < space.size(); ++d) {
        const at::Tensor along = positions(static_cast<std::int64_t>(d), space);
        indices.push_back(tensor.size(static_cast<std::int64_t>(d)) == 1 ? at::zeros_like(along) : along);
    }
    for (const std::int32_t offset : offsets)
        if (offset >= 0) indices.push_back(values[static_cast<std::size_t>(offset)].expand(space));
    return indices;
}

}  // namespace

std::vector<at::Tensor> runByLibTorch(const Kernel& kernel, const std::vector<at::Tensor>& inputs,
                                      const std::vector<c10::Scalar>& numbers, c10::IntArrayRef space,
                                      const std::vector<at::Tensor>& outputs) {
    const std::vector<std::int64_t> reduced(kernel.reduced.begin(), kernel.reduced.end());
    std::vector<std::int64_t> keptSizes = space.vec();
    for (std::int64_t dim : reduced) keptSizes[dim] = 1;
    const std::vector<bool> kept = keptOnly(kernel);
    std::vector<at::Tensor> values;
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        const Instruction& instruction = kernel.code[i];
        const at::ScalarType type = scalarType(instruction.computeType);
        if (instruction.op == Opcode::load) {
            values.push_back(inputs[instruction.index].to(type).expand(space));
        } else if (instruction.op == Opcode::position) {
            values.push_back(positions(instruction.dimension, space));
        } else if (instruction.op == Opcode::offset) {
            values.push_back(values[instruction.operands[0]]);  // LibTorch checks it
        } else if (instruction.op == Opcode::gather) {
            const at::Tensor& input = inputs[instruction.index];
            values.push_back(at::index(input, indicesOf(input, instruction.operands, values, space)).to(type));
        } else if (instruction.op == Opcode::number) {
            values.push_back(at::full(keptSizes, numbers[instruction.index], type));
        } else if (instruction.op == Opcode::constant) {
            const bool whole =
                instruction.computeType == ComputeType::i64 || instruction.computeType == ComputeType::boolean;
            values.push_back(
                at::full(keptSizes, whole ? c10::Scalar(instruction.integer) : c10::Scalar(instruction.real), type));
        } else {
            std::vector<at::Tensor> operands;
            for (int operand : instruction.operands)
                if (operand >= 0)
                    operands.push_back(values[operand].expand(
                        kept[i] && !isReduction(instruction.op) ? c10::IntArrayRef(keptSizes) : space));
            values.push_back(applyByLibTorch(instruction, operands, reduced));
        }
    }
    std::vector<at::Tensor> results;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        const KernelOutput& output = kernel.outputs[i];
        const at::Tensor value = values[output.value].to(scalarType(output.dtype));
        results.push_back(output.accumulates()
                              ? at::index_put(outputs[i], indicesOf(outputs[i], output.offsets, values, space),
                                              value.expand(space), true)
                              : value);
    }
    return results;
}

std::vector<at::Tensor> emptyOutputs(const Kernel& kernel, c10::IntArrayRef space) {
    const std::vector<bool> kept = keptOnly(kernel);
    std::vector<at::Tensor> outputs;
    for (const KernelOutput& output : kernel.outputs) {
        std::vector<std::int64_t> sizes = space.vec();
        if (kept[output.value])
            for (int dim : kernel.reduced) sizes[dim] = 1;
        outputs.push_back(at::full(sizes, 99, scalarType(output.dtype)));
    }
    return outputs;
}

std::string difference(const at::Tensor& result, const at::Tensor& expected, double tolerance) {
    if (result.sizes() != expected.sizes() || result.scalar_type() != expected.scalar_type())
        return c10::str(result.toString(), result.sizes(), " instead of ", expected.toString(), expected.sizes());
    if (!result.is_floating_point()) tolerance = 0;
    const at::ScalarType wide = result.is_floating_point() ? at::kDouble : at::kLong;
    const at::Tensor a = result.to(wide), b = expected.to(wide);
    const at::Tensor wrong = at::logical_not(at::isclose(a, b, tolerance, tolerance, true));
    const std::int64_t count = wrong.sum().item<std::int64_t>();
    if (count == 0) return {};
    const at::Tensor at = wrong.nonzero()[0];
    at::Tensor found = result, wanted = expected;
    for (std::int64_t d = 0; d < at.numel(); ++d) {
        found = found.select(0, at[d].item<std::int64_t>());
        wanted = wanted.select(0, at[d].item<std::int64_t>());
    }
    return c10::str(count, " of ", wrong.numel(), " elements, at ", at, ": ", found.item().toDouble(), " instead of ",
                    wanted.item().toDouble());
}

}  // namespace aotscope::test
