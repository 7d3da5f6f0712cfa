#pragma once

#include "debug/conditions.h"
#include "debug/debugger.h"
#include "debug/measure.h"
#include "debug/stepped_graph.h"
#include "debug/value_reference.h"
#include "verify/bisect.h"
#include "verify/graph_arguments.h"

#include <chrono>
#include <unordered_set>

namespace aotscope {

/// The debugger of executable sessions.
class StepDebugger final : public Debugger {
public:
    /// Runs the model once, to record the inputs of its graphs. `confined`: commands run on a confined thread, on which
    /// they can be canceled within a kernel.
    StepDebugger(std::shared_ptr<const ModelRun> modelRun, const Compilation& compilation, const Options& options,
                 bool confined = false);

    /// The notes on graphs that the interpreter steps instead of the requested compiler.
    std::vector<std::string> fallbacks() const;

    std::vector<DebugStep> stepsOf(std::size_t rank) const override;
    const DebugState& execute(const DebugCommand& command, const Progress& progress) override;
    Values values(const std::vector<ValuePlace>& places, const Progress& progress) const override;
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override;
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override;

private:
    struct Half {
        GraphKind kind;
        std::unique_ptr<SteppedGraph> graph;
        std::unordered_map<NodeId, QueryFacts> facts;
    };
    /// How the run compares with eager. A check finds whether anything differs, and a bisection where. Values are
    /// compared one by one only if they depend on an edit or, if the run differs, with several ranks, where no
    /// bisection runs.
    struct EagerComparison {
        std::optional<BisectResult> difference;
        bool everyValue = false;
        bool told = false;  ///< the stop for a run that differs although no value does was reported
    };
    /// A value, in order of computation.
    struct Entry {
        std::size_t half = 0;
        const Node* node = nullptr;
    };

    SteppedGraph& here() { return *halves_[at_].graph; }
    const SteppedGraph& here() const { return *halves_[at_].graph; }
    std::size_t halfOf(GraphKind kind, NodeId node) const;
    const c10::IValue* valueOf(GraphKind kind, NodeId node) const;
    std::vector<const Node*> operandsOf(std::size_t half, const Node& node) const;

    std::unique_ptr<SteppedGraph> makeSteps(const Compilation& compilation, GraphKind kind) const;
    void runOnce();
    void within(const Progress& progress, const std::function<void()>& job) const;
    void carryOut(const DebugCommand& command, const Progress& progress);
    DebugPosition positionNow() const;
    const DebugState& noteState();
    std::vector<std::string> notes() const;

    void startOver();
    void goBack();
    void goOn(DebugVerb verb, const Progress& progress);
    void runToNode(GraphKind graph, NodeId node, const Progress& progress);
    void goToPlace(const std::vector<RankPlace>& places, const Progress& progress);
    void breakAt(const std::vector<DebugBreakpoint>& breakpoints);
    void compareToEager(const Progress& progress);
    void compareToRun(Debugger* other, const Progress& progress);
    bool comparing() const { return reference_ || eager_; }
    void setValue(GraphKind graph, NodeId node, const std::string& text);

    void start(std::size_t half, const std::vector<c10::IValue>& arguments);
    void moveOn();
    void goBackTo(std::size_t half, std::size_t step);
    void compareTo(std::unique_ptr<ReferenceValues> reference);
    std::unique_ptr<ReferenceValues> valuesOfEager() const;
    bool comesFromEdit(const Entry& entry) const;
    std::optional<DebugStop> differenceAround();
    bool isAt(const Entry& entry, const BisectResult& found) const;

    void advance(const Progress& progress, DebugStop::Reason reason, bool notFinite,
                 const std::function<bool()>& until);
    void announce(const Progress& progress);
    std::optional<DebugStop> executeNext();
    std::optional<DebugStop> breakpointBefore();
    std::optional<DebugStop> breakpointAfter(std::size_t step);
    std::optional<DebugStop> examine(bool notFinite);
    std::optional<DebugStop> difference(const Entry& entry) const;
    std::optional<DebugStop> originOfNotFinite(const Entry& entry);
    NotFinite operandsNotFinite(std::size_t half, const Node& node) const;
    DebugStop atEnd(bool notFinite) const;
    std::string whatWasExecuted() const;
    DebugStop stopAt(const Entry& entry, DebugStop::Reason reason, std::string text) const;

    std::shared_ptr<const ModelRun> modelRun_;
    Options options_;
    Compilation compilation_;
    GraphArguments arguments_;
    RandomState random_;
    std::vector<Half> halves_;  ///< the forward or inference graph, then the backward
    std::size_t at_ = 0;
    std::vector<Entry> values_;
    std::size_t compared_ = 0, searched_ = 0;  ///< how many of them were compared and searched
    Entry executed_;                           ///< by the last step
    std::size_t executedStep_ = 0;
    Conditions conditions_;
    std::unique_ptr<ReferenceValues> reference_;
    bool sawNotFinite_ = false;   ///< among the searched values
    bool sawDifference_ = false;  ///< among the compared values
    std::optional<EagerComparison> eager_;
    std::unordered_set<NodeId> edited_;
    std::vector<std::string> impossible_;  ///< breakpoints that cannot stop: sentences
    bool confined_;
    std::chrono::steady_clock::time_point announced_;
};

/// "%mm = aten.mm.default (h.0.attn (Attention), model.py:12)", "%arg0_1 'x'"
std::string labelOf(const Node& node);

}  // namespace aotscope
