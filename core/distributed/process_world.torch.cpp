#include "distributed/process_world.h"

#include "distributed/tensor_message.h"
#include "support/error.h"
#include "support/joined.h"
#include "support/json/json_text.h"
#include "support/json/message_members.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

#include <unistd.h>

namespace aotscope {

namespace {

/// This many checks without any change, 2.5 s, show that no rank will move, if all still respond: a rank's last status
/// is at most that old.
constexpr int kStillLooks = 5;
constexpr auto kStillHeard = 3 * RankMesh::kTick;
/// A rank that is silent for this long is disconnected or suspended. Connecting takes less.
constexpr std::chrono::seconds kMostSilence{30};
/// Another rank informs the user about a problem within this time.
constexpr std::chrono::seconds kTimeToTell{3};

/// A rank's clock is compared this often; the fastest answer counts.
constexpr int kClockQuestions = 8;

/// With tensors that are plain memory.
Contribution plain(Contribution mine) {
    for (at::Tensor& t : mine.tensors) t = t.resolve_conj().resolve_neg().contiguous();
    return mine;
}

/// The same in host memory.
Contribution onHost(Contribution mine) {
    for (at::Tensor& t : mine.tensors) t = t.cpu();
    return plain(std::move(mine));
}

}  // namespace

ProcessWorld::ProcessWorld(const WorldShape& shape, std::chrono::milliseconds limit)
    : MeetingWorld(shape, ownMailbox_),
      rank_(static_cast<std::size_t>(shape.rank)),
      count_(static_cast<std::size_t>(shape.size)),
      limit_(limit),
      peers_(count_),
      gpus_({[this](std::size_t to, const std::string& key, const std::string& text) { postText(to, key, text); },
             [this](const std::string& key, const std::string& waitsFor) { return awaitText(key, waitsFor).text; },
             [this] {
                 if (const std::string why = problem(); !why.empty()) throw Error(why);
             }}) {
    requireSound(shape);
}

// --- How the ranks connect -------------------------------------------------------------------------------------------

void ProcessWorld::meet(RankMeeting meeting, const Launch& launch, const WaitNotices& notices) {
    stopped_ = std::move(meeting.stopped);
    gpus_.setListener(notices.say);
    mesh_ = std::move(meeting.mesh);
    peers_[rank_].address = RankAddress{meeting.ownHost, mesh_->port()};
    peers_[rank_].connected = true;
    mesh_->start({[this](std::size_t rank) { connected(rank); },
                  [this](std::size_t from, const std::string& head, const MeshBody& body) {
                      try {
                          received(from, meshMessageFrom(head, body, count_));
                      } catch (const std::exception& e) {
                          stop("rank " + std::to_string(from) + " " + e.what());
                      }
                  },
                  [this](std::size_t rank, const std::string& why) {
                      stop("rank " + std::to_string(rank_) + " cannot reach rank " + std::to_string(rank) + " (" + why +
                           "); all ranks must be able to reach each other's ports by TCP");
                  },
                  [this](std::size_t rank, const std::string& why) { lost(rank, why); }, [this] { look(); }});
    if (meeting.first) mesh_->reach(0, *meeting.first);
    std::unique_lock lock(mutex_);
    awaitAddresses(lock, launch, notices);
    awaitConnections(lock);
    if (!problem_.empty()) throw Error(problem_);
}

/// Rank 0 waits for all others, and informs them when all have connected.
void ProcessWorld::awaitAddresses(std::unique_lock<std::mutex>& lock, const Launch& launch,
                                  const WaitNotices& notices) {
    const auto known = [](const Peer& peer) { return peer.address.has_value(); };
    const std::chrono::milliseconds limit = rank_ == 0 ? limit_ : limit_ + kMostSilence;
    const auto start = Clock::now(), end = start + limit;
    auto notice = rank_ == 0 && notices.say ? start + notices.first : end;
    while (!changed_.wait_until(lock, std::min(notice, end),
                                [&] { return !problem_.empty() || std::ranges::all_of(peers_, known); })) {
        const std::vector<std::size_t> missing = ranksWithout(known);
        if (Clock::now() >= end)
            throw Error(rank_ == 0 ? missingText(launch, missing, limit)
                                   : "rank 0 has waited for others for more than " + wholeSeconds(limit));
        lock.unlock();
        notices.say(waitingText(launch, missing));
        notice = Clock::now() + notices.again;
        lock.lock();
    }
}

void ProcessWorld::awaitConnections(std::unique_lock<std::mutex>& lock) {
    const std::chrono::milliseconds limit = std::min<std::chrono::milliseconds>(limit_, kMostSilence);
    const auto there = [](const Peer& peer) { return peer.connected; };
    if (changed_.wait_for(lock, limit, [&] { return !problem_.empty() || std::ranges::all_of(peers_, there); })) return;
    throw Error("rank " +
                joined(ranksWithout(there), ", rank ", [](std::size_t rank) { return std::to_string(rank); }) +
                " did not connect to rank " + std::to_string(rank_) + " within " + wholeSeconds(limit) +
                "; all ranks must be able to reach each other's ports by TCP");
}

std::vector<std::size_t> ProcessWorld::ranksWithout(const std::function<bool(const Peer&)>& has) const {
    std::vector<std::size_t> ranks;
    for (std::size_t rank = 0; rank < count_; ++rank)
        if (!has(peers_[rank])) ranks.push_back(rank);
    return ranks;
}

void ProcessWorld::connected(std::size_t rank) {
    std::unique_lock lock(mutex_);
    peers_[rank].connected = true;
    peers_[rank].heard = Clock::now();
    changed_.notify_all();
    if (rank != 0) return;
    nlohmann::json here = addressJson(*peers_[rank_].address);
    lock.unlock();
    here["kind"] = "here";
    mesh_->send(0, jsonLine(here));
}

void ProcessWorld::noteAddresses(std::size_t from, const std::vector<RankAddress>& addresses) {
    std::vector<RankAddress> all;
    {
        const std::lock_guard lock(mutex_);
        if (addresses.size() == 1) peers_[from].address = addresses.front();
        else
            for (std::size_t rank = 0; rank < count_; ++rank) peers_[rank].address = addresses[rank];
        for (const Peer& peer : peers_)
            if (peer.address) all.push_back(*peer.address);
        changed_.notify_all();
    }
    if (all.size() < count_) return;
    if (rank_ > 0) {
        for (std::size_t rank = 1; rank < rank_; ++rank) mesh_->reach(rank, all[rank]);
        return;
    }
    nlohmann::json ranks = nlohmann::json::array();
    for (const RankAddress& address : all) ranks.push_back(addressJson(address));
    tellAll({{"kind", "addresses"}, {"ranks", std::move(ranks)}});
}

void ProcessWorld::endWithParent() { parent_ = ::getppid(); }

// --- Contributions of this rank --------------------------------------------------------------------------------------

void ProcessWorld::exchange(const RankGroup& group, Contribution mine, Outcome outcome) {
    const bool byGpus = outcome.onGpus && group.size() > 1 && !mine.tensors.empty() && mine.tensors.front().is_cuda();
    const GpuConnection* gpus = nullptr;
    if (byGpus) explained([&] { gpus = gpus_.connection(group, mine.tensors.front().device()); });
    if (!gpus) return MeetingWorld::exchange(group, std::move(mine), std::move(outcome));
    const auto work = std::make_shared<std::optional<GpuWork>>();
    const auto take = [work, check = outcome.check](const Contributions& all) {
        if (check) check(all);
        (*work)->wait();
    };
    // The others learn of this rank's call, so that mismatched ranks are named.
    MeetingWorld::exchange(group, {mine.call, {}, mine.splits, mine.place}, {outcome.results, take});
    explained([&] { work->emplace(*gpus, plain(std::move(mine)).tensors, outcome); });
}

void ProcessWorld::explained(const std::function<void()>& job) {
    try {
        job();
    } catch (const Error&) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kTimeToTell, [&] { return !problem_.empty(); });
        if (problem_.empty()) throw;
        throw Error(problem_);
    }
}

