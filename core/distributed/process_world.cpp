#include "distributed/process_world.h"

#include "distributed/tensor_message.h"
#include "support/bounded_json.h"
#include "support/error.h"
#include "support/json_text.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

#include <unistd.h>

namespace aotscope {

namespace {

/// So many looks without any change, 2.5 s, show that no rank will move, if all are still heard: what a rank said last
/// is at most so old.
constexpr int kStillLooks = 5;
constexpr auto kStillHeard = 3 * RankMesh::kTick;
/// A rank that does not say anything for so long has no connection any more, or is stopped. To connect takes less.
constexpr std::chrono::seconds kMostSilence{30};
/// Another rank tells the user about a problem within this time.
constexpr std::chrono::seconds kTimeToTell{3};

std::string seconds(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

/// With tensors whose memory is what they are.
Contribution plain(Contribution mine) {
    for (at::Tensor& t : mine.tensors) t = t.resolve_conj().resolve_neg().contiguous();
    return mine;
}

}  // namespace

ProcessWorld::ProcessWorld(const WorldShape& shape, std::chrono::milliseconds limit)
    : MeetingWorld(shape, ownMailbox_),
      rank_(static_cast<std::size_t>(shape.rank)),
      count_(static_cast<std::size_t>(shape.size)),
      limit_(limit),
      peers_(count_) {
    requireSound(shape);
}

void ProcessWorld::connect(std::unique_ptr<RankMesh> mesh, const std::vector<RankAddress>& ranks,
                           std::function<void()> stopped) {
    stopped_ = std::move(stopped);
    mesh_ = std::move(mesh);
    for (Peer& peer : peers_) peer.heard = Clock::now();
    mesh_->connect(
        ranks, std::min<std::chrono::milliseconds>(limit_, kMostSilence),
        {[this](std::size_t from, const std::string& head, const MeshBody& body) { received(from, head, body); },
         [this](std::size_t rank, const std::string& why) { lost(rank, why); }, [this] { look(); }});
}

void ProcessWorld::endWithParent() { parent_ = ::getppid(); }

// --- What this rank brings -------------------------------------------------------------------------------------------

void ProcessWorld::bring(const MeetingKey& key, const RankGroup& group, Contribution mine) {
    mine = plain(std::move(mine));
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
    message = plain(std::move(message));
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
    changed_.wait(lock, [&] { return !problem_.empty() || ready(); });
    me.stand.waitsFor.clear();
    ++me.stamp;
    // What has come, counts: who sent it may have failed right after that.
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

void ProcessWorld::tellAll(const nlohmann::json& head) {
    for (std::size_t rank = 0; rank < count_; ++rank)
        if (rank != rank_) mesh_->send(rank, jsonLine(head));
}

// --- What others say, on the thread of the connections ---------------------------------------------------------------

void ProcessWorld::received(std::size_t from, const std::string& text, const MeshBody& body) {
    const nlohmann::json head = parseBounded(text);
    const auto kind = head.at("kind").get<std::string>();
    if (kind == "collective") {
        const auto size = head.at("size").get<std::size_t>(), index = head.at("index").get<std::size_t>();
        if (size > count_ || index >= size) throw Error("it speaks for a rank that there is not");
        mailbox_.bring({head.at("group").get<std::string>(), head.at("number").get<std::size_t>()}, size, index,
                       contributionOf(head.at("contribution"), body));
    } else if (kind == "message") {
        Contribution message = contributionOf(head.at("contribution"), body);
        if (message.tensors.empty()) throw Error("it sends a message without a tensor");
        mailbox_.post(head.at("key").get<std::string>(), std::move(message));
    } else if (kind == "failed") {
        stop(head.at("why").get<std::string>());
    }
    const std::lock_guard lock(mutex_);
    Peer& peer = peers_[from];
    peer.heard = Clock::now();
    if (kind == "finished") peer.stand.ended = true;
    if (kind == "told") told_ = true;
    if (kind == "status") receivedStatus(peer, head);
    else ++peers_[rank_].stamp;
    changed_.notify_all();
}

void ProcessWorld::receivedStatus(Peer& peer, const nlohmann::json& head) {
    peer.stand.waitsFor = head.at("waits").get<std::string>();
    peer.stamp = head.at("stamp").get<std::uint64_t>();
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

/// Says where this rank is, and looks where the others are.
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
            why = "rank " + std::to_string(rank_) + " has waited " + seconds(limit_) + ": " + standsText(stands()) +
                  ". Give more time with --rank-timeout";
    }
    tellAll(status);
    if (!why.empty()) stop(why);
}

/// One sentence; empty: nobody.
std::string ProcessWorld::whoIsSilent(Clock::time_point now) const {
    const std::chrono::milliseconds most = std::min<std::chrono::milliseconds>(limit_, kMostSilence);
    std::string silent;
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < count_; ++rank)
        if (rank != rank_ && !peers_[rank].stand.ended && now - peers_[rank].heard > most)
            silent += (count++ == 0 ? "" : ", ") + std::to_string(rank);
    if (count == 0) return {};
    return (count == 1 ? "rank " + silent + " has" : "ranks " + silent + " have") + " not said anything for " +
           seconds(most) +
           (count == 1 ? ": it is stopped, or its machine cannot be reached"
                       : ": they are stopped, or their machines cannot be reached");
}

/// Whether all ranks have been waiting for each other for some time, this one among them, and say so.
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

// --- When a rank cannot go on ----------------------------------------------------------------------------------------

void ProcessWorld::stop(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        if (!problem_.empty()) return;
        problem_ = why;
        changed_.notify_all();
    }
    if (stopped_) stopped_();
}

std::string ProcessWorld::problem() const {
    const std::lock_guard lock(mutex_);
    return problem_;
}

void ProcessWorld::report(const std::function<void(const std::string&)>& say) {
    tellAll({{"kind", "failed"}, {"why", problem()}});
    std::unique_lock lock(mutex_);
    // The lowest of the ranks that are left says it.
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
