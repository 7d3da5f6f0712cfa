#pragma once

#include "load/printed/syntax/scanner.h"

#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aotscope {

/// Reads what stands in the arguments of operations: values by `names`, literals, containers, other objects.
class ExpressionParser {
public:
    using Names = std::pmr::unordered_map<std::string_view, Node*>;

    ExpressionParser(Scanner& scan, const Names& names) : scan_(scan), names_(names) {}

    /// The statement that is read gives this name to its result.
    void define(const std::string& name) { defined_ = name; }

    Argument argument();
    /// In parentheses, behind the name of an operation.
    std::pair<std::vector<Argument>, KeywordArguments> arguments();
    /// "layer.weight" of "self.layer.weight", "layer.0.weight" of "getattr(self.layer, "0").weight".
    std::string attributePath();

    /// "torch.ops.aten.mm.default" -> "aten.mm.default"; of any other path the last two parts.
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
    int unknownWords_ = 0;  ///< that were looked for below
};

}  // namespace aotscope
