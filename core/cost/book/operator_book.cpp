#include "cost/book/operator_book.h"

#include "cost/book/signature.h"
#include "cost/machine_model.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// More than this, and an entry says less than the roofline alone.
constexpr double kMostScaling = 32;

bool disturbed(const OperatorEntry& entry) { return entry.waiting > kMostDisturbance; }

void takeTime(OperatorEntry& to, const OperatorEntry& from) {
    to.us = from.us;
    to.lowerUs = from.lowerUs;
    to.upperUs = from.upperUs;
    to.waiting = from.waiting;
}

/// `newer` with what only `older` knows, or knows better.
OperatorEntry better(const OperatorEntry& older, OperatorEntry newer) {
    if (!newer.us || (older.us && disturbed(newer) && older.waiting < newer.waiting)) takeTime(newer, older);
    if (!newer.innerBytes) {
        newer.innerBytes = older.innerBytes;
        newer.resultBytes = older.resultBytes;
    }
    newer.day = std::max(newer.day, older.day);
    return newer;
}

double scaling(double wanted, double known) { return wanted > 0 && known > 0 ? wanted / known : 1; }

/// Those of results of which types say nothing, such as what a library keeps for its backward.
std::vector<std::int64_t> untypedBytes(const Node& node, const std::vector<std::int64_t>& bytes, double scale) {
    const TupleType* results = node.type.tuple();
    std::vector<std::int64_t> scaled(results ? std::min(results->size(), bytes.size()) : 0);
    for (std::size_t i = 0; i < scaled.size(); ++i)
        if (const TensorType* type = (*results)[i].tensor(); type && type->numel() == 0)
            scaled[i] = static_cast<std::int64_t>(scale * static_cast<double>(bytes[i]));
    return scaled;
}

}  // namespace

OperatorEntry entryOf(const Node& node) {
    OperatorEntry entry{.signature = signatureOf(node)};
    if (entry.signature.empty()) return entry;
    const NodeCost cost = costOf(node);
    entry.bytes = cost.bytes();
    entry.flops = cost.flops;
    entry.rooflineUs = estimatedMs(node, usualCpu()) * 1000;
    return entry;
}

const OperatorEntry* OperatorBook::find(const std::string& signature, int threads) const {
    const auto known = bySignature_.find(signature);
    if (known == bySignature_.end()) return nullptr;
    const auto at = std::ranges::find(known->second, threads, [&](std::size_t i) { return entries_[i].threads; });
    return at == known->second.end() ? nullptr : &entries_[*at];
}

void OperatorBook::add(OperatorEntry entry) {
    if (entry.signature.empty() || entry.signature.size() > kLongestSignature) return;
    if (const OperatorEntry* known = find(entry.signature, entry.threads)) {
        entries_[static_cast<std::size_t>(known - entries_.data())] = better(*known, std::move(entry));
        return;
    }
    if (entries_.size() >= kMost + kMost / 10) dropOldest();
    bySignature_[entry.signature].push_back(entries_.size());
    byOperator_[std::string(operatorOf(entry.signature))].push_back(entries_.size());
    entries_.push_back(std::move(entry));
}

void OperatorBook::add(const OperatorBook& other) {
    for (const OperatorEntry& entry : other.entries_) add(entry);
    if (entries_.size() > kMost) dropOldest();
}

void OperatorBook::dropOldest() {
    std::ranges::stable_sort(entries_, std::greater(), &OperatorEntry::day);
    entries_.resize(std::min(entries_.size(), kMost));
    index();
}

void OperatorBook::index() {
    bySignature_.clear();
    byOperator_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        bySignature_[entries_[i].signature].push_back(i);
        byOperator_[std::string(operatorOf(entries_[i].signature))].push_back(i);
    }
}

OperatorBook::Nearest OperatorBook::nearestTo(const OperatorEntry& wanted) const {
    Nearest nearest;
    const auto same = byOperator_.find(std::string(operatorOf(wanted.signature)));
    if (same == byOperator_.end()) return nearest;
    double nearestTime = 0, nearestBytes = 0;
    const auto consider = [](const OperatorEntry& entry, double distance, const OperatorEntry*& best, double& least) {
        if (best && least <= distance) return;
        best = &entry;
        least = distance;
    };
    // The newest ones first; so many are enough to find one that is near.
    constexpr std::size_t kLookedAt = 300;
    for (std::size_t i = 0; i < std::min(same->second.size(), kLookedAt); ++i) {
        const OperatorEntry& entry = entries_[same->second[same->second.size() - 1 - i]];
        const double scale = std::abs(std::log2(scaling(wanted.rooflineUs, entry.rooflineUs)));
        if (scale > std::log2(kMostScaling)) continue;
        const double distance = signatureDistance(wanted.signature, entry.signature) + scale +
                                std::abs(std::log2(scaling(wanted.threads, entry.threads)));
        if (entry.us) consider(entry, distance, nearest.time, nearestTime);
        // Other dtypes and layouts may have other kernels: better the formula than the memory that those need.
        if (entry.innerBytes && distance < kOtherKindOfCall) consider(entry, distance, nearest.bytes, nearestBytes);
    }
    return nearest;
}

KnownCost OperatorBook::costOf(const Node& node, int threads) const {
    KnownCost cost;
    if (entries_.empty()) return cost;
    OperatorEntry wanted{.signature = signatureOf(node), .threads = threads};
    cost.signature = signatureNumber(wanted.signature);
    if (wanted.signature.empty()) return cost;
    if (const OperatorEntry* known = find(wanted.signature, threads)) {
        if ((cost.us = known->us)) cost.time = CostBasis::measured;
        if ((cost.innerBytes = known->innerBytes)) cost.bytes = CostBasis::measured;
        cost.resultBytes = known->resultBytes;
        if (cost.us && cost.innerBytes) return cost;
    }
    wanted = entryOf(node);
    wanted.threads = threads;
    const Nearest nearest = nearestTo(wanted);
    if (!cost.us && nearest.time) {
        cost.us = *nearest.time->us * scaling(wanted.rooflineUs, nearest.time->rooflineUs);
        cost.time = CostBasis::near;
    }
    if (!cost.innerBytes && nearest.bytes) {
        const double scale = scaling(static_cast<double>(wanted.bytes), static_cast<double>(nearest.bytes->bytes));
        cost.innerBytes = static_cast<std::int64_t>(scale * static_cast<double>(*nearest.bytes->innerBytes));
        cost.resultBytes = untypedBytes(node, nearest.bytes->resultBytes, scale);
        cost.bytes = CostBasis::near;
    }
    return cost;
}

}  // namespace aotscope
