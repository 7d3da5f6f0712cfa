#pragma once

#include "io/session/content.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace aotscope {

namespace session_format {

/// For a document that is not packed: its approximate size in a file.
constexpr std::uint64_t packedSize(std::string_view document) { return document.size() / 4; }

}  // namespace session_format

/// A session as CBOR, without the model itself. Reading throws Error for an invalid document, skips unknown fields, and
/// keeps the defaults of missing ones.
std::string encodeSession(SessionContent content);
/// `packed`: size of the document in its file, in bytes; it limits the memory that decoding may take.
SessionContent decodeSession(std::string_view document, std::uint64_t packed);
inline SessionContent decodeSession(std::string_view document) {
    return decodeSession(document, session_format::packedSize(document));
}

namespace session_format {

/// Bytes of memory for a document that takes `packed` bytes in its file.
std::uint64_t memoryForDocument(std::uint64_t packed);
/// Parses CBOR within `memory` bytes. Throws Error.
nlohmann::json parseDocument(std::string_view document, std::uint64_t memory);

}  // namespace session_format

/// Whether both options lead to the same graphs of the same model.
bool sameOptions(const Options& a, const Options& b);

}  // namespace aotscope
