#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace aotscope {

/// Limits of a document from a file before it is built: code that walks, copies or prints it recurses for every level,
/// and in memory it is many times as large as its text.
struct JsonBounds {
    enum class Form : std::uint8_t { text, cbor };

    Form form = Form::text;
    int depth = 100;           ///< exported programs have about 20 levels
    std::uint64_t memory = 0;  ///< bytes, approximately; 0: what is usual for a text of this size
    bool distinct = false;     ///< the members of the document itself must have different names

    /// `perByte` times the size of the text, plus what any file may take.
    static constexpr std::uint64_t memoryFor(std::uint64_t size, std::uint64_t perByte) {
        return (std::uint64_t{128} << 20) + size * perByte;
    }
};

/// Parses a document from outside: every reader of JSON uses this. Throws nlohmann::json::exception for invalid JSON,
/// and Error (a clause, "nests its values ...") for a document beyond the limits.
nlohmann::json parseBounded(std::string_view document, const JsonBounds& bounds = {});

/// Throws Error if a newer version has written `document`: its "schema" is above the `known` one. `where` stands in
/// front.
void requireKnownSchema(const nlohmann::json& document, int known, const std::string& where = {});

/// Where a text is no JSON, and why, without the name of the exception.
std::string invalidJson(const nlohmann::json::exception& error);

}  // namespace aotscope
