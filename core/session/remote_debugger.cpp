#include "session/remote_debugger.h"

#include "io/session/packed.h"
#include "session/debug_fields.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::DebugStart;
using session_format::DebugState;
using session_format::packed;
using session_format::unpacked;

DebugState stateOf(const Debugger& debugger) {
    return {debugger.position(), debugger.lastStop(), debugger.breakpoints(), debugger.hits(), debugger.comparing()};
}

/// A node of a run, in a message.
json valueJson(GraphKind graph, NodeId node) { return {{"graph", static_cast<unsigned>(graph)}, {"node", node}}; }

GraphKind graphOf(const json& message) {
    const auto number = numberOf(message, "graph");
    if (number >= static_cast<std::uint64_t>(kGraphKinds)) throw Error("names an unknown graph");
    return static_cast<GraphKind>(number);
}

NodeId nodeOf(const json& message) { return static_cast<NodeId>(session_format::integerIn(memberOf(message, "node"))); }

/// The state after the last command is here: only commands and values are asked for.
class RemoteDebugger final : public Debugger {
public:
    RemoteDebugger(std::unique_ptr<DebuggerLink> link, DebugStart start)
        : link_(std::move(link)), steps_(std::move(start.steps)), state_(std::move(start.state)) {}

    DebugPosition position() const override { return state_.position; }
    const DebugStop& lastStop() const override { return state_.stop; }
    std::vector<DebugStep> steps() const override { return steps_; }

    void step(const Progress& progress) override { command("step", {}, progress); }
    void stepOverModule(const Progress& progress) override { command("stepOverModule", {}, progress); }
    void runTo(GraphKind graph, NodeId node, const Progress& progress) override {
        command("runTo", valueJson(graph, node), progress);
    }
    void run(const Progress& progress) override { command("run", {}, progress); }
    void runToNotFinite(const Progress& progress) override { command("runToNotFinite", {}, progress); }
    void stepBack() override { command("stepBack", {}, {}); }
    void restart() override { command("restart", {}, {}); }

    std::vector<DebugBreakpoint> breakpoints() const override { return state_.breakpoints; }
    std::vector<int> hits() const override { return state_.hits; }
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) override {
        command("setBreakpoints", {{"breakpoints", bytesJson(packed(breakpoints))}}, {});
    }

    void compareWithEager(const Progress& progress) override { command("compareWithEager", {}, progress); }
    void compareWith(Debugger& other, const Progress& progress) override {
        const auto* second = dynamic_cast<const RemoteDebugger*>(&other);
        if (!second || second->link_->process() != link_->process())
            throw Error("both runs have to be in the same process on the other machine to be compared");
        command("compareWith", {{"other", second->link_->id()}}, progress);
    }
    void stopComparing() override { command("stopComparing", {}, {}); }
    bool comparing() const override { return state_.comparing; }

    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const override {
        return values({{graph, node}}, {}).front();
    }
    std::vector<std::optional<ValueFacts>> values(const std::vector<ValuePlace>& places,
                                                  const Progress& progress) const override {
        const json reply = ask("values", {{"places", bytesJson(packed(places))}}, progress);
        auto found = unpacked<std::vector<std::optional<ValueFacts>>>(bytesOf(reply, "value"));
        if (found.size() != places.size()) throw Error("other values came from the other machine than were asked for");
        return found;
    }
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        json with = valueJson(graph, node);
        with["leading"] = bytesJson(packed(leading));
        auto image = unpacked<std::optional<ValueImage>>(bytesOf(ask("image", std::move(with), {}), "value"));
        if (image && (image->rows < 0 || image->columns < 0 ||
                      static_cast<std::uint64_t>(image->rows) * static_cast<std::uint64_t>(image->columns) !=
                          image->cells.size()))
            throw Error("the picture of a value that came from the other machine has not as many cells as it says");
        return image;
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override {
        return textOf(ask("callAsPython", valueJson(graph, node), progress), "text");
    }
    void edit(GraphKind graph, NodeId node, const std::string& value) override {
        json with = valueJson(graph, node);
        with["text"] = value;
        command("edit", std::move(with), {});
    }

private:
    json ask(const char* what, json with, const Progress& progress) const {
        if (with.is_null()) with = json::object();
        with["debugger"] = link_->id();
        with["command"] = what;
        return link_->ask(std::move(with), progress);
    }
    /// Errors leave a run where it has come to: that is asked for then.
    void command(const char* what, json with, const Progress& progress) {
        try {
            takeState(ask(what, std::move(with), progress));
        } catch (const std::exception&) {
            const auto error = std::current_exception();
            if (link_->alive()) takeState(ask("state", {}, {}));
            std::rethrow_exception(error);
        }
    }
    void takeState(const json& result) { state_ = unpacked<DebugState>(bytesOf(result, "state")); }

    std::unique_ptr<DebuggerLink> link_;
    std::vector<DebugStep> steps_;
    DebugState state_;
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

using Command = void (*)(Debugger& debugger, const json& with, const Progress& progress);
struct NamedCommand {
    std::string_view name;
    Command run;
};

/// Those that change the state.
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
    {"edit",
     [](Debugger& d, const json& with, const Progress&) { d.edit(graphOf(with), nodeOf(with), textOf(with, "text")); }},
};

}  // namespace

std::shared_ptr<Debugger> makeRemoteDebugger(std::unique_ptr<DebuggerLink> link, std::string_view start) {
    return std::make_shared<RemoteDebugger>(std::move(link), unpacked<DebugStart>(start));
}

std::shared_ptr<Debugger> makeRemoteDebugger(std::shared_ptr<Connection> connection, std::uint64_t id,
                                             std::string_view start) {
    return makeRemoteDebugger(std::make_unique<ConnectionLink>(std::move(connection), id), start);
}

std::string startOfDebugger(const Debugger& debugger) {
    return packed(DebugStart{debugger.steps(), stateOf(debugger)});
}

json commandDebugger(Debugger& debugger, Debugger* other, const json& with, const Progress& progress) {
    const std::string name = textOf(with, "command");
    if (name == "values") {
        const auto places = unpacked<std::vector<Debugger::ValuePlace>>(bytesOf(with, "places"));
        return {{"value", bytesJson(packed(debugger.values(places, progress)))}};
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
    return {{"state", bytesJson(packed(stateOf(debugger)))}};
}

}  // namespace aotscope
