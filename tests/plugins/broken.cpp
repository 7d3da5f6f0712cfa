// A compiler that fails as its settings say, to test the fallback to the interpreter, and the search for small graphs
// on which it fails.

#include "plant_fault.h"

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

/// Shows observers nothing.
class Silent final : public CompiledGraph {
public:
    explicit Silent(std::shared_ptr<const CompiledGraph> inner) : inner_(std::move(inner)) {}
    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver*) const override {
        return inner_->run(args);
    }
    const std::vector<NodeId>& steps() const override { return steps_; }

private:
    std::shared_ptr<const CompiledGraph> inner_;
    std::vector<NodeId> steps_;
};

/// A copy in which `more` is added to the result of `node`.
std::unique_ptr<Graph> withMore(const Graph& graph, NodeId node, double more) {
    auto copy = graph.clone();
    plantBehind(*copy, copy->findById(node), "aten.add.Tensor", more);
    return copy;
}

/// A copy in which the last numeric argument of `node` is changed.
std::unique_ptr<Graph> withOtherNumber(const Graph& graph, NodeId node, double more) {
    auto copy = graph.clone();
    Node* wrong = copy->findById(node);
    std::vector<Argument> args = wrong->args();
    for (std::size_t i = args.size(); i-- > 0;) {
        const auto* real = std::get_if<double>(&args[i].value);
        if (!real && !args[i].integer()) continue;
        args[i] = (real ? *real : static_cast<double>(*args[i].integer())) + more;
        break;
    }
    copy->setArguments(wrong, std::move(args));
    return copy;
}

class BrokenCompiler final : public Compiler {
public:
    explicit BrokenCompiler(const CompilerSettings& settings)
        : how_(settings.at("how")),
          at_(settings.at("at")),
          behind_(settings.at("behind")),
          by_(std::stod(settings.at("by"))),
          silent_(settings.at("shows") == "nothing") {}
    std::string name() const override { return "broken"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        auto compiled = compiledFor(graph, constants);
        if (silent_) return std::make_shared<Silent>(std::move(compiled));
        return compiled;
    }

private:
    std::shared_ptr<const CompiledGraph> compiledFor(const Graph& graph, const ConstantTable& constants) const {
        const Node* node = at_.empty() ? nullptr : concerned(graph);
        if (!at_.empty() && !node) return makeInterpreter()->compile(graph, constants);
        if (how_ == "compile") throw std::runtime_error("no such instruction");
        if (how_ == "number" && node)
            return makeInterpreter()->compile(*withOtherNumber(graph, node->id(), by_), constants);
        if (how_ == "value" && node) return makeInterpreter()->compile(*withMore(graph, node->id(), by_), constants);
        return std::make_shared<Broken>(how_, makeInterpreter()->compile(graph, constants));
    }

    const Node* concerned(const Graph& graph) const {
        for (const Node* node : graph.nodes()) {
            bool found = node->isCall(at_) && behind_.empty();
            for (const Node* input : node->inputs()) found = found || (node->isCall(at_) && input->isCall(behind_));
            if (found) return node;
        }
        return nullptr;
    }

    std::string how_, at_, behind_;
    double by_;
    bool silent_;
};

const CompilerPlugin kPlugin = {
    {"broken",
     "fails",
     {{"how", "compile", "when and how", {"compile", "run", "count", "sizes", "dtype", "value", "number"}},
      {"at", "", "only in graphs with this operation; empty: in all"},
      {"behind", "", "with at: only where the operation gets a result of this one"},
      {"by", "1", "with at: how much a value, or a number among the arguments, is off"},
      {"shows", "all", "what observers are shown", {"all", "nothing"}}}},
    [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
        return std::make_unique<BrokenCompiler>(settings);
    }};

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
