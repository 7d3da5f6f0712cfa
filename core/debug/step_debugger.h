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
    /// Runs the model once, to record the inputs of its graphs.
    StepDebugger(std::shared_ptr<const ModelRun> modelRun, const Compilation& compilation, const Options& options);

    DebugPosition position() const override;
    const DebugStop& lastStop() const override { return last_; }
    std::vector<DebugStep> steps() const override;
    std::vector<std::string> notes() const override;
    /// The notes on graphs that the interpreter steps instead of the requested compiler.
    std::vector<std::string> fallbacks() const;

    void step(const Progress& progress) override;
    void stepOverModule(const Progress& progress) override;
    void runTo(GraphKind graph, NodeId node, const Progress& progress) override;
    void run(const Progress& progress) override;
    void runToNotFinite(const Progress& progress) override;
    void stepBack() override;
    void restart() override;

    std::vector<DebugBreakpoint> breakpoints() const override { return conditions_.breakpoints(); }
    std::vector<int> hits() const override { return conditions_.hits(); }
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) override { conditions_.set(std::move(breakpoints)); }

    void compareWithEager(const Progress& progress) override;
    void compareWith(Debugger& other, const Progress& progress) override;
    void stopComparing() override { reference_.reset(), eager_.reset(); }
    bool comparing() const override { return reference_ || eager_; }

    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const override;
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override;
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override;
    void edit(GraphKind graph, NodeId node, const std::string& value) override;

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
    void start(std::size_t half, const std::vector<c10::IValue>& arguments);
    void moveOn();
    void goBackTo(std::size_t half, std::size_t step);
    void compareWith(std::unique_ptr<ReferenceValues> reference);
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
    std::shared_ptr<const CompileRecord> record_;
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
    DebugStop last_;
    std::chrono::steady_clock::time_point announced_;
};

/// "%mm = aten.mm.default (h.0.attn (Attention), model.py:12)", "%arg0_1 'x'"
std::string labelOf(const Node& node);

}  // namespace aotscope