void ProcessWorld::bring(const MeetingKey& key, const RankGroup& group, Contribution mine) {
    mine = onHost(std::move(mine));
    const std::string head = jsonLine({{"kind", "collective"},
                                       {"group", key.first},
                                       {"number", key.second},
                                       {"size", group.count},
                                       {"index", group.index},
                                       {"contribution", describe(mine)}});
    for (std::size_t i = 0; i < static_cast<std::size_t>(group.size()); ++i)
        if (i != group.index) mesh_->send(static_cast<std::size_t>(group.member(i)), head, bytesOf(mine));
    mailbox_.bring(key, static_cast<std::size_t>(group.size()), group.index, std::move(mine));
}

void ProcessWorld::post(std::int64_t rank, const std::string& key, Contribution message) {
    message = onHost(std::move(message));
    if (rank == static_cast<std::int64_t>(rank_)) return mailbox_.post(key, std::move(message));
    mesh_->send(static_cast<std::size_t>(rank),
                jsonLine({{"kind", "message"}, {"key", key}, {"contribution", describe(message)}}), bytesOf(message));
}

void ProcessWorld::await(std::function<bool()> ready, const std::string& waitsFor) {
    std::unique_lock lock(mutex_);
    Peer& me = peers_[rank_];
    me.stand.waitsFor = waitsFor;
    ++me.stamp;
    waitingSince_ = Clock::now();
    if (!ready()) {
        changed_.wait(lock, [&] { return !problem_.empty() || ready(); });
        waited_ += Clock::now() - waitingSince_;
    }
    me.stand.waitsFor.clear();
    ++me.stamp;
    // Received data counts even if its sender failed right afterwards.
    if (!ready()) throw Error(problem_);
}

