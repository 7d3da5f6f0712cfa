#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What the schema and the tags of an operator say.
///
/// As text, they are a row of words: the operator, with '&' if a result is a view and '?' if it draws random numbers,
/// and the names of its arguments, with '!' if it writes into them: "aten.add_.Tensor self! other alpha",
/// "aten.bernoulli.default? self generator". resources/operators/schemas.txt has the rows of the operators of LibTorch
/// and of our prims, and is part of the program: whoever asks about those needs no LibTorch.
struct OperatorFacts {
    struct Parameter {
        std::string_view name;
        bool written = false;
    };
    std::string_view row, op;
    std::vector<Parameter> parameters;
    bool views = false;   ///< a result shares memory with an argument that is not written to
    bool random = false;  ///< draws random numbers

    bool writes() const;  ///< into an argument
};

/// For "shop.scale_.default". Null for operators that nobody has described, for Python's own ("operator.add") and for
/// names without an overload. What is returned stays valid and unchanged; another call may give newer facts for an
/// operator outside of the table, and facts instead of null.
const OperatorFacts* operatorFacts(std::string_view op);

/// The facts in a row, which refer to it. Nothing if it is not one.
std::optional<OperatorFacts> parsedRow(std::string_view row);
std::string printedRow(const OperatorFacts& facts);

// --- operators outside of the table: of libraries, plug-ins, definitions, other versions of LibTorch ---
//
// Where LibTorch runs, its dispatcher describes them. Elsewhere, the files and connections do that their graphs come
// through (see GraphDecoder). Passes and panels ask about an operator by its name alone, so what is known about it
// belongs to the process, as in the dispatcher. Nothing changes rows of the table, or what the dispatcher says, so that
// what runs never depends on what a file declares. Otherwise the last declaration counts: libraries change while a
// window is open.

/// The row of such an operator; empty for those of the table, and for those that nobody has described.
std::string_view declarationOf(std::string_view op);

/// Has no effect on operators of the table.
void declareOperator(const OperatorFacts& facts);

/// Gives the row of an operator, which never changes, or nothing.
using OperatorSource = std::optional<std::string> (*)(std::string_view op);
/// Whom to ask first about operators outside of the table.
void setOperatorSource(OperatorSource source);

}  // namespace aotscope
