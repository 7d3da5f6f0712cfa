#include "compile/planned_subgraph.h"

#include "compile/plan.h"
#include "program/subgraph_function.h"
#include "support/error.h"

namespace aotscope {

namespace {

class PlannedSubgraph final : public SubgraphFunction {
public:
    PlannedSubgraph(std::string name, std::shared_ptr<const CompiledGraph> compiled)
        : name_(std::move(name)), compiled_(std::move(compiled)) {}

    /// Of a graph that is run again nothing but the graph is known.
    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override {
        static const std::vector<std::shared_ptr<const SourceInfo>> none;
        return none;
    }

    std::vector<at::Tensor> run(const std::vector<at::Tensor>& operands, LocationSink*) const override {
        std::vector<c10::IValue> values(operands.begin(), operands.end());
        std::vector<at::Tensor> results;
        for (const c10::IValue& result : compiled_->run(values)) {
            if (!result.isTensor()) throw Error("graph '" + name_ + "' returns something that is no tensor");
            results.push_back(result.toTensor());
        }
        return results;
    }

private:
    std::string name_;
    std::shared_ptr<const CompiledGraph> compiled_;
};

}  // namespace

c10::IValue planSubgraph(const Graph& subgraph, const ConstantTable& constants) {
    return toIValue(c10::make_intrusive<PlannedSubgraph>(subgraph.name(), interpret(makePlan(subgraph, constants))));
}

}  // namespace aotscope
