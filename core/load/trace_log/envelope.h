#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// What surrounds the metadata of a record: its owner, and what follows.
struct Envelope {
    std::string_view name;  ///< of the record or, for an artifact, the artifact
    std::string compileId;  ///< empty: it does not belong to a compilation
    std::uint32_t attempt = 0;
    std::optional<int> rank;
    std::string_view hash;  ///< MD5 of the payload; empty without a payload
};

/// Reads the JSON of a record without parsing it, as only its first and last members are needed. Nothing if the record
/// is incomplete.
std::optional<Envelope> readEnvelope(std::string_view record);

/// The text or number after the first `"key": ` in `record`, or empty.
std::string_view firstMember(std::string_view record, std::string_view key);

}  // namespace aotscope
