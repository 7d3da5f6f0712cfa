#include "load/pt2_archive.h"

#include "program/archive.h"
#include "support/error.h"

namespace aotscope {

RecordArchive::RecordArchive(std::span<std::byte> bytes) {
    try {
        const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        for (const auto& [name, record] : requireSoundArchive(content))
            records_.emplace(name, Record{bytes.subspan(static_cast<std::size_t>(record.offset),
                                                        static_cast<std::size_t>(record.packedSize)),
                                          record.packed});
    } catch (const Error& e) {
        throw Error(std::string("the zip archive is damaged (") + e.what() + "); save the model again");
    }
}

std::span<std::byte> RecordArchive::at(std::string_view name) const {
    const auto it = records_.find(name);
    if (it == records_.end()) throw Error("its record '" + std::string(name) + "' is missing; save the model again");
    if (it->second.compressed)
        throw Error("its record '" + std::string(name) +
                    "' is compressed, while PyTorch saves records as they are; save the model again");
    return it->second.data;
}

std::string_view RecordArchive::text(std::string_view name) const {
    const auto record = at(name);
    return {reinterpret_cast<const char*>(record.data()), record.size()};
}

std::vector<std::string> RecordArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, record] : records_) names.push_back(name);
    return names;
}

}  // namespace aotscope
