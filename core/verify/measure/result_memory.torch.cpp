#include "verify/measure/result_memory.h"

#include "aten/tensors.h"

#include <unordered_set>

namespace aotscope {

std::optional<std::vector<std::int64_t>> newMemoryOf(c10::ArrayRef<c10::IValue> results, const MemoryMeter& meter) {
    std::unordered_set<const c10::StorageImpl*> seen;
    std::vector<std::int64_t> bytes(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!isTensor(results[i]) || !results[i].toTensor().has_storage()) continue;
        const c10::Storage& storage = results[i].toTensor().storage();
        const auto isNew = meter.isNew(storage.data());
        if (!isNew) return std::nullopt;
        if (*isNew && seen.insert(storage.unsafeGetStorageImpl()).second)
            bytes[i] = static_cast<std::int64_t>(storage.nbytes());
    }
    return bytes;
}

std::vector<std::int64_t> beyondTypes(const Node& node, const std::vector<std::int64_t>& bytes) {
    const TupleType* tuple = node.type.tuple();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const TensorType* type = tuple && i < tuple->size() ? (*tuple)[i].tensor()
                                 : tuple                    ? nullptr
                                                            : node.type.tensor();
        if (bytes[i] > (type ? std::max(type->bytes(), type->storageBytes) : 0)) return bytes;
    }
    return {};
}

}  // namespace aotscope
