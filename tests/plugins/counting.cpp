// A compiler of one's own, as the README shows it: it leaves the work to the interpreter and counts the runs.

#include "compile/plugin.h"

#include <atomic>
#include <fstream>

using namespace aotscope;

namespace {

class Counting final : public CompiledGraph {
public:
    Counting(std::string graph, std::string file, std::shared_ptr<const CompiledGraph> inner)
        : graph_(std::move(graph)), file_(std::move(file)), inner_(std::move(inner)) {}

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        const int run = ++runs_;
        if (!file_.empty()) std::ofstream(file_, std::ios::app) << graph_ << " " << run << "\n";
        return inner_->run(args, observer);
    }
    const std::vector<NodeId>& steps() const override { return inner_->steps(); }

private:
    std::string graph_, file_;
    std::shared_ptr<const CompiledGraph> inner_;
    mutable std::atomic<int> runs_ = 0;
};

class CountingCompiler final : public Compiler {
public:
    explicit CountingCompiler(std::string file) : file_(std::move(file)) {}
    std::string name() const override { return "counting"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        return std::make_shared<Counting>(graph.name(), file_, makeInterpreter()->compile(graph, constants));
    }

private:
    std::string file_;
};

const CompilerPlugin kPlugin = {
    {"counting", "the interpreter, counting the runs", {{"file", "", "where each run adds a line; empty: nowhere"}}},
    [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
        return std::make_unique<CountingCompiler>(settings.at("file"));
    }};

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
