#include "cost/exposure.h"

#include "cost/communication.h"
#include "ops/op_table.h"
#include "support/enumerators.h"
#include "support/formatted.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

/// A gain below this share of the exposure is ignored.
constexpr double kWorthIt = 0.05;

bool looksIntoMemory(const Node& node) { return hasTag(node, kView) || opFamily(node.op()) == OpFamily::view; }

class Explainer {
public:
    explicit Explainer(const std::vector<NodeMoment>& moments) : moments_(moments) {
        for (std::size_t i = 0; i < moments.size(); ++i) places_[moments[i].node] = i;
    }

    void explainAll(std::vector<CollectiveTime>& times) const {
        for (CollectiveTime& time : times) findOperand(*nodeOf(time.node), time.why);
        // Simulates issuing each when it is ready, one after the other.
        std::vector<CollectiveTime*> order;
        for (CollectiveTime& time : times) order.push_back(&time);
        std::ranges::stable_sort(order, {}, [](const CollectiveTime* time) { return time->why.ready; });
        double freeAt = 0;
        for (CollectiveTime* time : order) {
            freeAt = std::max(time->why.ready, freeAt) + time->duration();
            time->why.hiddenEarly = std::max(0.0, time->exposed() - std::max(0.0, freeAt - time->wait));
        }
        for (std::size_t i = 0; i < times.size(); ++i) explain(times[i], i > 0 ? &times[i - 1] : nullptr);
    }

private:
    /// `before`: the previous collective on the stream, or null.
    void explain(CollectiveTime& time, const CollectiveTime* before) const {
        const double exposed = time.exposed();
        Exposure& why = time.why;
        why.hiddenLate = std::min(exposed, findUse(*nodeOf(time.node), why));
        if (exposed <= 0) return;
        why.delay = time.start - time.issue;
        if (why.delay > 0 && before) why.busyWith = {before->node, before->name};
        why.cause = causeOf(why, exposed);
    }

    const Node* nodeOf(NodeId id) const {
        const auto found = std::ranges::find_if(moments_, [&](const NodeMoment& m) { return m.node->id() == id; });
        return found->node;
    }

    /// The operand that is computed last; its views take negligible time.
    void findOperand(const Node& collective, Exposure& why) const {
        std::vector<const Node*> pending(collective.inputs().begin(), collective.inputs().end());
        std::unordered_set<const Node*> seen;
        while (!pending.empty()) {
            const Node* node = pending.back();
            pending.pop_back();
            if (!seen.insert(node).second || node->kind() != NodeKind::call) continue;
            if (looksIntoMemory(*node)) {
                pending.insert(pending.end(), node->inputs().begin(), node->inputs().end());
                continue;
            }
            const NodeMoment& moment = moments_[places_.at(node)];
            if (why.readyAfter.node != kNoNode && moment.done <= why.ready) continue;
            why.ready = moment.done;
            why.readyAfter = {node->id(), node->name()};
        }
    }

    /// Milliseconds of computation between the first wait and the first use of the result.
    double findUse(const Node& collective, Exposure& why) const {
        std::size_t wait = moments_.size(), use = moments_.size() - 1;  // the output is last
        for (const Node* node : waitsFor(collective)) {
            wait = std::min(wait, places_.at(node));
            use = std::min(use, firstUse(*node));
        }
        if (wait >= use) return 0;
        const Node& user = *moments_[use].node;
        if (user.kind() == NodeKind::call) why.neededBy = {user.id(), user.name()};
        double between = 0;
        for (std::size_t i = wait + 1; i < use; ++i) between += moments_[i].computing;
        return between;
    }

    std::size_t firstUse(const Node& wait) const {
        std::size_t first = moments_.size() - 1;
        std::vector<const Node*> pending{&wait};
        while (!pending.empty()) {
            const Node* value = pending.back();
            pending.pop_back();
            for (const Node* user : value->users())
                if (user->kind() == NodeKind::call && looksIntoMemory(*user)) pending.push_back(user);
                else first = std::min(first, places_.at(user));
        }
        return first;
    }

    static Exposure::Cause causeOf(const Exposure& why, double exposed) {
        using Cause = Exposure::Cause;
        const double busy = std::min(why.delay, exposed), most = std::max({busy, why.hiddenEarly, why.hiddenLate});
        if (most < kWorthIt * exposed) return why.neededBy.node == kNoNode ? Cause::graphEnds : Cause::operandLate;
        if (most == why.hiddenEarly) return Cause::issuedLate;
        return most == why.hiddenLate ? Cause::waitedEarly : Cause::streamBusy;
    }

    const std::vector<NodeMoment>& moments_;
    std::unordered_map<const Node*, std::size_t> places_;
};

std::string named(const Exposure::Place& place, const char* otherwise) {
    return place.node == kNoNode ? otherwise : "%" + place.name;
}

std::string readyText(const Exposure& why) {
    return why.readyAfter.node == kNoNode ? std::string("from the start of the graph on")
                                          : "after %" + why.readyAfter.name + ", at " + formatDuration(why.ready);
}

std::string whatHelps(const Exposure& why, double exposed) {
    const auto of = [&](double hidden) {
        return hidden >= exposed * (1 - kWorthIt) ? std::string("all of it")
                                                  : formatDuration(hidden) + " of " + formatDuration(exposed);
    };
    const std::string needs = named(why.neededBy, "the end of the graph");
    std::string text;
    if (why.hiddenEarly >= kWorthIt * exposed)
        text += " Its operands are there " + readyText(why) + ": issued then, as are the others, it would hide " +
                of(why.hiddenEarly) + ".";
    if (why.hiddenLate >= kWorthIt * exposed)
        text += " Waiting for it directly before " + needs + " would hide " + of(why.hiddenLate) + ".";
    return text;
}

}  // namespace

std::string_view name(Exposure::Cause cause) { return cause == Exposure::Cause::none ? "" : spelled<'-'>(cause); }

void explainExposure(const std::vector<NodeMoment>& moments, GraphCommunication& found) {
    if (std::ranges::none_of(found.collectives, [](const CollectiveTime& time) { return time.exposed() > 0; })) return;
    Explainer(moments).explainAll(found.collectives);
}

std::string exposureText(const CollectiveTime& time) {
    const Exposure& why = time.why;
    using Cause = Exposure::Cause;
    const double exposed = time.exposed();
    const std::string needs = named(why.neededBy, "the end of the graph");
    switch (why.cause) {
        case Cause::none: return {};
        case Cause::streamBusy:
            return "It starts " + formatDuration(why.delay) + " late, because the communication stream is busy with " +
                   named(why.busyWith, "another collective") + "; " + needs + " needs the result." +
                   whatHelps(why, exposed);
        case Cause::issuedLate: return "It is issued later than it could be." + whatHelps(why, exposed);
        case Cause::waitedEarly: return "It is waited for before anything needs the result." + whatHelps(why, exposed);
        case Cause::operandLate:
            if (why.readyAfter.node == kNoNode)
                return "It is issued as soon as the graph begins, and " + needs + " needs the result at once.";
            return "Its operand is made just before, " + readyText(why) + ", and " + needs +
                   " needs the result at once.";
        case Cause::graphEnds:
            return "Its operand is made late, " + readyText(why) +
                   ", and nothing is left to compute beside it: the graph ends with its result.";
    }
    return {};
}

}  // namespace aotscope
