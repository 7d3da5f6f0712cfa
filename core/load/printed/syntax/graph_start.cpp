#include "load/printed/syntax/graph_start.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace aotscope {

namespace {

/// "opcode         name    target             args    kwargs"
bool isTableHeading(std::string_view line) {
    constexpr std::array columns = {"opcode ", " name ", " target ", " args ", " kwargs"};
    std::size_t at = 0;
    return std::ranges::all_of(columns, [&](const char* column) {
        at = line.find(column, at);
        return at != std::string_view::npos;
    });
}

/// "graph():", "graph(x, y):", not after a letter or digit; TorchScript prints "graph(%x : Tensor):".
bool isListHeading(std::string_view line) {
    if (!line.ends_with(':')) return false;
    const auto at = line.find("graph(");
    if (at == std::string_view::npos || line.find('%', at) != std::string_view::npos) return false;
    const char before = at == 0 ? ' ' : line[at - 1];
    return std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' && before != '.';
}

}  // namespace

bool isClassLine(std::string_view line) {
    return line.ends_with("(torch.nn.Module):") && line.find("class ") != std::string_view::npos;
}

GraphForm formBegunBy(std::string_view line) {
    if (isClassLine(line)) return GraphForm::code;
    if (isListHeading(line)) return GraphForm::nodes;
    return isTableHeading(line) ? GraphForm::table : GraphForm::none;
}

bool isTableRow(std::string_view line) {
    constexpr std::array beginnings = {"---",          "placeholder ", "get_attr ", "call_function ",
                                       "call_method ", "call_module ", "output "};
    return std::ranges::any_of(beginnings, [&](const char* begin) { return line.starts_with(begin); });
}

SecondLine secondLineOf(GraphForm form) {
    switch (form) {
        case GraphForm::nodes: return {"%", 4};
        case GraphForm::table: return {"---", 0};
        default: return {"def ", 4};
    }
}

bool isSecondLine(GraphForm form, std::string_view line) {
    const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
    if (form == GraphForm::nodes) return has("[num_users=") || has("[#users=");
    return form != GraphForm::table || has("---");
}

}  // namespace aotscope
