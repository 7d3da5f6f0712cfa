#pragma once

#include "program/inputs/input_spec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace aotscope::test {

/// A small program drawn at random: views, writes in place, pointwise operations, no_grad regions, inputs and outputs
/// that share memory. Values are numbered: the inputs first, then the results of the statements.
struct RandomProgram {
    struct Statement {
        std::string text;  ///< "{0}.mul({1})": operand 0 and 1
        std::vector<std::size_t> operands, results;
        bool noGrad = false;
    };
    struct Output {
        enum class Kind : std::uint8_t { tensor, list, size } kind = Kind::tensor;
        std::vector<std::size_t> values;
    };

    InputSpec inputs;
    std::vector<Statement> statements;
    std::vector<Output> outputs;

    /// The method "forward".
    std::string text() const;
};

/// The program of a seed. Most of them run in eager mode, forward and backward.
RandomProgram randomProgram(std::uint64_t seed);

/// The smallest part of `program` that still fails: statements, outputs and inputs are removed while `fails` holds.
RandomProgram shrunk(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails);

}  // namespace aotscope::test
