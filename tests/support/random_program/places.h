// The places of a tensor's elements in memory, and their overlap.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <set>
#include <vector>

namespace aotscope::test {

inline const c10::StorageImpl* storageOf(const at::Tensor& t) {
    return t.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

/// Byte offsets of all elements.
inline std::vector<std::int64_t> places(const at::Tensor& t) {
    std::vector<std::int64_t> all = {t.storage_offset() * static_cast<std::int64_t>(t.element_size())};
    for (std::int64_t d = 0; d < t.dim(); ++d) {
        std::vector<std::int64_t> next;
        for (const std::int64_t place : all)
            for (std::int64_t i = 0; i < t.size(d); ++i)
                next.push_back(place + i * t.stride(d) * static_cast<std::int64_t>(t.element_size()));
        all = std::move(next);
    }
    return all;
}

inline bool overlapsItself(const at::Tensor& t) {
    const auto all = places(t);
    return std::set<std::int64_t>(all.begin(), all.end()).size() != all.size();
}

/// Whether writing `target` while reading `source` depends on the order of the elements.
inline bool overlapPartly(const at::Tensor& target, const at::Tensor& source) {
    if (storageOf(target) != storageOf(source)) return false;
    const auto written = places(target), read = places(source);
    if (written == read) return false;
    const std::set<std::int64_t> all(written.begin(), written.end());
    return std::any_of(read.begin(), read.end(), [&](std::int64_t place) { return all.contains(place); });
}

}  // namespace aotscope::test
