#include "distributed/followed_world.h"

#include "distributed/place.h"
#include "support/bounded_json.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;
using LentTensors = std::vector<at::Tensor>;

std::string cborOf(const json& message) {
    std::string bytes;
    json::to_cbor(message, bytes);
    return bytes;
}
json fromCbor(const std::string& bytes) { return parseBounded(bytes, {.form = JsonBounds::Form::cbor}); }

json groupJson(const RankGroup& group) {
    return {{"name", group.name},
            {"first", group.first},
            {"stride", group.stride},
            {"count", group.count},
            {"index", group.index}};
}
RankGroup groupFrom(const json& group) {
    return {group.at("name").get<std::string>(), group.at("first").get<std::int64_t>(),
            group.at("stride").get<std::int64_t>(), group.at("count").get<std::int64_t>(),
            group.at("index").get<std::size_t>()};
}

/// The tensors go beside it.
json contributionJson(const Contribution& contribution) {
    return {{"call", contribution.call},
            {"splits", contribution.splits},
            {"place", contribution.place},
            {"tensors", contribution.tensors.size()}};
}
/// Takes its tensors from `first` on.
Contribution contributionFrom(const json& head, const LentTensors& tensors, std::size_t& first) {
    const auto count = head.at("tensors").get<std::size_t>();
    if (count > tensors.size() - first) throw Error("a message between ranks has fewer tensors than it says");
    Contribution contribution{head.at("call").get<std::string>(),
                              {},
                              head.at("splits").get<std::vector<std::int64_t>>(),
                              head.at("place").get<std::string>()};
    contribution.tensors.assign(tensors.begin() + static_cast<std::ptrdiff_t>(first),
                                tensors.begin() + static_cast<std::ptrdiff_t>(first + count));
    first += count;
    return contribution;
}

}  // namespace

// --- the rank that is led ---

json FollowedWorld::hear() {
    for (;;) {
        const ProcessWorld::Heard heard = processes_.hear(0, "what rank 0 says");
        json message = fromCbor(heard.text);
        const auto kind = message.at("kind").get<std::string>();
        if (kind == "refused") throw Error(message.at("why").get<std::string>());
        if (kind != "fill") return message;
        fill(message, heard.tensors);
    }
}

json FollowedWorld::nextCommand() { return hear().at("command"); }

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
    const auto found = std::ranges::find(awaited_, message.at("token").get<std::uint64_t>(), &Awaited::token);
    if (found == awaited_.end()) return;
    std::vector<Contribution> all;
    std::size_t first = 0;
    for (const json& head : message.at("all")) all.push_back(contributionFrom(head, tensors, first));
    const at::AutoDispatchBelowADInplaceOrView noHistory;
    found->fill(Contributions(std::move(all)));
}

void FollowedWorld::exchange(const RankGroup& group, Contribution mine, LentTensors results, FillResults fill) {
    askFor({0, std::move(results), std::move(fill)},
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
    const auto* storage = result.storage().unsafeGetStorageImpl();
    const auto holds = [&](const Awaited& awaited) {
        return std::ranges::any_of(awaited.results,
                                   [&](const at::Tensor& t) { return t.storage().unsafeGetStorageImpl() == storage; });
    };
    const auto last = std::find_if(awaited_.rbegin(), awaited_.rend(), holds);
    if (last != awaited_.rend()) ask({{"kind", "wait"}, {"token", last->token}}, {});
}

bool FollowedWorld::anyRank(bool mine) { return ask({{"kind", "any"}, {"mine", mine}}, {}).at("any").get<bool>(); }

// --- rank 0 ---

void LedRank::tell(const json& message, LentTensors tensors) {
    processes_.tell(rank_, cborOf(message), std::move(tensors));
}

void LedRank::start(const json& command) { tell({{"kind", "command"}, {"command", command}}); }

json LedRank::answer() {
    for (;;) {
        const ProcessWorld::Heard heard = processes_.hear(rank_, "what rank " + std::to_string(rank_) + " does");
        json message = fromCbor(heard.text);
        if (message.at("kind") == "answer") return std::move(message.at("result"));
        json reply;
        try {
            reply = carryOut(message, heard.tensors);
            reply["kind"] = "done";
        } catch (const Error& e) {
            reply = {{"kind", "refused"}, {"why", e.what()}};
        }
        tell(reply);
    }
}

json LedRank::carryOut(const json& request, const LentTensors& tensors) {
    const std::shared_ptr<World> world = World::current();
    const auto kind = request.at("kind").get<std::string>(), place = request.at("place").get<std::string>();
    const PlaceScope there(place);
    if (kind == "any") return {{"any", world->anyRank(request.at("mine").get<bool>())}};
    if (kind == "wait") {
        const auto token = request.at("token").get<std::uint64_t>();
        world->wait(stands_.at(token));
        if (const auto message = messages_.find(token); message != messages_.end())
            sendResult(token, Contributions(1, Contribution{{}, {message->second}}));
        return json::object();
    }
    const RankGroup group = groupFrom(request.at("group"));
    std::size_t first = 0;
    if (kind == "exchange") {
        const auto token = request.at("token").get<std::uint64_t>();
        const at::Tensor stand = stands_[token] = at::empty({1});
        world->exchange(group, contributionFrom(request.at("mine"), tensors, first), {stand},
                        [self = shared_from_this(), token](const Contributions& all) { self->sendResult(token, all); });
        return json::object();
    }
    const auto peer = request.at("peer").get<std::size_t>();
    const auto tag = request.at("tag").get<std::int64_t>();
    if (kind == "send") {
        world->send(group, peer, tag, contributionFrom(request.at("mine"), tensors, first));
        return json::object();
    }
    const auto token = request.at("token").get<std::uint64_t>();
    const at::Tensor message = stands_[token] = messages_[token] = at::zeros_like(tensors.at(0));
    world->receive(group, peer, tag, request.at("call").get<std::string>(), message);
    sendResult(token, Contributions(1, Contribution{{}, {message}}));  // if it is not there yet, a wait sends it again
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
