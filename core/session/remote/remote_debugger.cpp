#include "session/remote/remote_debugger.h"

#include "session/remote/message_fields.h"
#include "session/within.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::packedJson;
using session_format::unpackedOf;

void requireNode(const CompileRecord& record, GraphKind kind, NodeId node) {
    const auto graph = record.graph(kind);
    if (!graph) throw Error("it names a graph that the run does not have");
    if (node != kNoNode && !graph->findById(node)) throw Error("it names a node that the graph does not have");
}

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

constexpr std::chrono::seconds kRecovery{10};
const std::string kOther = "the debugger in the other process";

/// A debugger in another process. The state after the last command is kept: only commands and values are requested.
class RemoteDebugger final : public Debugger {
public:
    /// Throws Error, a clause.
    RemoteDebugger(std::unique_ptr<DebuggerLink> link, std::vector<std::shared_ptr<const CompileRecord>> records,
                   const json& start)
        : Debugger(std::move(records)),
          link_(std::move(link)),
          steps_(unpackedOf<std::vector<std::vector<DebugStep>>>(start, "steps")) {
        if (steps_.size() != ranks()) throw Error("it has the steps of " + counted(steps_.size(), "rank"));
        for (std::size_t rank = 0; rank < ranks(); ++rank) requireKnown(record(rank), steps_[rank]);
        take(start);
    }

    std::vector<DebugStep> stepsOf(std::size_t rank) const override { return steps_[rank]; }

    /// Errors leave a run where it is, which is then requested, unless it does not stop.
    const DebugState& execute(const DebugCommand& command, const Progress& progress) override {
        try {
            link_->leaveIfItHangs();
            askToExecute(command, &progress);
        } catch (const std::exception&) {
            if (link_->alive()) askToExecute({}, nullptr);
            throw;
        }
        return state_;
    }

    Values values(const std::vector<ValuePlace>& places, const Progress& progress) const override {
        const json reply = ask("values", places, &progress);
        return readAnswer(kOther, [&] {
            auto found = unpackedOf<Values>(reply, "value");
            if (found.size() != places.size()) throw Error("other values came than were asked for");
            return found;
        });
    }
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        const json reply = ask("image", std::pair(ValuePlace{graph, node}, leading), nullptr);
        return readAnswer(kOther, [&] {
            auto image = unpackedOf<std::optional<ValueImage>>(reply, "value");
            if (image && (image->rows < 0 || image->columns < 0 ||
                          static_cast<std::uint64_t>(image->rows) * static_cast<std::uint64_t>(image->columns) !=
                              image->cells.size()))
                throw Error("the picture of a value has not as many cells as it says");
            return image;
        });
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override {
        return textOf(ask("callAsPython", ValuePlace{graph, node}, &progress), "text");
    }

private:
    /// `progress`: null where nobody can cancel.
    template <typename T>
    json ask(const char* what, const T& about, const Progress* progress, json with = json::object()) const {
        with.update(
            {{"debugger", link_->id()}, {"rank", state_.shown}, {"command", what}, {"about", packedJson(about)}});
        return progress ? link_->ask(std::move(with), *progress) : link_->askBriefly(std::move(with));
    }
    void askToExecute(const DebugCommand& command, const Progress* progress) {
        json with = json::object();
        if (command.other) {
            const auto* other = dynamic_cast<const RemoteDebugger*>(command.other.get());
            if (!other || other->link_->process() != link_->process())
                throw Error(
                    "both runs have to be in the same process to be compared; for one on another machine, give the "
                    "path of a file there");
            with["other"] = other->link_->id();
        }
        const json answer = ask("execute", command, progress, std::move(with));
        readAnswer(kOther, [&] { take(answer); });
    }

