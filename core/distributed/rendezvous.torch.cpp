#include "distributed/rendezvous.h"

#include "distributed/mesh_message.h"
#include "support/error.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace {

using StorePointer = c10::intrusive_ptr<c10d::Store>;
using Milliseconds = std::chrono::milliseconds;

constexpr const char* kFirstKey = "first";
/// LibTorch's store has its own limits, but waits forever for a machine that has vanished.
constexpr Milliseconds kBeyondLimit{10'000};

/// A folder that only this user can write to.
std::filesystem::path meetingFolder() {
    auto folder = std::filesystem::temp_directory_path() / ("aotscope-" + std::to_string(::geteuid()));
    ::mkdir(folder.c_str(), S_IRWXU);
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
        (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw Error(folder.string() +
                    ": the ranks meet in this folder, which must belong to you alone; remove it, or set MASTER_ADDR "
                    "and MASTER_PORT");
    return folder;
}

std::filesystem::path meetingFile(const Launch& launch) {
    return meetingFolder() / ("ranks-" + std::to_string(std::hash<std::string>()(launch.launcher + launch.job)));
}

std::string meetingPlace(const Launch& launch) {
    if (launch.address.empty()) return meetingFile(launch).string();
    return launch.address + ":" + std::to_string(launch.port) + " (" + launch.addressFrom + ")";
}

/// The port of a job, so that concurrent jobs do not share one. Below the ephemeral ports.
std::uint16_t portOf(const std::string& job) {
    constexpr std::size_t first = 20'000, count = 9'000;
    return static_cast<std::uint16_t>(first + std::hash<std::string>()(job) % count);
}

void requireAddress(const Launch& launch) {
    if (!launch.address.empty() || launch.oneMachine) return;
    throw UsageError(launch.launcher +
                     " does not say on which machine rank 0 is; set MASTER_ADDR to its name, and MASTER_PORT to a free "
                     "port there, for all ranks");
}

[[noreturn]] void failUnanswered(const Launch& launch, Milliseconds limit) {
    throw Error("rank 0 is missing: nobody answers at " + meetingPlace(launch) + " within " + wholeSeconds(limit) +
                "; start all " + std::to_string(launch.size) + " ranks with the same MASTER_ADDR and MASTER_PORT");
}

StorePointer openServer(const Launch& launch, Milliseconds limit) {
    c10d::TCPStoreOptions options;
    options.port = launch.port;
    options.isServer = launch.rank == 0 && !launch.servesStore;
    options.waitWorkers = false;
    options.timeout = limit;
    try {
        return c10::make_intrusive<c10d::TCPStore>(launch.address, options);
    } catch (const std::exception& e) {
        if (options.isServer)
            throw Error("rank 0 cannot serve at " + meetingPlace(launch) + ": " + firstSentence(e.what()) +
                        "; set MASTER_ADDR to its machine, and MASTER_PORT to a free port there, for all ranks");
        failUnanswered(launch, limit);
    }
}

/// A launcher that restarts ranks serves the same store again.
StorePointer openStore(const Launch& launch, Milliseconds limit) {
    const StorePointer store =
        launch.address.empty() ? StorePointer(c10::make_intrusive<c10d::FileStore>(meetingFile(launch).string(), -1))
                               : openServer(launch, limit);
    return c10::make_intrusive<c10d::PrefixStore>("aotscope " + launch.job, store);
}

/// Reads what rank 0 has published.
std::string askStore(const Launch& launch, Milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    const StorePointer store = openStore(launch, limit);
    try {
        store->wait({kFirstKey}, std::max(Milliseconds(1), std::chrono::duration_cast<Milliseconds>(
                                                               end - std::chrono::steady_clock::now())));
        const auto bytes = store->get(kFirstKey);
        return {bytes.begin(), bytes.end()};
    } catch (const std::exception&) {
        try {
            store->check({kFirstKey});
        } catch (const std::exception&) {
            throw Error("rank 0 has ended while the ranks were meeting at " + meetingPlace(launch));
        }
        throw Error(missingText(launch, {0}, limit));
    }
}

FirstRank firstRankFrom(const std::string& text) {
    return readFromRank(0, [&] {
        const nlohmann::json message = messageIn(text);
        return FirstRank{addressIn(message), textOf(message, "token")};
    });
}

class StoreRendezvous final : public Rendezvous {
public:
    StoreRendezvous(const Launch& launch, Milliseconds limit) : launch_(launch), limit_(limit) {
        requireAddress(launch);
        if (launch_.port == 0) launch_.port = portOf(launch_.job);
        ownHost_ = isLocal() ? "127.0.0.1" : addressTowards(launch_.address, launch_.port);
    }
    ~StoreRendezvous() override {
        if (served_ && launch_.servesStore) forget();
        served_.reset();  // it writes once more
        std::error_code ignored;
        if (!file_.empty()) std::filesystem::remove(file_, ignored);
    }
    StoreRendezvous(const StoreRendezvous&) = delete;
    StoreRendezvous& operator=(const StoreRendezvous&) = delete;

    /// False if rank 0's machine is given by name: on the machine itself, that often resolves to 127.0.1.1.
    bool isLocal() const override {
        return launch_.address.empty() || launch_.address == "localhost" || isLoopback(launch_.address);
    }
    /// The name that rank 0's machine has for itself often reaches only itself.
    std::string hostForOthers() const override {
        return isLoopback(ownHost_) && !isLocal() ? launch_.address : ownHost_;
    }

    void announce(const FirstRank& first) override {
        nlohmann::json message = addressJson(first.address);
        message["token"] = first.token;
        const std::string text = jsonLine(message);
        served_ = openStore(launch_, limit_);
        if (launch_.address.empty()) file_ = meetingFile(launch_);
        served_->set(kFirstKey, std::vector<std::uint8_t>(text.begin(), text.end()));
    }

    /// Queries the store on a separate thread, which is abandoned if it never returns.
    FirstRank first(const WaitNotices& notices) const override {
        std::packaged_task<std::string()> task([launch = launch_, limit = limit_] { return askStore(launch, limit); });
        std::future<std::string> answer = task.get_future();
        std::thread(std::move(task)).detach();
        const auto start = std::chrono::steady_clock::now(), end = start + limit_ + kBeyondLimit;
        auto notice = start + notices.first;
        while (answer.wait_until(std::min(notice, end)) != std::future_status::ready) {
            if (std::chrono::steady_clock::now() >= end) failUnanswered(launch_, limit_);
            if (notices.say) notices.say(waitingText(launch_, {0}));
            notice = std::chrono::steady_clock::now() + notices.again;
        }
        return firstRankFrom(answer.get());
    }

private:
    /// The launcher's store stays: the next run of the same script uses it, too.
    void forget() {
        try {
            served_->deleteKey(kFirstKey);
        } catch (const std::exception&) {  // the launcher has ended
        }
    }

    Launch launch_;
    Milliseconds limit_;
    std::string ownHost_;
    StorePointer served_;         ///< null except on rank 0
    std::filesystem::path file_;  ///< empty: none of ours
};

}  // namespace

std::unique_ptr<Rendezvous> openRendezvous(const Launch& launch, Milliseconds limit) {
    return std::make_unique<StoreRendezvous>(launch, limit);
}

}  // namespace aotscope
