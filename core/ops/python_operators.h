#pragma once

#include <array>
#include <string_view>

namespace aotscope {

/// A function of Python's operator module, and its sign in code.
struct PythonOperator {
    std::string_view sign, name;
};

/// A sign that begins another one follows it.
constexpr std::array<PythonOperator, 19> kBinaryOperators = {{
    {"**", "pow"}, {"//", "floordiv"}, {"<<", "lshift"}, {">>", "rshift"}, {"+", "add"},
    {"-", "sub"},  {"*", "mul"},       {"/", "truediv"}, {"%", "mod"},     {"&", "and_"},
    {"|", "or_"},  {"^", "xor"},       {"@", "matmul"},  {"==", "eq"},     {"!=", "ne"},
    {"<=", "le"},  {">=", "ge"},       {"<", "lt"},      {">", "gt"},
}};
/// The first of these, which "=" makes work in place: iadd, "+=".
constexpr std::size_t kInplaceOperators = 13;
constexpr std::array<PythonOperator, 3> kUnaryOperators = {{{"-", "neg"}, {"+", "pos"}, {"~", "invert"}}};

}  // namespace aotscope
