// A compiler that fails as its settings say, to test the fallback to the interpreter, and the search for small graphs
// on which it fails.

#include "compile/plugin.h"

#include <memory>
#include <stdexcept>
#include <vector>

using namespace aotscope;

namespace {

/// Runs the graph and returns wrong results.
class Broken final : public CompiledGraph {
public:
    Broken(std::string how, std::shared_ptr<const CompiledGraph> inner)
        : how_(std::move(how)), inner_(std::move(inner)) {}

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        std::vector<c10::IValue> results = inner_->run(args, observer);
        if (how_ == "run") throw std::runtime_error("the device is on fire\nand so is the desk");
        if (how_ == "count") results.pop_back();
        if (how_ == "sizes") results.at(0) = results.at(0).toTensor().unsqueeze(0);
        if (how_ == "value" && !observer) results.at(0) = results.at(0).toTensor().add(1);
        if (how_ == "dtype") results.at(0) = results.at(0).toTensor().to(c10::ScalarType::Double);
        return results;
    }
    const std::vector<NodeId>& steps() const override { return inner_->steps(); }

private:
    std::string how_;
    std::shared_ptr<const CompiledGraph> inner_;
};

/// A copy in which one is added to what `node` computes.
std::unique_ptr<Graph> withOneMore(const Graph& graph, NodeId node) {
    auto copy = graph.clone();
    Node* right = copy->findById(node);
    Node* wrong = copy->addCall("aten.add.Tensor", {right, 1}, {}, right->type);
    copy->replaceAllUses(right, wrong);
    copy->setArguments(wrong, {right, 1});
    std::vector<Node*> order;
    for (Node* other : copy->nodes()) {
        if (other != wrong) order.push_back(other);
        if (other == right) order.push_back(wrong);
    }
    copy->reorder(order);
    return copy;
}

class BrokenCompiler final : public Compiler {
public:
    explicit BrokenCompiler(const CompilerSettings& settings)
        : how_(settings.at("how")), at_(settings.at("at")), behind_(settings.at("behind")) {}
    std::string name() const override { return "broken"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        const Node* node = at_.empty() ? nullptr : concerned(graph);
        if (!at_.empty() && !node) return makeInterpreter()->compile(graph, constants);
        if (how_ == "compile") throw std::runtime_error("no such instruction");
        if (how_ == "value" && node) return makeInterpreter()->compile(*withOneMore(graph, node->id()), constants);
        return std::make_shared<Broken>(how_, makeInterpreter()->compile(graph, constants));
    }

private:
    const Node* concerned(const Graph& graph) const {
        for (const Node* node : graph.nodes()) {
            bool found = node->isCall(at_) && behind_.empty();
            for (const Node* input : node->inputs()) found = found || (node->isCall(at_) && input->isCall(behind_));
            if (found) return node;
        }
        return nullptr;
    }

    std::string how_, at_, behind_;
};

const CompilerPlugin kPlugin = {
    {"broken",
     "fails",
     {{"how", "compile", "when and how", {"compile", "run", "count", "sizes", "dtype", "value"}},
      {"at", "", "only in graphs with this operation; empty: in all"},
      {"behind", "", "with at: only where the operation gets a result of this one"}}},
    [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
        return std::make_unique<BrokenCompiler>(settings);
    }};

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
