#include "distributed/followed_world.h"

#include "distributed/place.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/json/message_members.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;
using LentTensors = std::vector<at::Tensor>;

json groupJson(const RankGroup& group) {
    return {{"name", group.name},
            {"first", group.first},
            {"stride", group.stride},
            {"count", group.count},
            {"index", group.index}};
}
/// A group of at most `ranks` ranks.
RankGroup groupFrom(const json& group, std::size_t ranks) {
    RankGroup found{textOf(group, "name"), integerOf(group, "first"), integerOf(group, "stride"),
                    integerOf(group, "count"), numberOf(group, "index")};
    const auto most = static_cast<std::int64_t>(ranks);
    const bool within = found.first >= 0 && found.first < most && found.stride >= 0 && found.stride <= most &&
                        found.count >= 1 && found.count <= most &&
                        found.first + (found.count - 1) * found.stride < most;
    if (!within || found.index >= static_cast<std::size_t>(found.count))
        throw Error("speaks of a group '" + found.name + "' that the world of " + std::to_string(ranks) +
                    " ranks does not have");
    return found;
}

/// Tensors are sent separately.
json contributionJson(const Contribution& contribution) {
    return {{"call", contribution.call},
            {"splits", contribution.splits},
            {"place", contribution.place},
            {"tensors", contribution.tensors.size()}};
}
/// Its tensors start at `first`.
Contribution contributionFrom(const json& head, const LentTensors& tensors, std::size_t& first) {
    const std::uint64_t count = numberOf(head, "tensors");
    if (count > tensors.size() - first)
        throw Error("sends a message of " + std::to_string(count) + " tensors with " +
                    std::to_string(tensors.size() - first));
    Contribution contribution{textOf(head, "call"), {}, integersOf(head, "splits"), textOf(head, "place")};
    contribution.tensors.assign(tensors.begin() + static_cast<std::ptrdiff_t>(first),
                                tensors.begin() + static_cast<std::ptrdiff_t>(first + count));
    first += count;
    return contribution;
}

}  // namespace

// --- the driven rank ---

json FollowedWorld::hear() {
    for (;;) {
        const ProcessWorld::Heard heard = processes_.hear(0, "what rank 0 says");
        json message = readFromRank(0, [&] { return messageInCbor(heard.text); });
        const std::string kind = readFromRank(0, [&] { return textOf(message, "kind"); });
        if (kind == "refused") throw Error(readFromRank(0, [&] { return textOf(message, "why"); }));
        if (kind != "fill") return message;
        fill(message, heard.tensors);
    }
}

json FollowedWorld::nextCommand() {
    const json message = hear();
    return readFromRank(0, [&] { return objectOf(message, "command"); });
}

void FollowedWorld::answer(const json& result) {
    processes_.tell(0, cborOf({{"kind", "answer"}, {"result", result}}), {});
}

json FollowedWorld::ask(json request, LentTensors tensors) {
    request["place"] = PlaceScope::current();
    processes_.tell(0, cborOf(request), std::move(tensors));
    return hear();
}

void FollowedWorld::askFor(Awaited awaited, json request, LentTensors tensors) {
    request["token"] = awaited.token = ++last_;
    awaited_.push_back(std::move(awaited));
    try {
        ask(std::move(request), std::move(tensors));
    } catch (...) {  // it will be asked again
        std::erase_if(awaited_, [&](const Awaited& each) { return each.token == last_; });
        throw;
    }
}

void FollowedWorld::fill(const json& message, const LentTensors& tensors) {
    std::uint64_t token = 0;
    std::vector<Contribution> all;
    readFromRank(0, [&] {
        std::size_t first = 0;
        token = numberOf(message, "token");
        for (const json& head : listOf(message, "all")) all.push_back(contributionFrom(head, tensors, first));
    });
    const auto found = std::ranges::find(awaited_, token, &Awaited::token);
    if (found == awaited_.end()) return;
    const at::AutoDispatchBelowADInplaceOrView noHistory;
    found->fill(Contributions(std::move(all)));
}

void FollowedWorld::exchange(const RankGroup& group, Contribution mine, Outcome outcome) {
    askFor({0, std::move(outcome.results), std::move(outcome.fill)},
           {{"kind", "exchange"}, {"group", groupJson(group)}, {"mine", contributionJson(mine)}}, mine.tensors);
}

void FollowedWorld::send(const RankGroup& group, std::size_t peer, std::int64_t tag, Contribution message) {
    ask({{"kind", "send"},
         {"group", groupJson(group)},
         {"peer", peer},
         {"tag", tag},
         {"mine", contributionJson(message)}},
        message.tensors);
}

void FollowedWorld::receive(const RankGroup& group, std::size_t peer, std::int64_t tag, std::string call,
                            at::Tensor result) {
    askFor({0, {result}, [result](const Contributions& all) { result.copy_(all[0].tensors.at(0)); }},
           {{"kind", "receive"}, {"group", groupJson(group)}, {"peer", peer}, {"tag", tag}, {"call", call}}, {result});
}

