#pragma once

#include "io/session/content.h"

#include <string>
#include <string_view>

namespace aotscope {

/// A session as CBOR, without the model itself. Throws Error where it cannot be read; what this program does not know
/// is skipped, what an earlier one did not write keeps its default.
std::string encodeSession(SessionContent content);
/// `packed`: bytes of the document in its file; what it may take in memory follows from that.
SessionContent decodeSession(std::string_view document, std::uint64_t packed);
inline SessionContent decodeSession(std::string_view document) { return decodeSession(document, document.size()); }

/// Whether the two lead to the same graphs of the same model.
bool sameOptions(const Options& a, const Options& b);

}  // namespace aotscope
