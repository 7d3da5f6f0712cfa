#include "trace/decomposer.h"

#include "aten/convert.h"
#include "aten/tensors.h"
#include "ir/printer.h"
#include "trace/data_dependent_values.h"

namespace aotscope {

bool Decomposer::run(const c10::OperatorHandle& op, torch::jit::Stack& stack, TracedGraph& graph) {
    const DecompositionRow* row = table_ ? table_->find(graphName(op.operator_name())) : nullptr;
    if (!row) return false;
    const auto count = op.schema().arguments().size();
    const auto args = torch::jit::last(stack, count);
    if (!masksOfWrite(op, args).empty()) return false;  // their selection is known only for this very call
    const int outer = current_, own = begin(op, *row, args, graph);
    const std::size_t before = graph.size();
    current_ = own;
    const bool done = row->run(stack);
    current_ = outer;
    if (!done) {
        rewrites_.resize(static_cast<std::size_t>(own));
        return false;
    }
    Rewrite& rewrite = rewrites_[static_cast<std::size_t>(own)];
    for (std::size_t i = before; i < graph.size(); ++i) rewrite.nodes.push_back(graph.at(i)->id());
    const auto results = op.schema().returns().size();
    for (std::size_t i = stack.size() - results; i < stack.size(); ++i)
        forEachTensor(stack[i], [&](const at::Tensor& t) {
            if (const Node* node = graph.nodeOf(t)) rewrite.results.push_back(node->id());
        });
    return true;
}

int Decomposer::begin(const c10::OperatorHandle& op, const DecompositionRow& row, c10::ArrayRef<c10::IValue> args,
                      TracedGraph& graph) {
    const auto [positional, keywords] = graph.callArguments(op, args);
    Rewrite rewrite{row.op, row.rule, std::string(row.op) + "(" + printArguments(positional, keywords) + ")"};
    const auto note = [&](const Node* node) { rewrite.inputs.push_back(node->id()); };
    for (const Argument& a : positional) forEachNode(a, note);
    for (const auto& [key, a] : keywords) forEachNode(a, note);
    rewrite.parent = current_;
    rewrites_.push_back(std::move(rewrite));
    return static_cast<int>(rewrites_.size()) - 1;
}

SavedOutput Decomposer::savedOutput() const {
    return table_ && table_->find("aten.detach.default") ? SavedOutput::aliased : SavedOutput::detached;
}

}  // namespace aotscope