void FollowedWorld::wait(const at::Tensor& result) {
    const auto holds = [&](const Awaited& awaited) { return isAmong(result, awaited.results); };
    const auto last = std::find_if(awaited_.rbegin(), awaited_.rend(), holds);
    if (last != awaited_.rend()) ask({{"kind", "wait"}, {"token", last->token}}, {});
}

bool FollowedWorld::anyRank(bool mine) {
    const json answer = ask({{"kind", "any"}, {"mine", mine}}, {});
    return readFromRank(0, [&] { return truthOf(answer, "any"); });
}

// --- rank 0 ---

LedRequest ledRequestFrom(const json& message, const LentTensors& tensors, std::int64_t ranks) {
    using Asked = LedRequest::Kind;
    const std::string kind = textOf(message, "kind");
    const auto known = enumeratorSpelled<Asked>(kind);
    if (!known) throw Error("asks for what rank 0 does not do, '" + kind + "'");
    LedRequest request{.kind = *known, .place = textOf(message, "place")};
    const auto is = [&](std::initializer_list<Asked> any) { return std::ranges::count(any, request.kind) > 0; };
    if (is({Asked::any})) request.mine = truthOf(message, "mine");
    if (is({Asked::wait, Asked::exchange, Asked::receive})) request.token = numberOf(message, "token");
    if (is({Asked::exchange, Asked::send, Asked::receive}))
        request.group = groupFrom(objectOf(message, "group"), static_cast<std::size_t>(ranks));
    std::size_t first = 0;
    if (is({Asked::exchange, Asked::send}))
        request.contribution = contributionFrom(objectOf(message, "mine"), tensors, first);
    if (is({Asked::send, Asked::receive})) {
        request.peer = numberOf(message, "peer");
        request.tag = integerOf(message, "tag");
        if (request.peer >= static_cast<std::size_t>(request.group.size()))
            throw Error("speaks of place " + std::to_string(request.peer) + " of a group of " +
                        std::to_string(request.group.size()) + " ranks");
    }
    if (is({Asked::receive})) {
        if (tensors.size() != 1) throw Error("does not say of which type the tensor is that it receives");
        request.contribution = {textOf(message, "call"), tensors};
    }
    return request;
}

void LedRank::tell(const json& message, LentTensors tensors) {
    processes_.tell(rank_, cborOf(message), std::move(tensors));
}

void LedRank::start(const json& command) { tell({{"kind", "command"}, {"command", command}}); }

json LedRank::answer() {
    for (;;) {
        const ProcessWorld::Heard heard = processes_.hear(rank_, "what rank " + std::to_string(rank_) + " does");
        const json message = readFromRank(rank_, [&] { return messageInCbor(heard.text); });
        if (readFromRank(rank_, [&] { return textOf(message, "kind"); }) == "answer")
            return readFromRank(rank_, [&] { return objectOf(message, "result"); });
        json reply;
        try {
            const LedRequest request = readFromRank(
                rank_, [&] { return ledRequestFrom(message, heard.tensors, processes_.groups().worldSize()); });
            reply = carryOut(request);
            reply["kind"] = "done";
        } catch (const Error& e) {
            reply = {{"kind", "refused"}, {"why", e.what()}};
        }
        tell(reply);
    }
}

/// Throws Error for a result that the rank has not requested.
const at::Tensor& LedRank::standFor(std::uint64_t token) const {
    const auto stand = stands_.find(token);
    if (stand == stands_.end())
        throw Error("rank " + std::to_string(rank_) + " waits for a result that it has not asked for");
    return stand->second;
}

json LedRank::carryOut(const LedRequest& request) {
    using Asked = LedRequest::Kind;
    const std::shared_ptr<World> world = World::current();
    const PlaceScope there(request.place);
    const std::uint64_t token = request.token;
    switch (request.kind) {
        case Asked::any: return {{"any", world->anyRank(request.mine)}};
        case Asked::wait:
            world->wait(standFor(token));
            if (const auto message = messages_.find(token); message != messages_.end())
                sendResult(token, Contributions(1, Contribution{{}, {message->second}}));
            break;
        case Asked::exchange: {
            const at::Tensor stand = stands_[token] = at::empty({1});
            const auto send = [self = shared_from_this(), token](const Contributions& all) {
                self->sendResult(token, all);
            };
            world->exchange(request.group, request.contribution, {{stand}, send});
            break;
        }
        case Asked::send: world->send(request.group, request.peer, request.tag, request.contribution); break;
        case Asked::receive: {
            const at::Tensor message = stands_[token] = messages_[token] =
                at::zeros_like(request.contribution.tensors.front());
            world->receive(request.group, request.peer, request.tag, request.contribution.call, message);
            // If it has not arrived yet, a wait sends it again.
            sendResult(token, Contributions(1, Contribution{{}, {message}}));
            break;
        }
    }
    return json::object();
}

void LedRank::sendResult(std::uint64_t token, const Contributions& all) {
    json heads = json::array();
    LentTensors tensors;
    for (std::size_t i = 0; i < all.size(); ++i) {
        heads.push_back(contributionJson(all[i]));
        tensors.insert(tensors.end(), all[i].tensors.begin(), all[i].tensors.end());
    }
    tell({{"kind", "fill"}, {"token", token}, {"all", std::move(heads)}}, std::move(tensors));
}

}  // namespace aotscope
