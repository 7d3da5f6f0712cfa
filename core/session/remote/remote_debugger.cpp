#include "session/remote/remote_debugger.h"

#include "debug/ranks_debugger.h"
#include "session/remote/debugger_there.h"

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::DebugStart;
using session_format::DebugState;
using session_format::packed;
using session_format::RanksState;
using session_format::unpacked;

DebugState stateOf(const Debugger& debugger) {
    return {debugger.position(), debugger.lastStop(),  debugger.breakpoints(),
            debugger.hits(),     debugger.comparing(), debugger.notes()};
}

GraphKind graphOf(const json& message) {
    const auto number = numberOf(message, "graph");
    if (number >= static_cast<std::uint64_t>(kGraphKinds)) throw Error("names an unknown graph");
    return static_cast<GraphKind>(number);
}

NodeId nodeOf(const json& message) { return static_cast<NodeId>(session_format::integerIn(memberOf(message, "node"))); }

class RemoteDebugger final : public DebuggerThere<Debugger> {
public:
    /// Throws Error, a clause.
    RemoteDebugger(std::unique_ptr<DebuggerLink> link, std::shared_ptr<const CompileRecord> record, DebugStart start)
        : DebuggerThere(std::move(link)), record_(std::move(record)), steps_(std::move(start.steps)) {
        requireKnown(*record_, steps_);
        RemoteDebugger::take({}, std::move(start.state));
    }

    DebugPosition position() const override { return state_.position; }
    std::vector<DebugStep> steps() const override { return steps_; }

private:
    void take(const json& /*answer*/, DebugState state) override {
        requireKnown(*record_, state.position);
        requireKnown(*record_, state.stop);
        state_ = std::move(state);
    }

    std::shared_ptr<const CompileRecord> record_;
    std::vector<DebugStep> steps_;
};

class ConnectionLink final : public DebuggerLink {
public:
    ConnectionLink(std::shared_ptr<Connection> connection, std::uint64_t id)
        : connection_(std::move(connection)), id_(id) {}
    ConnectionLink(const ConnectionLink&) = delete;
    ConnectionLink& operator=(const ConnectionLink&) = delete;
    ~ConnectionLink() override { connection_->drop(id_); }

    json ask(json command, const Progress& progress) override {
        return connection_->call("command", std::move(command), progress).result;
    }
    bool alive() const override { return connection_->alive(); }
    std::uint64_t id() const override { return id_; }
    const void* process() const override { return connection_.get(); }

private:
    std::shared_ptr<Connection> connection_;
    std::uint64_t id_;
};

// --- the other side ---

RanksDebugger& ranksOf(Debugger& debugger) {
    auto* ranks = dynamic_cast<RanksDebugger*>(&debugger);
    if (!ranks) throw Error("the debugger steps a single rank");
    return *ranks;
}

RanksState ranksStateOf(const RanksDebugger& run) {
    RanksState state{{}, {}, run.stoppedBy(), run.shown()};
    for (std::size_t rank = 0; rank < run.ranks(); ++rank) {
        state.positions.push_back(run.positionOf(rank));
        state.waits.push_back(run.waitsFor(rank));
    }
    return state;
}

json stateJson(const Debugger& debugger) {
    json state = {{"state", bytesJson(packed(stateOf(debugger)))}};
    if (const auto* ranks = dynamic_cast<const RanksDebugger*>(&debugger))
        state["ranks"] = bytesJson(packed(ranksStateOf(*ranks)));
    return state;
}

using Command = void (*)(Debugger& debugger, const json& with, const Progress& progress);
struct NamedCommand {
    std::string_view name;
    Command run;
};

/// Commands that change the state.
constexpr NamedCommand kCommands[] = {
    {"state", [](Debugger&, const json&, const Progress&) {}},
    {"step", [](Debugger& d, const json&, const Progress& p) { d.step(p); }},
    {"stepOverModule", [](Debugger& d, const json&, const Progress& p) { d.stepOverModule(p); }},
    {"runTo", [](Debugger& d, const json& with, const Progress& p) { d.runTo(graphOf(with), nodeOf(with), p); }},
    {"run", [](Debugger& d, const json&, const Progress& p) { d.run(p); }},
    {"runToNotFinite", [](Debugger& d, const json&, const Progress& p) { d.runToNotFinite(p); }},
    {"stepBack", [](Debugger& d, const json&, const Progress&) { d.stepBack(); }},
    {"restart", [](Debugger& d, const json&, const Progress&) { d.restart(); }},
    {"setBreakpoints",
     [](Debugger& d, const json& with, const Progress&) {
         d.setBreakpoints(unpacked<std::vector<DebugBreakpoint>>(bytesOf(with, "breakpoints")));
     }},
    {"compareWithEager", [](Debugger& d, const json&, const Progress& p) { d.compareWithEager(p); }},
    {"stopComparing", [](Debugger& d, const json&, const Progress&) { d.stopComparing(); }},
    {"goTo", [](Debugger& d, const json& with,
                const Progress& p) { ranksOf(d).goTo(unpacked<std::vector<RankPlace>>(bytesOf(with, "places")), p); }},
    {"edit",
     [](Debugger& d, const json& with, const Progress&) { d.edit(graphOf(with), nodeOf(with), textOf(with, "text")); }},
};

}  // namespace

