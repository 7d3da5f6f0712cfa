#include "debug/stepped_graph.h"

#include "ops/op_table.h"

namespace aotscope {

void SteppedGraph::findSteps() {
    ready_.clear();
    for (const Node* node : graph_->nodes())
        if (node->kind() == NodeKind::placeholder || node->kind() == NodeKind::constant) ready_[node] = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        for (const Node* result : steps_[i].results) ready_[result] = i + 1;
        for (const Node* inner : steps_[i].inside) {
            ready_[inner] = i + 1;
            for (const Node* user : inner->users())
                if (isGetitem(*user)) ready_[user] = i + 1;
        }
    }
}

std::optional<std::size_t> SteppedGraph::readyAfter(const Node& node) const {
    const auto it = ready_.find(&valueNodeOf(node));
    return it == ready_.end() ? std::nullopt : std::optional(it->second);
}

const Node& valueNodeOf(const Node& node) {
    const Node* element = &node;
    if (node.type.tuple())
        for (const Node* user : node.users())
            if (isGetitem(*user) && (element == &node || *user->args()[1].integer() < *element->args()[1].integer()))
                element = user;
    return *element;
}

}  // namespace aotscope
