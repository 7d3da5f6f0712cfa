#include "controllers/debugging/debugged_values.h"

#include "debug/stepped_ranks_text.h"
#include "models/words/to_qstring.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Queries a run all at once: all take as long as one.
class Question {
public:
    explicit Question(const DebuggedRanks& ranks) : run_(*ranks.run) {
        for (std::size_t rank = 0; ranks.alike.size() > 1 && rank < ranks.alike.size(); ++rank)
            if (ranks.alike[rank]) compared_.push_back(rank);
    }

    void add(GraphKind graph, NodeId node) { places_.push_back({graph, node, run_.state().shown}); }
    /// Also on all ranks whose graphs are the same: on others, it is another node.
    void add(const ShownValue& value) {
        add(value.graph, value.node);
        for (const std::size_t rank : compared_) places_.push_back({value.graph, value.node, rank});
    }
    void ask(const Progress& progress) { found_ = run_.values(places_, progress); }
    /// In the order in which they were added.
    std::optional<ValueFacts> next() { return std::move(found_[taken_++]); }
    void answer(ShownValue& value) {
        value.facts = next();
        value.ranks.clear();
        for (const std::size_t rank : compared_) value.ranks.push_back({rank, next()});
    }

private:
    const Debugger& run_;
    std::vector<std::size_t> compared_;  ///< empty: there is one rank
    std::vector<Debugger::ValuePlace> places_;
    Debugger::Values found_;
    std::size_t taken_ = 0;
};

void sayWhy(ShownValue& value, const Debugger& debugger, const CompileRecord& record) {
    const auto graph = record.graph(value.graph);
    const Node* node = graph ? graph->findById(value.node) : nullptr;
    if (!value.facts && node)
        value.missing = toQString(whyNoValue(debugger.steps(), debugger.position(), *graph, value.graph, *node));
}

}  // namespace

SeenValues seeValues(const DebuggedRanks& run, const WantedValues& wanted, const Progress& progress) {
    const Debugger& debugger = *run.run;
    SeenValues seen{wanted.watched, wanted.selected, {}, {}};
    Question question(run);
    for (const auto& [row, step] : wanted.steps) question.add(step.graph, step.node);
    for (const ShownValue& value : wanted.watched) question.add(value);
    if (wanted.selected) question.add(*wanted.selected);
    question.ask(progress);
    for (const auto& [row, step] : wanted.steps)
        if (auto facts = question.next()) seen.steps[row] = std::move(*facts);
    for (ShownValue& value : seen.watched) question.answer(value);
    if (wanted.record)
        for (ShownValue& value : seen.watched) sayWhy(value, debugger, *wanted.record);
    if (!seen.selected) return seen;
    ShownValue& selected = *seen.selected;
    question.answer(selected);
    if (wanted.record) sayWhy(selected, debugger, *wanted.record);
    // The indices may belong to another value.
    std::vector<std::int64_t> within = wanted.leading;
    const auto& facts = selected.facts;
    for (std::size_t d = 0; facts && d < within.size(); ++d)
        if (d >= facts->sizes.size() || within[d] >= facts->sizes[d]) within[d] = 0;
    seen.image = debugger.image(selected.graph, selected.node, within);
    return seen;
}

StartedRun startRun(const Engine& engine, const Session& session, std::size_t count, const Progress& progress) {
    auto ranks = debugRanksOf(engine, session, count, progress);
    auto steps = ranks.run->steps();
    return {std::move(ranks), std::move(steps)};
}

std::shared_ptr<const Session> otherPartition(const Engine& engine, const std::shared_ptr<const Session>& session,
                                              const Progress& progress) {
    Options options = session->options();
    options.partition.algorithm = options.partition.algorithm == PartitionAlgorithm::minCut
                                      ? PartitionAlgorithm::defaultPartition
                                      : PartitionAlgorithm::minCut;
    return engine.open(options, progress, session);
}

DebugState keepInView(const DebuggedRanks& ranks, std::size_t rank) {
    const auto& stopped = ranks.run->state().stoppedBy;
    const bool own = stopped.empty() || std::ranges::find(stopped, rank) != stopped.end();
    if (!ranks.alike[ranks.run->state().shown]) ranks.run->show(rank);
    DebugState state = ranks.run->state();
    if (!own && !ranks.alike[stopped.front()]) state.stop.node = kNoNode;
    return state;
}

std::string whereRanksAre(const Debugger& run) {
    std::string text = positionsText(run);
    return std::ranges::count(text, '\n') > 1 ? text : std::string();
}

}  // namespace aotscope
