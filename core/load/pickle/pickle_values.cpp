#include "load/pickle/pickle_values.h"

#include "program/files/pickle_decoder.h"
#include "support/error.h"

#include <algorithm>
#include <limits>

namespace aotscope {

namespace {

/// LibTorch destroys nested values recursively. Every level of modules takes two.
constexpr int kDeepest = 200;

}  // namespace

PickledValue::Index PickledValues::add(PickledValue value) {
    if (values_.size() >= kMostPickleValues)
        throw Error("holds more than " + std::to_string(kMostPickleValues) + " values");
    values_.push_back(std::move(value));
    return static_cast<Index>(values_.size() - 1);
}

void PickledValues::hold(Index container, Index item) {
    PickledValue &into = values_[container], &value = values_[item];
    const bool onlyInTuples =
        value.kind == Kind::storageType || value.kind == Kind::quantizerScheme || value.kind == Kind::storage;
    if (value.kind == Kind::function || value.kind == Kind::unbuilt || (onlyInTuples && into.kind != Kind::tuple))
        throw Error("holds a function or class where a value is expected");
    if (container == item) throw Error("holds a value that is part of itself");
    value.held = true;
    into.items.push_back(item);
    into.depth = std::max<std::uint16_t>(into.depth, static_cast<std::uint16_t>(value.depth + 1));
    if (into.depth > kDeepest) throw Error("nests its values more than " + std::to_string(kDeepest) + " levels deep");
    const std::uint64_t weight = std::uint64_t{into.weight} + value.weight;
    into.weight =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace aotscope
