#pragma once

#include "debug/interpreted_steps.h"
#include "verify/watched_graph.h"

namespace aotscope {

/// A graph that another compiler runs: as a whole, when it is started or a value is edited. Steps replay what was
/// observed in that run.
class WatchedSteps final : public SteppedGraph {
public:
    /// `constants` are those of the graph.
    WatchedSteps(WatchedGraph watched, std::shared_ptr<const Graph> graph, ConstantTable constants);

    /// Runs the graph, unless it has already run with these arguments.
    void start(const std::vector<c10::IValue>& arguments, const RandomState& random) override;
    void execute(RandomState& random) override;
    void goBackTo(std::size_t step, RandomState& random) override;
    const c10::IValue* value(const Node& node) const override;
    bool canCallAgain(const Node& call) const override;
    std::vector<c10::IValue> callAgain(const IsolatedCall& call) const override;
    void setValue(const Node& node, c10::IValue value, RandomState& random) override;
    std::vector<c10::IValue> outputs() const override { return current().outputs; }
    bool runsAtOnce() const override { return true; }
    std::string note() const override { return watched_.note(); }

private:
    /// The run with edited values, the last of which exists after `ready` steps.
    struct Edited {
        std::size_t ready = 0;
        WatchedGraph::Edits values;
        WatchedRun run;
    };

    const WatchedRun& current() const { return edited_.empty() ? first_ : edited_.back().run; }
    void listSteps();
    const InterpretedSteps* plain() const;
    bool failsAt(const Step& step) const;
    /// Keeps what the run so far has computed without depending on `edited`.
    void keepComputed(const Node& edited, std::size_t ready, WatchedRun& run) const;

    WatchedGraph watched_;
    ConstantTable constants_;
    std::unordered_map<NodeId, c10::IValue> given_;  ///< of placeholders and constants
    std::vector<c10::IValue> arguments_;
    std::optional<RandomState> start_;
    WatchedRun first_;
    std::vector<Edited> edited_;
    mutable std::optional<InterpretedSteps> plain_;  ///< created for isolated calls
};

}  // namespace aotscope
