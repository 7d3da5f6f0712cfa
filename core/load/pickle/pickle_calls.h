#pragma once

#include "load/pickle/pickle_check.h"
#include "load/pickle/pickle_tags.h"
#include "load/pickle/pickle_values.h"

#include <set>

namespace aotscope {

/// Evaluates the globals allowed in a pickle, with the checks that LibTorch lacks. All throw Error (a clause).
class PickleCalls {
public:
    using Index = PickledValue::Index;

    PickleCalls(PickledValues& values, const StorageSizes& storages)
        : values_(values), storages_(storages), tags_(values) {}

    /// The value of a global.
    static PickledValue global(std::string_view module, std::string_view name);
    /// The result of calling `function`.
    Index call(Index function, Index arguments);
    /// The object that a class creates from its state.
    Index build(Index unbuilt, Index state);
    /// The storage for the id ("storage", type, key, device, number of elements).
    Index storage(Index id);

    const PickleFacts& facts() const { return facts_; }

private:
    const PickledValue& argument(Index arguments, std::size_t i, PickledValue::Kind kind) const;
    Index plain(PickledValue::Kind kind);
    Index made(PickledValue tensor);
    Index enumMember(const PickledValue& type, Index value);
    Index tagged(Index arguments, std::string_view type);

    PickledValues& values_;
    const StorageSizes& storages_;
    PickleTags tags_;
    PickleFacts facts_;
    std::set<std::string_view> readStorages_;
    std::size_t tensors_ = 0, slots_ = 0;
};

}  // namespace aotscope