void ProcessWorld::postText(std::size_t to, const std::string& key, const std::string& text,
                            std::vector<at::Tensor> with) {
    at::Tensor bytes = at::empty({static_cast<std::int64_t>(text.size())}, at::kByte);
    if (!text.empty()) std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
    with.insert(with.begin(), std::move(bytes));
    post(static_cast<std::int64_t>(to), key, {"results", std::move(with), {}, {}});
}

ProcessWorld::Heard ProcessWorld::awaitText(const std::string& key, const std::string& waitsFor) {
    const auto setPatient = [this](bool patient) {
        const std::lock_guard lock(mutex_);
        patient_ = patient;
    };
    setPatient(true);
    await([&] { return mailbox_.hasPost(key); }, waitsFor);
    setPatient(false);
    std::vector<at::Tensor> tensors = mailbox_.takePost(key).tensors;
    const at::Tensor text = tensors.front();
    tensors.erase(tensors.begin());
    return {{static_cast<const char*>(text.const_data_ptr()), text.nbytes()}, std::move(tensors)};
}

void ProcessWorld::tell(std::size_t to, const std::string& text, std::vector<at::Tensor> tensors) {
    postText(to, "told by " + std::to_string(rank_) + " to " + std::to_string(to), text, std::move(tensors));
}

ProcessWorld::Heard ProcessWorld::hear(std::size_t from, const std::string& waitsFor) {
    return awaitText("told by " + std::to_string(from) + " to " + std::to_string(rank_), waitsFor);
}

std::vector<std::string> ProcessWorld::gather(const std::string& mine) {
    const std::string key = "text " + std::to_string(texts_++) + " of rank ";
    postText(0, key + std::to_string(rank_), mine);
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank_ == 0 && rank < count_; ++rank)
        texts.push_back(
            awaitText(key + std::to_string(rank), "the end, for the results of rank " + std::to_string(rank)).text);
    return texts;
}

