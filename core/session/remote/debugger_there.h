#pragma once

#include "io/session/packed.h"
#include "session/remote/debug_fields.h"
#include "session/remote/remote_debugger.h"
#include "support/error.h"

#include <new>
#include <utility>

namespace aotscope {

/// A node of a run, in a message.
nlohmann::json valueJson(GraphKind graph, NodeId node);

/// Throw Error for nodes outside of the graphs of `record`.
void requireKnown(const CompileRecord& record, const DebugPosition& position);
void requireKnown(const CompileRecord& record, const std::vector<DebugStep>& steps);
void requireKnown(const CompileRecord& record, const DebugStop& stop);
/// Throws Error, one sentence, about an answer of another process: `why` is a clause or a sentence of a reader.
[[noreturn]] void refuseAnswer(const std::string& why);

/// Runs `read` on an answer of another process.
template <typename Read>
auto understood(Read&& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        refuseAnswer(e.what());
    }
}

/// A debugger in another process. The state after the last command is kept: only commands and values are requested.
template <typename Base>
class DebuggerThere : public Base {
public:
    const DebugStop& lastStop() const override { return state_.stop; }
    std::vector<std::string> notes() const override { return state_.notes; }

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
        command("setBreakpoints", {{"breakpoints", bytesJson(session_format::packed(breakpoints))}}, {});
    }

    void compareWithEager(const Progress& progress) override { command("compareWithEager", {}, progress); }
    void compareWith(Debugger& other, const Progress& progress) override {
        const auto* second = dynamic_cast<const DebuggerThere*>(&other);
        if (!second || second->link_->process() != link_->process())
            throw Error(
                "both runs have to be in the same process on the other machine to be compared; give the path of a "
                "file there");
        command("compareWith", {{"other", second->link_->id()}}, progress);
    }
    void stopComparing() override { command("stopComparing", {}, {}); }
    bool comparing() const override { return state_.comparing; }

    using Base::values;
    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const override {
        return values(std::vector<Debugger::ValuePlace>{{graph, node}}, {}).front();
    }
    std::vector<std::optional<ValueFacts>> values(const std::vector<Debugger::ValuePlace>& places,
                                                  const Progress& progress) const override {
        return valuesThere("values", places, progress);
    }
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        nlohmann::json with = valueJson(graph, node);
        with["leading"] = bytesJson(session_format::packed(leading));
        const nlohmann::json reply = ask("image", std::move(with), {});
        return understood([&] {
            auto image = session_format::unpacked<std::optional<ValueImage>>(bytesOf(reply, "value"));
            if (image && (image->rows < 0 || image->columns < 0 ||
                          static_cast<std::uint64_t>(image->rows) * static_cast<std::uint64_t>(image->columns) !=
                              image->cells.size()))
                throw Error("the picture of a value has not as many cells as it says");
            return image;
        });
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override {
        return textOf(ask("callAsPython", valueJson(graph, node), progress), "text");
    }
    void edit(GraphKind graph, NodeId node, const std::string& value) override {
        nlohmann::json with = valueJson(graph, node);
        with["text"] = value;
        command("edit", std::move(with), {});
    }

protected:
    template <typename... Arguments>
    explicit DebuggerThere(std::unique_ptr<DebuggerLink> link, Arguments&&... arguments)
        : Base(std::forward<Arguments>(arguments)...), link_(std::move(link)) {}

    /// Arguments that every command has.
    virtual nlohmann::json saidAlways() const { return nlohmann::json::object(); }
    /// Applies the answer to a command. Throws Error, a clause, if it is invalid.
    virtual void take(const nlohmann::json& answer, session_format::DebugState state) = 0;

    nlohmann::json ask(const char* what, nlohmann::json with, const Progress& progress) const {
        if (with.is_null()) with = nlohmann::json::object();
        with.update(saidAlways());
        with["debugger"] = link_->id();
        with["command"] = what;
        return link_->ask(std::move(with), progress);
    }
    /// Errors leave a run where it is, which is then requested.
    void command(const char* what, nlohmann::json with, const Progress& progress) {
        try {
            understand(ask(what, std::move(with), progress));
        } catch (const std::exception&) {
            const auto error = std::current_exception();
            if (link_->alive()) understand(ask("state", {}, {}));
            std::rethrow_exception(error);
        }
    }
    template <typename Place>
    std::vector<std::optional<ValueFacts>> valuesThere(const char* what, const std::vector<Place>& places,
                                                       const Progress& progress) const {
        const nlohmann::json reply = ask(what, {{"places", bytesJson(session_format::packed(places))}}, progress);
        return understood([&] {
            auto found = session_format::unpacked<std::vector<std::optional<ValueFacts>>>(bytesOf(reply, "value"));
            if (found.size() != places.size()) throw Error("other values came than were asked for");
            return found;
        });
    }
    /// Throws Error, a clause.
    void takeAnswer(const nlohmann::json& answer) {
        auto state = session_format::unpacked<session_format::DebugState>(bytesOf(answer, "state"));
        if (state.hits.size() > state.breakpoints.size()) throw Error("it has hits of unknown breakpoints");
        take(answer, std::move(state));
    }

    session_format::DebugState state_;

private:
    void understand(const nlohmann::json& answer) {
        understood([&] { takeAnswer(answer); });
    }

    std::unique_ptr<DebuggerLink> link_;
};

}  // namespace aotscope
