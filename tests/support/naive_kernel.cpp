#include "support/naive_kernel.h"

#include "trace/convert.h"

#include <ATen/Functions.h>

namespace aotscope::test {

namespace {

at::ScalarType scalarType(Lane lane) {
    switch (lane) {
        case Lane::f32: return at::kFloat;
        case Lane::f64: return at::kDouble;
        case Lane::i64: return at::kLong;
        case Lane::boolean: return at::kBool;
    }
    return at::kFloat;
}

class NaiveKernel final : public FusedKernel {
public:
    explicit NaiveKernel(Kernel kernel) : kernel_(std::move(kernel)) {}

    void run(c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
             c10::ArrayRef<at::Tensor> outputs) const override {
        std::vector<std::int64_t> space(static_cast<std::size_t>(kernel_.rank), 1);
        for (const auto& tensors : {inputs, outputs})
            for (const at::Tensor& tensor : tensors) {
                TORCH_CHECK(tensor.dim() == kernel_.rank, "a tensor of a kernel has its rank");
                for (std::size_t d = 0; d < space.size(); ++d)
                    if (tensor.sizes()[d] != 1) {
                        TORCH_CHECK(space[d] == 1 || space[d] == tensor.sizes()[d], "tensors of a kernel agree");
                        space[d] = tensor.sizes()[d];
                    }
            }
        const std::vector<bool> kept = keptOnly(kernel_);
        std::vector<at::Tensor> values;
        for (const Instruction& instruction : kernel_.code)
            values.push_back(value(instruction, inputs, numbers, values, space));
        std::vector<at::Tensor> results;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            std::vector<std::int64_t> sizes = space;
            if (kept[static_cast<std::size_t>(kernel_.outputs[i].value)])
                for (const int d : kernel_.reduced) sizes[static_cast<std::size_t>(d)] = 1;
            TORCH_CHECK(outputs[i].sizes() == sizes, "an output has size ", outputs[i].sizes(), ", expected ", sizes);
            results.push_back(values[static_cast<std::size_t>(kernel_.outputs[i].value)]
                                  .to(toScalarType(kernel_.outputs[i].dtype))
                                  .expand(sizes)
                                  .clone());
        }
        for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].copy_(results[i]);
    }

private:
    at::Tensor value(const Instruction& i, c10::ArrayRef<at::Tensor> inputs, c10::ArrayRef<c10::Scalar> numbers,
                     const std::vector<at::Tensor>& values, const std::vector<std::int64_t>& space) const {
        const auto index = static_cast<std::size_t>(i.index);
        const at::ScalarType lane = scalarType(i.lane);
        if (i.op == Opcode::load) {
            TORCH_CHECK(inputs[index].scalar_type() == toScalarType(kernel_.inputs[index]), "an input has its type");
            return inputs[index].to(lane);
        }
        const std::vector<std::int64_t> one(space.size(), 1);
        if (i.op == Opcode::number) return at::full(one, numbers[index], lane);
        if (i.op == Opcode::constant)
            return lane == at::kFloat || lane == at::kDouble ? at::full(one, i.real, lane)
                                                             : at::full(one, i.integer, lane);
        std::vector<at::Tensor> operands;
        for (const std::int32_t operand : i.operands)
            if (operand >= 0) operands.push_back(values[static_cast<std::size_t>(operand)]);
        TORCH_CHECK(operands.size() == static_cast<std::size_t>(operandCount(i.op)), "an instruction lacks operands");
        const at::Tensor result = isReduction(i.op) ? reduction(i.op, operands[0].expand(space)) : compute(i, operands);
        TORCH_CHECK(result.scalar_type() == lane, name(i.op), " gives ", result.scalar_type(), ", expected ", lane);
        return result;
    }

    at::Tensor reduction(Opcode op, const at::Tensor& x) const {
        TORCH_CHECK(!kernel_.reduced.empty(), "a reduction reduces something");
        const std::vector<std::int64_t> dims(kernel_.reduced.begin(), kernel_.reduced.end());
        if (op == Opcode::reduceSum) return at::sum(x, dims, true);
        if (op == Opcode::reduceMin) return at::amin(x, dims, true);
        if (op == Opcode::reduceMax) return at::amax(x, dims, true);
        at::Tensor product = x;
        for (const std::int64_t d : dims) product = at::prod(product, d, true);
        return product;
    }

