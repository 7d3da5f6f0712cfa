#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aotscope {

/// Bytes of the record behind a storage's key; nothing where the archive keeps no elements. An empty function where
/// no tensors are expected.
using StorageSizes = std::function<std::optional<std::uint64_t>(const std::string& key)>;

/// A member of an enumeration as a pickle gives it. LibTorch's unpickler loses its place when there is no such member.
struct PickledEnum {
    std::string type;
    std::variant<std::int64_t, double, std::string> value;
};

/// What of a pickle only the rest of its archive can vouch for.
struct PickleFacts {
    std::size_t values = 0;
    std::vector<PickledEnum> enums;
    std::vector<std::string> truthStorages;  ///< keys of storages whose bytes must be 0 or 1
};

/// Checks a pickle before LibTorch's unpickler reads it, which trusts the order of operations, indices into its memo,
/// types of containers and the places of tensors in their storages. Only what torch::jit's pickler writes goes
/// through. Throws Error that says what is wrong.
PickleFacts requireSoundPickle(std::string_view pickle, const StorageSizes& storages);

/// The same for a record of places in the source, whose numbers LibTorch uses unchecked.
PickleFacts requireSoundDebugPickle(std::string_view pickle);

}  // namespace aotscope
