#include "session/ranks/rank_debuggers.h"

#include "debug/stepped_ranks_debugger.h"
#include "distributed/followed_world.h"
#include "distributed/rank_process.h"
#include "io/session/document.h"
#include "remote/remote_error.h"
#include "session/ranks/rank_runs.h"
#include "session/remote/remote_debugger.h"
#include "session/session.h"
#include "support/error.h"
#include "support/json/message_members.h"

namespace aotscope {

namespace {

using nlohmann::json;

// --- the driven ranks ---

class LedProcess {
public:
    LedProcess(RankProcess& process, const std::vector<Options>& models, const Progress& progress)
        : process_(process),
          models_(models),
          progress_(progress),
          world_(std::make_shared<FollowedWorld>(
              process.world(), WorldShape{process.count(), process.rank(), models.at(0).world.groups})) {}

    void follow() {
        for (;;) {
            const json command = world_->nextCommand();
            const std::string what = readFromRank(0, [&] { return textOf(command, "command"); });
            if (what == "end") return;
            world_->answer(what == "open" ? open(command) : carryOut(command));
        }
    }

private:
    json carryOut(const json& command) {
        const WorldScope scope(world_);
        try {
            auto other = command.contains("other") ? debuggerOf(command, "other") : nullptr;
            return answerOfDebugger(*debuggerOf(command, "debugger"), std::move(other), command, progress_);
        } catch (const std::exception&) {
            return {{"error", errorJson(std::current_exception())}};
        }
    }

    json open(const json& command) {
        const std::uint64_t which = readFromRank(0, [&] { return numberOf(command, "which"); });
        if (which >= models_.size()) throw Error("rank 0 asks for a model that there is not");
        const auto own = compileRank(models_[which], process_);
        debuggers_.push_back(own->debug(progress_));
        SessionContent content;
        content.record = own->runs().front().session->record();
        return {{"id", debuggers_.size() - 1},
                {"start", startOfDebugger(*debuggers_.back())},
                {"session", bytesJson(encodeSession(std::move(content)))}};
    }

    std::shared_ptr<Debugger> debuggerOf(const json& command, const char* key) const {
        const std::uint64_t run = readFromRank(0, [&] { return numberOf(command, key); });
        if (run >= debuggers_.size()) throw Error("rank 0 asks for a run that there is not");
        return debuggers_[run];
    }

    RankProcess& process_;
    const std::vector<Options>& models_;
    const Progress& progress_;
    std::shared_ptr<FollowedWorld> world_;
    std::vector<std::shared_ptr<Debugger>> debuggers_;
};

// --- rank 0 ---

class RankLink final : public DebuggerLink {
public:
    RankLink(std::shared_ptr<LedRank> rank, std::uint64_t id) : rank_(std::move(rank)), id_(id) {}

    json ask(json command, const Progress& /*progress*/) override {
        rank_->start(command);
        json answer = rank_->answer();
        if (answer.contains("error")) throwRemoteError(memberOf(answer, "error"));
        return answer;
    }
    bool alive() const override { return true; }
    std::uint64_t id() const override { return id_; }
    const void* process() const override { return rank_.get(); }

private:
    std::shared_ptr<LedRank> rank_;
    std::uint64_t id_;
};

class Leader {
public:
    Leader(RankProcess& process, const Progress& progress) : process_(process), progress_(progress) {
        for (std::size_t rank = 1; rank < process.count(); ++rank)
            led_.push_back(std::make_shared<LedRank>(process.world(), rank));
    }

    /// All ranks open theirs concurrently.
    std::shared_ptr<Debugger> open(const Options& model, std::size_t which) {
        for (const auto& rank : led_) rank->start({{"command", "open"}, {"which", which}});
        const auto own = compileRank(model, process_);
        std::vector<std::shared_ptr<Debugger>> debuggers = {own->debug(progress_)};
        std::vector<std::shared_ptr<const CompileRecord>> records = {own->runs().front().session->record()};
        for (std::size_t i = 0; i < led_.size(); ++i) {
            const json opened = led_[i]->answer();
            readFromRank(i + 1, [&] {
                records.push_back(decodeSession(bytesOf(opened, "session")).record);
                debuggers.push_back(makeRemoteDebugger(std::make_unique<RankLink>(led_[i], numberOf(opened, "id")),
                                                       {records.back()}, objectOf(opened, "start")));
            });
        }
        return std::make_shared<SteppedRanksDebugger>(model.world, std::move(debuggers), std::move(records));
    }

    void end() {
        for (const auto& rank : led_) rank->start({{"command", "end"}});
    }

private:
    RankProcess& process_;
    const Progress& progress_;
    std::vector<std::shared_ptr<LedRank>> led_;
};

}  // namespace

int debugProcesses(RankProcess& process, const std::vector<Options>& models,
                   const std::function<int(const OpenRanks& open)>& lead) {
    for (const Options& model : models) requireHere(model.model);
    int code = 0;
    process.run([&](const Progress& progress) {
        if (!process.isFirst()) return LedProcess(process, models, progress).follow();
        Leader leader(process, progress);
        code = lead([&](std::size_t which) { return leader.open(models.at(which), which); });
        leader.end();
    });
    return std::stoi(process.fromFirst(std::to_string(code)));
}

}  // namespace aotscope
