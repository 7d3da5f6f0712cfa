// Inputs of random programs: leaves, and tensors derived from them that share memory.

#include "support/random_program/generator.h"

#include <ATen/core/jit_type.h>

namespace aotscope::test {

std::size_t ProgramGenerator::derive(std::size_t of, const std::string& op, std::vector<DerivedArgument> args) {
    program_.inputs.values.emplace_back(DerivedSpec{op, of, std::move(args), {}});
    return program_.inputs.values.size() - 1;
}

std::size_t ProgramGenerator::leaf(std::vector<std::int64_t> shape, bool requiresGrad) {
    LeafSpec spec;
    spec.shape = std::move(shape);
    spec.requiresGrad = requiresGrad;
    if (!requiresGrad && chance(8)) {
        spec.dtype = DType::i64;
        spec.fill.how = Fill::Randint{0, 5};
    } else if (theme_ == Theme::half && chance(80)) {
        spec.dtype = half_;
    } else if (theme_ == Theme::complex && chance(60)) {
        spec.dtype = chance(90) ? DType::c64 : DType::c128;
    } else if (chance(4)) {
        spec.dtype = DType::f64;
    }
    program_.inputs.values.emplace_back(std::move(spec));
    return program_.inputs.values.size() - 1;
}

void ProgramGenerator::give(std::size_t value) {
    if (theme_ == Theme::complex && isComplex(value) && chance(25)) {
        value = derive(value, "conj", {});
        if (chance(40)) value = derive(value, "imag", {});
    }
    program_.inputs.inputs.push_back({InputItem::TensorRef{value}});
}

bool ProgramGenerator::isComplex(std::size_t value) const {
    if (const auto* spec = std::get_if<LeafSpec>(&program_.inputs.values[value]))
        return spec->dtype == DType::c64 || spec->dtype == DType::c128;
    const auto& derived = std::get<DerivedSpec>(program_.inputs.values[value]);
    return derived.op != "imag" && isComplex(derived.of);
}

std::vector<std::int64_t> ProgramGenerator::drawShape() {
    if (theme_ == Theme::small)
        return oneOf<std::vector<std::int64_t>>({{}, {}, {}, {1}, {1, 1}, {0}, {0, 3}, {2, 0}, {3}, {2, 3}});
    if (theme_ == Theme::windows)
        return oneOf<std::vector<std::int64_t>>({{3}, {4}, {6}, {7}, {2, 4}, {4, 3}, {2, 5}, {6, 2}, {2, 2, 3}});
    return oneOf<std::vector<std::int64_t>>(
        {{3}, {2, 3}, {3, 2}, {2, 2}, {2, 2}, {4}, {1, 3}, {2, 1}, {2, 2, 2}, {}, {1}, {3, 3}, {2, 3}, {0, 3}});
}

void ProgramGenerator::drawInputs() {
    const std::size_t wanted = 1 + below(4);
    while (program_.inputs.inputs.size() < wanted) drawInput();
    if (chance(20)) program_.inputs.inputs.push_back({static_cast<std::int64_t>(2 + below(3))});
}

void ProgramGenerator::drawInput() {
    switch (below(10)) {
        case 0:
        case 1:
        case 2: return give(leaf(drawShape(), false));
        case 3:
        case 4: return give(leaf(drawShape(), true));
        case 5:
        case 6: return give(derive(leaf(drawShape(), true), "add_scalar", {1.0}));
        case 7:
        case 8: return drawRelatives();
        default:
            if (program_.inputs.inputs.empty()) return;
            const InputItem again = program_.inputs.inputs[below(program_.inputs.inputs.size())];
            program_.inputs.inputs.push_back(again);
    }
}

void ProgramGenerator::drawRelatives() {
    std::size_t base = leaf({12}, chance(50));
    if (chance(60)) base = derive(base, "mul_scalar", {2.0});
    using List = std::vector<std::int64_t>;
    for (std::size_t i = 1 + below(3); i > 0; --i) {
        const auto offset = static_cast<double>(below(7));
        switch (below(7)) {
            case 0: give(base); break;
            case 1: give(derive(base, "slice", {0.0, offset, offset + 3})); break;
            case 2: give(derive(base, "slice", {0.0, offset, 12.0, 2.0})); break;
            case 3: give(derive(base, "as_strided", {List{2, 3}, List{3, 1}, offset})); break;
            case 4: give(derive(base, "as_strided", {List{2, 2}, List{1, 4}, offset})); break;
            case 5: give(derive(base, "view", {oneOf<List>({{3, 4}, {2, 6}, {2, 2, 3}, {12}})})); break;
            default: give(derive(derive(base, "view", {List{4, 3}}), "transpose", {0.0, 1.0}));
        }
    }
}

void ProgramGenerator::makeInputs() {
    std::vector<InputDeclaration> declared;
    for (const InputItem& item : program_.inputs.inputs) {
        const bool number = std::holds_alternative<std::int64_t>(item.data);
        declared.push_back(
            {"x", number ? c10::TypePtr(c10::IntType::get()) : c10::TypePtr(c10::TensorType::get()), {}});
    }
    made_ = aotscope::makeInputs(program_.inputs, declared, 0, c10::kCPU, {});
    for (const auto& value : made_.values) {
        if (value.isTensor()) tensors_.push_back(values_.size());
        else number_ = values_.size();
        values_.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
    }
}

}  // namespace aotscope::test
