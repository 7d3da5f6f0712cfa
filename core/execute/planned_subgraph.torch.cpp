#include "execute/planned_subgraph.h"

#include "execute/plan.h"
#include "program/subgraph_function.h"
#include "support/error.h"

#include <optional>

namespace aotscope {

namespace {

/// Tells a sink which step runs.
class StepsToSink final : public StepObserver {
public:
    explicit StepsToSink(LocationSink& sink) : sink_(sink) {}
    void before(std::size_t step) override { sink_.enter(step); }
    void after(std::size_t) override { sink_.leave(); }

private:
    LocationSink& sink_;
};

class PlannedSubgraph final : public SubgraphFunction {
public:
    PlannedSubgraph(const Graph& graph, std::shared_ptr<const CompiledGraph> compiled)
        : name_(graph.name()), compiled_(std::move(compiled)) {
        for (const NodeId step : compiled_->steps()) locations_.push_back(graph.findById(step)->source);
    }

    /// One for each step.
    const std::vector<std::shared_ptr<const SourceInfo>>& locations() const override { return locations_; }

    std::vector<at::Tensor> run(const std::vector<at::Tensor>& operands, LocationSink* sink) const override {
        std::vector<c10::IValue> values(operands.begin(), operands.end());
        std::vector<at::Tensor> results;
        std::optional<StepsToSink> observer;
        if (sink) observer.emplace(*sink);
        for (const c10::IValue& result : compiled_->run(values, observer ? &*observer : nullptr)) {
            if (!result.isTensor()) throw Error("graph '" + name_ + "' returns something that is no tensor");
            results.push_back(result.toTensor());
        }
        return results;
    }

private:
    std::string name_;
    std::shared_ptr<const CompiledGraph> compiled_;
    std::vector<std::shared_ptr<const SourceInfo>> locations_;
};

}  // namespace

c10::IValue planSubgraph(const Graph& subgraph, const ConstantTable& constants) {
    return toIValue(c10::make_intrusive<PlannedSubgraph>(subgraph, interpret(makePlan(subgraph, constants))));
}

}  // namespace aotscope
