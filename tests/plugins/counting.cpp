// A compiler as a plug-in, the example of the manual's page on compilers: it runs graphs with the interpreter and
// counts the runs. It can report neighbouring nodes as one kernel.

#include "compile/plugin.h"

#include <atomic>
#include <fstream>

using namespace aotscope;

namespace {

class Counting final : public CompiledGraph {
public:
    Counting(std::string graph, std::string file, std::size_t together, std::shared_ptr<const CompiledGraph> inner)
        : graph_(std::move(graph)), file_(std::move(file)), together_(together), inner_(std::move(inner)) {}

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        const int run = ++runs_;
        if (!file_.empty()) std::ofstream(file_, std::ios::app) << graph_ << " " << run << "\n";
        return inner_->run(args, observer);
    }
    const std::vector<NodeId>& steps() const override { return inner_->steps(); }
    std::vector<std::vector<NodeId>> groups() const override {
        std::vector<std::vector<NodeId>> groups;
        if (together_ < 2) return groups;
        for (std::size_t i = 0; i < steps().size(); ++i) {
            if (i % together_ == 0) groups.emplace_back();
            groups.back().push_back(steps()[i]);
        }
        return groups;
    }

private:
    std::string graph_, file_;
    std::size_t together_;
    std::shared_ptr<const CompiledGraph> inner_;
    mutable std::atomic<int> runs_ = 0;
};

class CountingCompiler final : public Compiler {
public:
    CountingCompiler(std::string file, std::size_t together) : file_(std::move(file)), together_(together) {}
    std::string name() const override { return "counting"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        return std::make_shared<Counting>(graph.name(), file_, together_, makeInterpreter()->compile(graph, constants));
    }

private:
    std::string file_;
    std::size_t together_;
};

const CompilerPlugin kPlugin = {
    {"counting",
     "the interpreter, counting the runs",
     {{"file", "", "where each run adds a line; empty: nowhere"},
      {"together", "1", "how many neighbouring nodes it says one kernel computes", {"1", "2", "3"}}}},
    [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
        return std::make_unique<CountingCompiler>(settings.at("file"), std::stoul(settings.at("together")));
    }};

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
