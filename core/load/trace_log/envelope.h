#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// What surrounds the metadata of a record: whose it is, and what follows.
struct Envelope {
    std::string_view name;  ///< of the record; of an artifact, its own
    std::string compileId;  ///< empty: it belongs to no compilation
    std::uint32_t attempt = 0;
    std::optional<int> rank;
    std::string_view hash;  ///< MD5 of the payload; empty: there is none
};

/// Reads the JSON of a record without building it, as only its first and last members are needed. Empty if it is no
/// whole record.
std::optional<Envelope> readEnvelope(std::string_view record);

/// The text or number behind the first `"key": ` in `record`; empty if there is none.
std::string_view firstMember(std::string_view record, std::string_view key);

}  // namespace aotscope
