// A compiler that fails as its setting says, to test the fallback to the interpreter.

#include "compile/plugin.h"

#include <stdexcept>

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

class BrokenCompiler final : public Compiler {
public:
    explicit BrokenCompiler(std::string how) : how_(std::move(how)) {}
    std::string name() const override { return "broken"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        if (how_ == "compile") throw std::runtime_error("no such instruction");
        return std::make_shared<Broken>(how_, makeInterpreter()->compile(graph, constants));
    }

private:
    std::string how_;
};

const CompilerPlugin kPlugin = {
    {"broken", "fails", {{"how", "compile", "when and how", {"compile", "run", "count", "sizes", "dtype", "value"}}}},
    [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
        return std::make_unique<BrokenCompiler>(settings.at("how"));
    }};

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