    at::Tensor compute(const Instruction& i, const std::vector<at::Tensor>& x) const {
        for (std::size_t k = i.op == Opcode::where ? 2 : 1; k < x.size(); ++k)
            TORCH_CHECK(x[k].scalar_type() == x[k - 1].scalar_type(), "operands of ", name(i.op), " are of one lane");
        switch (i.op) {
            case Opcode::convert: return x[0].to(scalarType(i.lane));
            case Opcode::narrow: return x[0].to(toScalarType(i.dtype)).to(x[0].scalar_type());
            case Opcode::add: return at::add(x[0], x[1]);
            case Opcode::sub: return at::sub(x[0], x[1]);
            case Opcode::mul: return at::mul(x[0], x[1]);
            case Opcode::div: return at::div(x[0], x[1]);
            case Opcode::floorDivide: return at::div(x[0], x[1], "floor");
            case Opcode::truncDivide: return at::div(x[0], x[1], "trunc");
            case Opcode::fmod: return at::fmod(x[0], x[1]);
            case Opcode::remainder: return at::remainder(x[0], x[1]);
            case Opcode::pow: return at::pow(x[0], x[1]);
            case Opcode::atan2: return at::atan2(x[0], x[1]);
            case Opcode::hypot: return at::hypot(x[0], x[1]);
            case Opcode::copysign: return at::copysign(x[0], x[1]);
            case Opcode::minimum: return at::minimum(x[0], x[1]);
            case Opcode::maximum: return at::maximum(x[0], x[1]);
            case Opcode::bitAnd: return at::bitwise_and(x[0], x[1]);
            case Opcode::bitOr: return at::bitwise_or(x[0], x[1]);
            case Opcode::bitXor: return at::bitwise_xor(x[0], x[1]);
            case Opcode::equal: return at::eq(x[0], x[1]);
            case Opcode::notEqual: return at::ne(x[0], x[1]);
            case Opcode::less: return at::lt(x[0], x[1]);
            case Opcode::lessEqual: return at::le(x[0], x[1]);
            case Opcode::greater: return at::gt(x[0], x[1]);
            case Opcode::greaterEqual: return at::ge(x[0], x[1]);
            case Opcode::where: return at::where(x[0], x[1], x[2]);
            default: return unary(i.op, x[0]);
        }
    }

    static at::Tensor unary(Opcode op, const at::Tensor& x) {
        switch (op) {
            case Opcode::bitNot: return at::bitwise_not(x);
            case Opcode::neg: return at::neg(x);
            case Opcode::abs: return at::abs(x);
            case Opcode::sign: return at::sign(x);
            case Opcode::reciprocal: return at::reciprocal(x);
            case Opcode::sqrt: return at::sqrt(x);
            case Opcode::rsqrt: return at::rsqrt(x);
            case Opcode::exp: return at::exp(x);
            case Opcode::exp2: return at::exp2(x);
            case Opcode::expm1: return at::expm1(x);
            case Opcode::log: return at::log(x);
            case Opcode::log2: return at::log2(x);
            case Opcode::log10: return at::log10(x);
            case Opcode::log1p: return at::log1p(x);
            case Opcode::sin: return at::sin(x);
            case Opcode::cos: return at::cos(x);
            case Opcode::tan: return at::tan(x);
            case Opcode::asin: return at::asin(x);
            case Opcode::acos: return at::acos(x);
            case Opcode::atan: return at::atan(x);
            case Opcode::sinh: return at::sinh(x);
            case Opcode::cosh: return at::cosh(x);
            case Opcode::tanh: return at::tanh(x);
            case Opcode::asinh: return at::asinh(x);
            case Opcode::acosh: return at::acosh(x);
            case Opcode::atanh: return at::atanh(x);
            case Opcode::erf: return at::erf(x);
            case Opcode::erfc: return at::erfc(x);
            case Opcode::sigmoid: return at::sigmoid(x);
            case Opcode::floor: return at::floor(x);
            case Opcode::ceil: return at::ceil(x);
            case Opcode::round: return at::round(x);
            case Opcode::trunc: return at::trunc(x);
            case Opcode::isNan: return at::isnan(x);
            case Opcode::isInf: return at::isinf(x);
            default: TORCH_CHECK(false, "no such instruction: ", name(op));
        }
    }

    Kernel kernel_;
};

}  // namespace

std::unique_ptr<FusedKernel> makeNaiveKernel(const Kernel& kernel) { return std::make_unique<NaiveKernel>(kernel); }

}  // namespace aotscope::test
