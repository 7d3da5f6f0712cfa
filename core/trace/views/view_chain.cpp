#include "trace/views/view_chain.h"

#include "ir/printer.h"
#include "ops/op_table.h"

#include <algorithm>

namespace aotscope {

namespace {

/// "view([-1])": the operation without namespace and overload, and its arguments except the first.
std::string describe(const Node& node) {
    std::string arguments;
    const auto add = [&](const std::string& text) { arguments += (arguments.empty() ? "" : ", ") + text; };
    for (std::size_t i = 1; i < node.args().size(); ++i) add(printArgument(node.args()[i]));
    for (const auto& [name, value] : node.kwargs()) add(name + "=" + printArgument(value));
    std::string op(packetOf(node.op()));
    op.erase(0, op.find('.') + 1);
    return op + "(" + arguments + ")";
}

}  // namespace

std::vector<std::string> viewChain(const Node* node) {
    std::vector<std::string> chain;
    while (node && hasTag(*node, kView) && !node->args().empty()) {
        chain.push_back(describe(*node));
        node = node->args()[0].node();
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

}  // namespace aotscope
