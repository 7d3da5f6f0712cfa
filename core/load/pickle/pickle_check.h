#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aotscope {

/// Size in bytes of the record with a storage's key; nothing if the archive does not store elements. An empty function
/// if tensors are not allowed.
using StorageSizes = std::function<std::optional<std::uint64_t>(const std::string& key)>;

/// A member of an enumeration in a pickle. LibTorch's unpickler reads at a wrong offset if it does not exist.
struct PickledEnum {
    std::string type;
    std::variant<std::int64_t, double, std::string> value;
};

/// Properties of a pickle that only the rest of its archive can confirm.
struct PickleFacts {
    std::size_t values = 0;
    std::vector<PickledEnum> enums;
    std::vector<std::string> truthStorages;  ///< keys of storages whose bytes must be 0 or 1
    std::set<std::string> customClasses;  ///< C++ classes of objects: their __setstate__ runs while LibTorch reads it
};

/// Checks a pickle before LibTorch's unpickler reads it, which trusts the order of opcodes, memo indices, types of
/// containers and the extents of tensors in their storages. Accepts only what torch::jit's pickler writes. Throws Error
/// with the problem.
PickleFacts requireSoundPickle(std::string_view pickle, const StorageSizes& storages);

/// Checks a record of source locations, which LibTorch uses unchecked.
PickleFacts requireSoundDebugPickle(std::string_view pickle);

}  // namespace aotscope