    /// Applies the answer to a command. Throws Error, a clause, if it is invalid.
    void take(const json& answer) {
        auto state = unpackedOf<DebugState>(answer, "state");
        if (state.hits.size() > state.breakpoints.size()) throw Error("it has hits of unknown breakpoints");
        if (state.ranks.size() != ranks() || state.shown >= ranks()) throw Error("it is about other ranks");
        for (std::size_t rank = 0; rank < ranks(); ++rank) requireKnown(record(rank), state.ranks[rank].position);
        if (std::ranges::any_of(state.stoppedBy, [&](std::size_t rank) { return rank >= ranks(); }))
            throw Error("it has stopped for a rank that is not there");
        // Of several ranks, another one may be shown than the run has stopped at.
        if (ranks() == 1 && state.stop.node != kNoNode) requireNode(record(0), state.stop.graph, state.stop.node);
        state_ = std::move(state);
    }

    std::unique_ptr<DebuggerLink> link_;
    std::vector<std::vector<DebugStep>> steps_;  ///< by rank
};

class ConnectionLink final : public DebuggerLink {
public:
    ConnectionLink(std::shared_ptr<Connection> connection, std::uint64_t id)
        : connection_(std::move(connection)), id_(id) {}
    ConnectionLink(const ConnectionLink&) = delete;
    ConnectionLink& operator=(const ConnectionLink&) = delete;
    ~ConnectionLink() override { connection_->drop(id_); }

    json ask(json question, const Progress& progress) override {
        return connection_->call("command", std::move(question), progress).result;
    }
    json askBriefly(json question) override {
        return answerWithin(kRecovery, kOther, [&](const Progress& progress) { return ask(question, progress); });
    }
    bool alive() const override { return connection_->alive(); }
    void leaveIfItHangs() override { connection_->leaveIfItHangs(); }
    std::uint64_t id() const override { return id_; }
    const void* process() const override { return connection_.get(); }

private:
    std::shared_ptr<Connection> connection_;
    std::uint64_t id_;
};

}  // namespace

std::unique_ptr<DebuggerLink> linkOn(std::shared_ptr<Connection> connection, std::uint64_t id) {
    return std::make_unique<ConnectionLink>(std::move(connection), id);
}

std::shared_ptr<Debugger> makeRemoteDebugger(std::unique_ptr<DebuggerLink> link,
                                             std::vector<std::shared_ptr<const CompileRecord>> records,
                                             const json& start) {
    return std::make_shared<RemoteDebugger>(std::move(link), std::move(records), start);
}

// --- the side of the debugger ---

json startOfDebugger(const Debugger& debugger) {
    std::vector<std::vector<DebugStep>> steps;
    for (std::size_t rank = 0; rank < debugger.ranks(); ++rank) steps.push_back(debugger.stepsOf(rank));
    return {{"steps", packedJson(steps)}, {"state", packedJson(debugger.state())}};
}

json answerOfDebugger(Debugger& debugger, std::shared_ptr<Debugger> other, const json& question,
                      const Progress& progress) {
    const std::string what = textOf(question, "command");
    debugger.show(numberOf(question, "rank"));
    if (what == "execute") {
        auto command = unpackedOf<DebugCommand>(question, "about");
        command.other = std::move(other);
        if (command.verb == DebugVerb::compareWith && !command.other) throw Error("there is no run to compare with");
        return {{"state", packedJson(debugger.execute(command, progress))}};
    }
    if (what == "values") {
        const auto places = unpackedOf<std::vector<Debugger::ValuePlace>>(question, "about");
        for (const auto& place : places)
            if (place.rank >= debugger.ranks()) throw Error("there is no rank " + std::to_string(place.rank));
        return {{"value", packedJson(debugger.values(places, progress))}};
    }
    if (what == "callAsPython") {
        const auto place = unpackedOf<Debugger::ValuePlace>(question, "about");
        return {{"text", debugger.callAsPython(place.graph, place.node, progress)}};
    }
    if (what != "image") throw Error("the debugger has no command '" + what + "'");
    const auto [place, leading] =
        unpackedOf<std::pair<Debugger::ValuePlace, std::vector<std::int64_t>>>(question, "about");
    return {{"value", packedJson(debugger.image(place.graph, place.node, leading))}};
}

}  // namespace aotscope
