#include "distributed/rendezvous.h"

#include "support/bounded_json.h"
#include "support/error.h"
#include "support/quoted.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>

#include <sys/stat.h>
#include <unistd.h>

namespace aotscope {

namespace {

using StorePointer = c10::intrusive_ptr<c10d::Store>;
using Milliseconds = std::chrono::milliseconds;

/// Of the messages that ranks send each other.
constexpr int kMeshFormat = 1;

std::string secondsText(Milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

/// A folder that only this user can write into.
std::filesystem::path meetingFolder() {
    auto folder = std::filesystem::temp_directory_path() / ("aotscope-" + std::to_string(::geteuid()));
    ::mkdir(folder.c_str(), S_IRWXU);
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
        (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw Error(folder.string() +
                    ": the ranks meet in this folder, which has to be yours alone; remove it, or set "
                    "MASTER_ADDR and MASTER_PORT");
    return folder;
}

std::string meetingPlace(const Launch& launch) { return launch.address + ":" + std::to_string(launch.port); }

std::string hexadecimal(std::size_t digits) {
    std::random_device random;
    std::string text;
    for (std::size_t i = 0; i < digits; ++i) text += "0123456789abcdef"[random() % 16];
    return text;
}

}  // namespace

class Rendezvous::Store {
public:
    Store(const Launch& launch, Milliseconds limit);
    ~Store() { leave(); }

    const Launch& launch() const { return launch_; }
    bool isLocal() const { return launch_.address.empty() || isLoopback(ownHost_); }
    std::string hostForOthers() const;

    void set(const std::string& key, const std::string& value);
    /// Throws Error naming the ranks whose keys, "PREFIX RANK", are not there in time.
    std::vector<std::string> getOfRanks(const std::string& prefix, const std::vector<std::size_t>& ranks);
    void leave();

private:
    StorePointer openFile();
    StorePointer openServer();

    Launch launch_;
    Milliseconds limit_;
    std::string ownHost_;
    std::filesystem::path file_;  ///< empty: none
    StorePointer store_;
};

Rendezvous::Store::Store(const Launch& launch, Milliseconds limit) : launch_(launch), limit_(limit) {
    if (launch.address.empty() && !launch.oneMachine)
        throw UsageError(launch.launcher +
                         " does not say on which machine rank 0 is; set MASTER_ADDR to its name, and " +
                         "MASTER_PORT to a free port there, for all ranks");
    ownHost_ = launch.address.empty() ? "127.0.0.1" : addressTowards(launch.address, launch.port);
    // A launcher that starts ranks anew serves the same store again.
    store_ = c10::make_intrusive<c10d::PrefixStore>("aotscope " + launch.job,
                                                    launch.address.empty() ? openFile() : openServer());
}

StorePointer Rendezvous::Store::openFile() {
    file_ = meetingFolder() / ("ranks-" + std::to_string(std::hash<std::string>()(launch_.launcher + launch_.job)));
    return c10::make_intrusive<c10d::FileStore>(file_.string(), -1);
}

StorePointer Rendezvous::Store::openServer() {
    c10d::TCPStoreOptions options;
    options.port = launch_.port;
    options.isServer = launch_.rank == 0 && !launch_.servesStore;
    options.waitWorkers = false;
    options.timeout = limit_;
    try {
        return c10::make_intrusive<c10d::TCPStore>(launch_.address, options);
    } catch (const std::exception& e) {
        if (options.isServer)
            throw Error("rank 0 cannot serve at MASTER_ADDR and MASTER_PORT, " + meetingPlace(launch_) + ": " +
                        firstSentence(e.what()));
        throw Error("rank 0 is missing: nobody answers at " + meetingPlace(launch_) + " within " + secondsText(limit_) +
                    "; start all " + std::to_string(launch_.size) + " ranks with the same MASTER_ADDR and MASTER_PORT");
    }
}

/// How the other machines reach this one. By its own name for itself, rank 0's often reaches only itself.
std::string Rendezvous::Store::hostForOthers() const {
    return isLoopback(ownHost_) && !launch_.address.empty() ? launch_.address : ownHost_;
}

void Rendezvous::Store::set(const std::string& key, const std::string& value) {
    store_->set(key, std::vector<std::uint8_t>(value.begin(), value.end()));
}

std::vector<std::string> Rendezvous::Store::getOfRanks(const std::string& prefix,
                                                       const std::vector<std::size_t>& ranks) {
    std::vector<std::string> keys, values;
    for (const std::size_t rank : ranks) keys.push_back(prefix + " " + std::to_string(rank));
    try {
        store_->wait(keys, limit_);
        for (const std::string& key : keys) {
            const auto bytes = store_->get(key);
            values.emplace_back(bytes.begin(), bytes.end());
        }
        return values;
    } catch (const std::exception&) {
        std::string missing;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            bool present = false;
            try {
                present = store_->check({keys[i]});
            } catch (const std::exception&) {
                throw Error("rank 0 has ended while the ranks were meeting at " + meetingPlace(launch_));
            }
            if (!present) missing += (missing.empty() ? "" : ", ") + std::to_string(ranks[i]);
        }
        throw Error("rank " + missing + " of " + std::to_string(launch_.size) + " did not start within " +
                    secondsText(limit_) + ", as " + launch_.launcher +
                    "'s variables have it; start all ranks, or give more time with --rank-timeout");
    }
}

void Rendezvous::Store::leave() {
    store_.reset();
    std::error_code ignored;
    if (launch_.rank == 0 && !file_.empty()) std::filesystem::remove(file_, ignored);
    file_.clear();
}

Rendezvous::Rendezvous(const Launch& launch, Milliseconds limit) : store_(std::make_unique<Store>(launch, limit)) {}
Rendezvous::~Rendezvous() = default;

bool Rendezvous::isLocal() const { return store_->isLocal(); }

std::string Rendezvous::token() {
    if (store_->launch().rank == 0) store_->set("token 0", hexadecimal(32));
    return store_->getOfRanks("token", {0}).front();
}

std::vector<RankAddress> Rendezvous::addresses(std::uint16_t ownPort) {
    const Launch& launch = store_->launch();
    store_->set("rank " + std::to_string(launch.rank),
                nlohmann::json{{"host", store_->hostForOthers()}, {"port", ownPort}, {"format", kMeshFormat}}.dump());
    std::vector<std::size_t> ranks(launch.size);
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = i;
    std::vector<RankAddress> found;
    for (const std::string& text : store_->getOfRanks("rank", ranks)) {
        const std::string who = "rank " + std::to_string(found.size());
        try {
            const nlohmann::json address = parseBounded(text);
            if (address.at("format") != kMeshFormat)
                throw Error(who + " is another version of aotscope than rank " + std::to_string(launch.rank) +
                            "; all ranks have to run the same one");
            found.push_back({address.at("host").get<std::string>(), address.at("port").get<std::uint16_t>()});
        } catch (const nlohmann::json::exception&) {
            throw Error(who + " does not say where it is: " + inQuotes(text) + "; is MASTER_PORT used by others?");
        }
    }
    return found;
}

void Rendezvous::leave() { store_->leave(); }

}  // namespace aotscope