std::unique_ptr<DebuggerLink> linkOn(std::shared_ptr<Connection> connection, std::uint64_t id) {
    return std::make_unique<ConnectionLink>(std::move(connection), id);
}

std::shared_ptr<Debugger> makeRemoteDebugger(std::unique_ptr<DebuggerLink> link,
                                             std::shared_ptr<const CompileRecord> record, std::string_view start) {
    return std::make_shared<RemoteDebugger>(std::move(link), std::move(record), unpacked<DebugStart>(start));
}

std::string startOfDebugger(const Debugger& debugger) {
    return packed(DebugStart{debugger.steps(), stateOf(debugger)});
}

json startOfRanks(RanksDebugger& run) {
    json steps = json::array();
    const std::size_t shown = run.shown();
    for (std::size_t rank = 0; rank < run.ranks(); ++rank) {
        run.show(rank);
        steps.push_back(bytesJson(packed(run.steps())));
    }
    run.show(shown);
    json start = stateJson(run);
    start["steps"] = std::move(steps);
    return start;
}

json valueJson(GraphKind graph, NodeId node) { return {{"graph", static_cast<unsigned>(graph)}, {"node", node}}; }

namespace {

void requireNode(const CompileRecord& record, GraphKind kind, NodeId node) {
    const auto graph = record.graph(kind);
    if (!graph) throw Error("it names a graph that the run does not have");
    if (node != kNoNode && !graph->findById(node)) throw Error("it names a node that the graph does not have");
}

}  // namespace

void requireKnown(const CompileRecord& record, const DebugPosition& position) {
    requireNode(record, position.graph, position.node);
    if (position.step > position.steps) throw Error("it has a step behind the last one");
}

void requireKnown(const CompileRecord& record, const std::vector<DebugStep>& steps) {
    for (const DebugStep& step : steps) {
        requireNode(record, step.graph, step.node);
        if (step.node == kNoNode) throw Error("it has a step without a node");
        for (const NodeId inner : step.inside) requireNode(record, step.graph, inner);
    }
}

void requireKnown(const CompileRecord& record, const DebugStop& stop) {
    if (stop.node != kNoNode) requireNode(record, stop.graph, stop.node);
}

void refuseAnswer(const std::string& why) {
    throw Error("the answer of the debugger in the other process is damaged: " + firstSentence(why));
}

json commandDebugger(Debugger& debugger, Debugger* other, const json& with, const Progress& progress) {
    const std::string name = textOf(with, "command");
    if (with.contains("rank")) ranksOf(debugger).show(numberOf(with, "rank"));
    if (name == "values") {
        const auto places = unpacked<std::vector<Debugger::ValuePlace>>(bytesOf(with, "places"));
        return {{"value", bytesJson(packed(debugger.values(places, progress)))}};
    }
    if (name == "valuesOfRanks") {
        const auto places = unpacked<std::vector<RankNode>>(bytesOf(with, "places"));
        const RanksDebugger& ranks = ranksOf(debugger);
        for (const RankNode& place : places)
            if (place.rank >= ranks.ranks()) throw Error("there is no rank " + std::to_string(place.rank));
        return {{"value", bytesJson(packed(ranks.values(places, progress)))}};
    }
    if (name == "image")
        return {{"value",
                 bytesJson(packed(debugger.image(graphOf(with), nodeOf(with),
                                                 unpacked<std::vector<std::int64_t>>(bytesOf(with, "leading")))))}};
    if (name == "callAsPython") return {{"text", debugger.callAsPython(graphOf(with), nodeOf(with), progress)}};
    if (name == "compareWith" && other) debugger.compareWith(*other, progress);
    else {
        const auto* command = std::ranges::find(kCommands, name, &NamedCommand::name);
        if (command == std::end(kCommands)) throw Error("the debugger has no command '" + name + "'");
        command->run(debugger, with, progress);
    }
    return stateJson(debugger);
}

}  // namespace aotscope
