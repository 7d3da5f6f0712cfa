// Drawing a program statement by statement.

#include "support/random_program/generator.h"

#include <ATen/core/grad_mode.h>

namespace aotscope::test {

RandomProgram ProgramGenerator::run() {
    theme_ =
        oneOf({Theme::plain, Theme::plain, Theme::complex, Theme::complex, Theme::half, Theme::small, Theme::windows});
    half_ = oneOf({DType::f16, DType::bf16});
    drawInputs();
    makeInputs();
    const std::size_t wanted = 2 + below(9);
    for (int attempts = 0; attempts < 60 && program_.statements.size() < wanted; ++attempts) step();
    drawOutputs();
    return std::move(program_);
}

ProgramGenerator::Id ProgramGenerator::pick() {
    if (chance(50)) return tensors_[below(tensors_.size())];
    return tensors_[tensors_.size() - 1 - below(std::min<std::size_t>(tensors_.size(), 3))];
}

ProgramGenerator::Id ProgramGenerator::partner(Id x) {
    for (int i = 0; i < 6; ++i)
        if (const Id y = pick(); at(y).sizes() == at(x).sizes()) return y;
    return pick();
}

ProgramGenerator::Id ProgramGenerator::target() {
    Id x = pick();
    for (int i = 0; i < 8 && saved_.contains(storageOf(at(x))) && !chance(5); ++i) x = pick();
    return x;
}

at::Tensor ProgramGenerator::reshapable(Id x) {
    at::Tensor t = at(x);
    const bool intermediateView = t.is_view() && x >= program_.inputs.inputs.size();
    TORCH_CHECK(!t.requires_grad() || !(noGrad_ || intermediateView || used_.contains(storageOf(t))));
    return t;
}

void ProgramGenerator::note(const std::string& text, std::vector<Id> operands, std::vector<Id> results) {
    for (const Id operand : operands)
        if (at(operand).defined()) used_.insert(storageOf(at(operand)));
    program_.statements.push_back({text, std::move(operands), std::move(results), noGrad_});
}

void ProgramGenerator::define(const std::string& text, std::vector<Id> operands,
                              const std::vector<at::Tensor>& results) {
    std::vector<Id> ids;
    for (const at::Tensor& result : results)
        if (result.numel() > 64) return;
    for (const at::Tensor& result : results) {
        ids.push_back(values_.size());
        tensors_.push_back(values_.size());
        values_.push_back(result);
    }
    note(text, std::move(operands), std::move(ids));
}

void ProgramGenerator::defineSaving(const std::string& text, std::vector<Id> operands, const at::Tensor& result,
                                    const std::vector<at::Tensor>& saved) {
    define(text, std::move(operands), {result});
    if (result.requires_grad())
        for (const at::Tensor& t : saved) saved_.insert(storageOf(t));
}

void ProgramGenerator::wrote(const std::string& text, std::vector<Id> operands, const at::Tensor& result,
                             const at::Tensor& saved) {
    written_.insert(storageOf(at(operands[0])));
    note(text, std::move(operands));
    if (saved.defined() && result.requires_grad()) saved_.insert(storageOf(saved));
}

void ProgramGenerator::step() {
    if (regionLeft_ > 0) --regionLeft_;
    else if (chance(8)) regionLeft_ = 1 + below(3);
    noGrad_ = regionLeft_ > 0;
    const at::AutoGradMode grad(!noGrad_);
    try {
        const std::size_t kind = below(100);
        if (theme_ == Theme::complex && kind % 3 == 0) complexNumbers();
        else if (theme_ == Theme::windows && kind % 4 == 0) window();
        else if (kind < 38) view();
        else if (kind < 68) write();
        else if (kind < 90) compute();
        else pickElements();
    } catch (const std::exception&) {
        // Eager refuses this one.
    }
}

void ProgramGenerator::drawOutputs() {
    for (std::size_t count = 1 + below(4); count > 0; --count) {
        const std::size_t kind = below(100);
        if (kind < 6 && !program_.outputs.empty()) {
            program_.outputs.push_back({RandomProgram::Output::Kind::size, {pick()}});
        } else if (kind < 16) {
            program_.outputs.push_back({RandomProgram::Output::Kind::list, {pick(), pick()}});
        } else {
            program_.outputs.push_back({RandomProgram::Output::Kind::tensor, {pick()}});
        }
    }
}

RandomProgram randomProgram(std::uint64_t seed) { return ProgramGenerator(seed).run(); }

}  // namespace aotscope::test
