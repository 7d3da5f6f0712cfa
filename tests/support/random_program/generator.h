#pragma once

#include "program/inputs/example_inputs.h"
#include "support/random_program.h"
#include "support/random_program/places.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace aotscope::test {

/// The kinds of inputs of a program, and the operations that it favours.
enum class Theme : std::uint8_t {
    plain,    ///< float32
    complex,  ///< complex numbers, lazily conjugated and negated ones among them
    half,     ///< float16 or bfloat16
    small,    ///< tensors without dimensions or without elements
    windows,  ///< unfold, and writes into its results
};

/// Draws statements and runs each one in eager mode at once; statements that eager refuses are dropped.
class ProgramGenerator {
public:
    using Id = std::size_t;

    explicit ProgramGenerator(std::uint64_t seed) : random_(seed) {}

    RandomProgram run();

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    bool chance(std::size_t percent) { return below(100) < percent; }
    template <typename T>
    T oneOf(std::initializer_list<T> values) {
        return *(values.begin() + below(values.size()));
    }

    Id pick();
    const at::Tensor& at(Id id) const { return values_[id]; }
    /// Another value of the same shape if there is one.
    Id partner(Id x);
    /// A value to write to, rarely one whose old content a backward needs.
    Id target();
    /// `x`, if its sizes may change in place, that is, if autograd need not track this through other values.
    at::Tensor reshapable(Id x);
    void note(const std::string& text, std::vector<Id> operands, std::vector<Id> results = {});
    void define(const std::string& text, std::vector<Id> operands, const std::vector<at::Tensor>& results);
    /// A result whose backward reads these values: they should not be overwritten.
    void defineSaving(const std::string& text, std::vector<Id> operands, const at::Tensor& result,
                      const std::vector<at::Tensor>& saved);
    /// `saved`: the values that the backward of a write reads.
    void wrote(const std::string& text, std::vector<Id> operands, const at::Tensor& result,
               const at::Tensor& saved = {});
    void step();
    void drawOutputs();

    /// A write through a temporary view.
    template <typename Write>
    void wroteIf(Id x, const std::string& text, Write&& write) {
        if (overlapsItself(at(x)) || sealed_.contains(storageOf(at(x)))) return;
        wrote(text, {x}, write());
    }

    // inputs.cpp
    std::size_t derive(std::size_t of, const std::string& op, std::vector<DerivedArgument> args);
    std::size_t leaf(std::vector<std::int64_t> shape, bool requiresGrad);
    void give(std::size_t value);
    bool isComplex(std::size_t value) const;
    std::vector<std::int64_t> drawShape();
    void drawInputs();
    void drawInput();
    /// Views of one tensor: overlapping, side by side, interleaved.
    void drawRelatives();
    void makeInputs();

    // views.cpp
    void view();
    void expand(Id x, const at::Tensor& t);
    void strided(Id x, const at::Tensor& t);
    void complex(Id x, const at::Tensor& t);
    static std::vector<at::Tensor> fewer(std::vector<at::Tensor> parts);
    /// Windows that are adjacent, have gaps between them, or overlap.
    void window();
    /// Operations that index or sort.
    void pickElements();

    // operations.cpp
    void compute();
    void complexNumbers();
    /// The checks here and in reshapable() exclude known differences of compiled functions, which have
    /// examples in test_semantics, and views whose gradients are wrong in eager.
    void write();

    std::mt19937_64 random_;
    Theme theme_ = Theme::plain;
    DType half_ = DType::f16;
    RandomProgram program_;
    ExampleInputs made_;
    std::vector<at::Tensor> values_;  ///< computed so far
    std::vector<Id> tensors_;         ///< values that are tensors
    std::optional<Id> number_;
    std::set<const c10::StorageImpl*> used_, written_;
    std::set<const c10::StorageImpl*> saved_;   ///< read by a backward
    std::set<const c10::StorageImpl*> sealed_;  ///< from views made under no_grad; must not be written to
    std::size_t regionLeft_ = 0;
    bool noGrad_ = false;
};

}  // namespace aotscope::test