std::string ProcessWorld::fromFirst(const std::string& first) {
    const std::string key = "text " + std::to_string(texts_++) + " of rank 0";
    for (std::size_t rank = 0; rank_ == 0 && rank < count_; ++rank) postText(rank, key, first);
    return awaitText(key, "the start, for what rank 0 says").text;
}

void ProcessWorld::finish() {
    tellAll({{"kind", "finished"}});
    std::unique_lock lock(mutex_);
    peers_[rank_].stand.ended = true;
    changed_.wait(lock, [&] {
        return !problem_.empty() || std::ranges::all_of(peers_, [](const Peer& peer) { return peer.stand.ended; });
    });
    if (!problem_.empty()) throw Error(problem_);
    lock.unlock();
    mesh_->flush(limit_);
}

RankClock ProcessWorld::compareClocks() {
    const auto now = [] { return std::chrono::nanoseconds(Clock::now().time_since_epoch()); };
    const auto hearOf = [this](std::size_t from, const std::string& waitsFor) {
        const std::string text = hear(from, waitsFor).text;
        return readFromRank(from, [&] { return messageIn(text); });
    };
    const auto nanoseconds = [](std::size_t from, const nlohmann::json& heard, const char* key) {
        return std::chrono::nanoseconds(readFromRank(from, [&] { return integerOf(heard, key); }));
    };
    if (rank_ > 0) {
        for (int i = 0; i < kClockQuestions; ++i) {
            hear(0, "a question of rank 0 about its clock");
            tell(0, jsonLine({{"now", now().count()}}), {});
        }
        const nlohmann::json found = hearOf(0, "what rank 0 says of its clock");
        return {nanoseconds(0, found, "ahead"), nanoseconds(0, found, "within")};
    }
    for (std::size_t rank = 1; rank < count_; ++rank) {
        RankClock clock{{}, std::chrono::nanoseconds::max()};
        for (int i = 0; i < kClockQuestions; ++i) {
            const auto asked = now();
            tell(rank, "{}", {});
            const nlohmann::json answer = hearOf(rank, "the clock of rank " + std::to_string(rank));
            const auto half = (now() - asked) / 2;
            const auto theirs = nanoseconds(rank, answer, "now");
            if (half < clock.within) clock = {theirs - asked - half, half};
        }
        tell(rank, jsonLine({{"ahead", clock.ahead.count()}, {"within", clock.within.count()}}), {});
    }
    return {};
}

std::chrono::nanoseconds ProcessWorld::waited() const {
    const std::lock_guard lock(mutex_);
    return waited_;
}

void ProcessWorld::tellAll(const nlohmann::json& head) {
    for (std::size_t rank = 0; rank < count_; ++rank)
        if (rank != rank_) mesh_->send(rank, jsonLine(head));
}

// --- Messages of other ranks, on the thread of the connections -------------------------------------------------------

void ProcessWorld::received(std::size_t from, MeshMessage message) {
    using Said = MeshMessage::Kind;
    const Said kind = message.kind;
    if (kind == Said::collective)
        mailbox_.bring(message.meeting, message.ranks, message.index, std::move(message.contribution));
    if (kind == Said::message) mailbox_.post(message.text, std::move(message.contribution));
    if (kind == Said::failed) stop(message.text);
    const bool meets = (kind == Said::here && rank_ == 0) || (kind == Said::addresses && from == 0);
    if (meets) noteAddresses(from, message.addresses);
    const std::lock_guard lock(mutex_);
    Peer& peer = peers_[from];
    peer.heard = Clock::now();
    if (kind == Said::finished) peer.stand.ended = true;
    if (kind == Said::told) told_ = true;
    if (kind == Said::status) {
        peer.stand.waitsFor = std::move(message.text);
        peer.stamp = message.stamp;
    } else {
        ++peers_[rank_].stamp;
    }
    changed_.notify_all();
}

