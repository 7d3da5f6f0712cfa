#pragma once

#include "program/files/pickle_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string_view>

namespace aotscope {

/// A pickled dict of plain values, whose parts are made JSON one at a time: as JSON, the whole would take many times
/// the memory of the pickle, which refers to equal values.
class PickledJson {
public:
    /// Throws Error (a clause that continues the name of the file) for other pickles.
    explicit PickledJson(std::string_view pickle);

    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// All members except this one. Throws Error (a clause), as the next one, for values that JSON does not have.
    nlohmann::json without(std::string_view key) const;
    /// Calls `visit` with each element of the list under this key.
    void forEachIn(std::string_view key, const std::function<void(const nlohmann::json&)>& visit) const;

private:
    const PickleValue* find(std::string_view key) const;

    PickleDocument document_;
};

}  // namespace aotscope
