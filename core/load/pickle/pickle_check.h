#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aotscope {

/// Size in bytes of the record with a storage's key; nothing if the archive stores no elements. An empty function if no
/// tensors are allowed.
using StorageSizes = std::function<std::optional<std::uint64_t>(const std::string& key)>;

/// A member of an enumeration in a pickle. LibTorch's unpickler reads on at a wrong place if it does not exist.
struct PickledEnum {
    std::string type;
    std::variant<std::int64_t, double, std::string> value;
};

/// Properties of a pickle that only the rest of its archive can confirm.
struct PickleFacts {
    std::size_t values = 0;
    std::vector<PickledEnum> enums;
    std::vector<std::string> truthStorages;  ///< keys of storages whose bytes must be 0 or 1
};

/// Checks a pickle before LibTorch's unpickler reads it, which trusts the order of operations, memo indices, types of
/// containers and the places of tensors in their storages. Accepts only what torch::jit's pickler writes. Throws Error
/// that says what is wrong.
PickleFacts requireSoundPickle(std::string_view pickle, const StorageSizes& storages);

/// Checks a record of source locations, whose numbers LibTorch uses unchecked.
PickleFacts requireSoundDebugPickle(std::string_view pickle);

}  // namespace aotscope