void ProcessWorld::lost(std::size_t rank, const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        Peer& peer = peers_[rank];
        peer.lost = true;
        changed_.notify_all();
        if (std::exchange(peer.stand.ended, true)) return;
    }
    stop("rank " + std::to_string(rank) + " has ended before the others: it was killed, or lost its connection" +
         (why.empty() ? "" : " (" + why + ")"));
}

/// Sends this rank's status, and checks that of the others.
void ProcessWorld::look() {
    std::string why;
    nlohmann::json status;
    {
        const std::lock_guard lock(mutex_);
        Peer& me = peers_[rank_];
        if (mesh_->hasUnsent()) ++me.stamp;
        status = {{"kind", "status"}, {"waits", me.stand.waitsFor}, {"stamp", me.stamp}};
        const auto now = Clock::now();
        why = parent_ != 0 && ::getppid() != parent_ ? "the launcher of the ranks has ended" : whoIsSilent(now);
        const bool waits = !me.stand.waitsFor.empty();
        if (why.empty() && nobodyMoves()) why = standstillText(stands());
        if (why.empty() && waits && !patient_ && now - waitingSince_ > limit_)
            why = "rank " + std::to_string(rank_) + " has waited " + wholeSeconds(limit_) + ": " +
                  standsText(stands()) + ". Give more time with --rank-timeout";
    }
    tellAll(status);
    if (!why.empty()) stop(why);
}

/// One sentence; empty: all ranks respond.
std::string ProcessWorld::whoIsSilent(Clock::time_point now) const {
    const std::chrono::milliseconds most = std::min<std::chrono::milliseconds>(limit_, kMostSilence);
    std::string silent;
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < count_; ++rank)
        if (rank != rank_ && peers_[rank].connected && !peers_[rank].stand.ended && now - peers_[rank].heard > most)
            silent += (count++ == 0 ? "" : ", ") + std::to_string(rank);
    if (count == 0) return {};
    return (count == 1 ? "rank " + silent + " has" : "ranks " + silent + " have") + " not responded for " +
           wholeSeconds(most) +
           (count == 1 ? ": it is stopped, or its machine cannot be reached"
                       : ": they are stopped, or their machines cannot be reached");
}

/// Whether all ranks, this one included, report that they have been waiting for each other for some time.
bool ProcessWorld::nobodyMoves() {
    bool still = !peers_[rank_].stand.waitsFor.empty();
    peers_[rank_].heard = Clock::now();
    for (Peer& peer : peers_) {
        const bool same = std::exchange(peer.seen, peer.stamp) == peer.stamp;
        const bool says = Clock::now() - peer.heard < kStillHeard;
        still = still && (peer.stand.ended || (same && says && !peer.stand.waitsFor.empty()));
    }
    stillLooks_ = still ? stillLooks_ + 1 : 0;
    return stillLooks_ >= kStillLooks;
}

std::vector<RankStand> ProcessWorld::stands() const {
    std::vector<RankStand> all;
    for (const Peer& peer : peers_) all.push_back(peer.stand);
    return all;
}

// --- When a rank cannot continue -------------------------------------------------------------------------------------

void ProcessWorld::stop(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        if (!problem_.empty()) return;
        problem_ = why;
        changed_.notify_all();
    }
    if (stopped_) stopped_();
    gpus_.abort();
}

std::string ProcessWorld::problem() const {
    const std::lock_guard lock(mutex_);
    return problem_;
}

void ProcessWorld::report(const std::function<void(const std::string&)>& say) {
    if (!mesh_) return say(problem());  // not connected
    tellAll({{"kind", "failed"}, {"why", problem()}});
    std::unique_lock lock(mutex_);
    // The lowest remaining rank informs the user.
    changed_.wait_for(lock, kTimeToTell, [&] {
        return told_ || std::all_of(peers_.begin(), peers_.begin() + static_cast<std::ptrdiff_t>(rank_),
                                    [](const Peer& peer) { return peer.lost; });
    });
    if (told_) return;
    lock.unlock();
    say(problem());
    tellAll({{"kind", "told"}});
    mesh_->flush(kTimeToTell);
}

}  // namespace aotscope
