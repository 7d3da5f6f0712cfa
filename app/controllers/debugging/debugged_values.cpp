#include "controllers/debugging/debugged_values.h"

#include "debug/ranks_debugger.h"
#include "debug/stepped_ranks_text.h"
#include "models/words/to_qstring.h"
#include "session/session.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Queries a run, or one that steps several ranks, all at once: all take as long as one.
class Question {
public:
    Question(const Debugger& debugger, const DebuggedRanks& ranks) : debugger_(debugger), ranks_(ranks) {}

    void add(GraphKind graph, NodeId node) {
        if (ranks_.run) addOf(ranks_.run->shown(), graph, node);
        else places_.push_back({graph, node});
    }
    /// Also on all ranks whose graphs are the same: on others, it is another node.
    void add(const ShownValue& value) {
        add(value.graph, value.node);
        for (std::size_t rank = 0; rank < ranks_.alike.size(); ++rank)
            if (ranks_.alike[rank]) addOf(rank, value.graph, value.node);
    }
    void ask(const Progress& progress) {
        found_ = ranks_.run ? ranks_.run->values(ofRanks_, progress) : debugger_.values(places_, progress);
    }
    /// In the order in which they were added.
    std::optional<ValueFacts> next() { return std::move(found_[taken_++]); }
    void answer(ShownValue& value) {
        value.facts = next();
        value.ranks.clear();
        for (std::size_t rank = 0; rank < ranks_.alike.size(); ++rank)
            if (ranks_.alike[rank]) value.ranks.push_back({rank, next()});
    }

private:
    void addOf(std::size_t rank, GraphKind graph, NodeId node) { ofRanks_.push_back({rank, graph, node}); }

    const Debugger& debugger_;
    const DebuggedRanks& ranks_;
    std::vector<Debugger::ValuePlace> places_;
    std::vector<RankNode> ofRanks_;
    std::vector<std::optional<ValueFacts>> found_;
    std::size_t taken_ = 0;
};

void sayWhy(ShownValue& value, const Debugger& debugger, const CompileRecord& record) {
    const auto graph = record.graph(value.graph);
    const Node* node = graph ? graph->findById(value.node) : nullptr;
    if (!value.facts && node)
        value.missing = toQString(whyNoValue(debugger.steps(), debugger.position(), *graph, value.graph, *node));
}

}  // namespace

SeenValues seeValues(const Debugger& debugger, const DebuggedRanks& ranks, const WantedValues& wanted,
                     const Progress& progress) {
    SeenValues seen{wanted.watched, wanted.selected, {}, {}, debugger.position()};
    Question question(debugger, ranks);
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

StartedRun startRun(const Session& session, std::size_t count, const Progress& progress) {
    StartedRun started;
    if (count > 1) started.ranks = debugRanksOf(session, count, progress);
    started.debugger = count > 1 ? started.ranks.run : session.debug(progress);
    started.steps = started.debugger->steps();
    return started;
}

std::shared_ptr<const Session> otherPartition(const std::shared_ptr<const Session>& session, const Progress& progress) {
    Options options = session->options();
    options.partition.algorithm = options.partition.algorithm == PartitionAlgorithm::minCut
                                      ? PartitionAlgorithm::defaultPartition
                                      : PartitionAlgorithm::minCut;
    return Session::open(options, progress, session);
}

void goTo(const StartedRun& run, const RunPlace& there, const Progress& progress) {
    if (run.ranks.run) {
        run.ranks.run->show(there.rank);
        return run.ranks.run->goTo(there.ranks, progress);
    }
    const DebugPosition &place = there.position, now = run.debugger->position();
    if (place.ended()) run.debugger->run(progress);
    else if (now.node != place.node || now.graph != place.graph) run.debugger->runTo(place.graph, place.node, progress);
}

void keepInView(const DebuggedRanks& ranks, std::size_t rank, DebugStop& stop) {
    const auto& stopped = ranks.run->stoppedBy();
    const bool own = stopped.empty() || std::ranges::find(stopped, rank) != stopped.end();
    if (!own && !ranks.alike[stopped.front()]) stop.node = kNoNode;
    if (!ranks.alike[ranks.run->shown()]) ranks.run->show(rank);
}

std::string whereRanksAre(const RanksDebugger& run) {
    std::string text = positionsText(run);
    return std::ranges::count(text, '\n') > 1 ? text : std::string();
}

}  // namespace aotscope
