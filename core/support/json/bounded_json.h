#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace aotscope {

/// Limits of an untrusted document: code that traverses, copies or prints it recurses for every level, and in memory it
/// is many times larger than its text.
struct JsonBounds {
    enum class Form : std::uint8_t { text, cbor };

    Form form = Form::text;
    int depth = 100;           ///< exported programs have about 20 levels
    std::uint64_t memory = 0;  ///< approximate bytes; 0: the usual amount for a text of this size
    bool distinct = false;     ///< the members of the top-level object must have different names

    /// `perByte` times the size of the text, plus an amount for any file.
    static constexpr std::uint64_t memoryFor(std::uint64_t size, std::uint64_t perByte) {
        return (std::uint64_t{128} << 20) + size * perByte;
    }
};

/// Parses an untrusted document; all readers of JSON use this. Throws nlohmann::json::exception for invalid JSON, and
/// Error (a clause, "nests its values ...") for a document beyond the limits.
nlohmann::json parseBounded(std::string_view document, const JsonBounds& bounds = {});

/// Throws Error if `document` was written by a newer version: its "schema" is above `known`. `where` precedes the
/// message.
void requireKnownSchema(const nlohmann::json& document, int known, const std::string& where = {});

/// The position and reason for invalid JSON, without the name of the exception.
std::string invalidJson(const nlohmann::json::exception& error);

}  // namespace aotscope
