#pragma once

#include "load/printed/syntax/scanner.h"

#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// Reads arguments of operations: values by `names`, literals, containers, other objects.
class ExpressionParser {
public:
    using Names = std::pmr::unordered_map<std::string_view, Node*>;

    ExpressionParser(Scanner& scan, const Names& names) : scan_(scan), names_(names) {}

    /// The current statement assigns its result to this name.
    void define(const std::string& name) { defined_ = name; }

    Argument argument();
    /// The arguments in parentheses, after the name of an operation.
    std::pair<std::vector<Argument>, KeywordArguments> arguments();
    /// "layer.weight" for "self.layer.weight", "layer.0.weight" for "getattr(self.layer, "0").weight".
    std::string attributePath();

    /// "torch.ops.aten.mm.default" -> "aten.mm.default"; for any other path, the last two parts.
    static std::string operationName(const std::string& path);

private:
    Argument list(std::string_view end);
    /// A tuple, or a complex number in parentheses: (1+2j).
    Argument tuple();
    /// A list of [key, value] pairs.
    Argument dictionary();
    /// Something with a dotted name: a constant of torch, a device, a slice, an operator, any other object.
    Argument named();

    Scanner& scan_;
    const Names& names_;
    std::string defined_;
    int unknownWords_ = 0;  ///< searched for in the rest of the text
};

}  // namespace aotscope
