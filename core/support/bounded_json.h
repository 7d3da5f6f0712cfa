#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>

namespace aotscope {

/// What a document from a file may be like before it is built: those who walk, copy or print it call themselves for
/// every level, and in memory it is many times as large as its text.
struct JsonBounds {
    enum class Form : std::uint8_t { text, cbor };

    Form form = Form::text;
    int depth = 100;           ///< exported programs have about 20 levels
    std::uint64_t memory = 0;  ///< bytes, about; 0: what is usual for a text of this size
    bool distinct = false;     ///< the members of the document itself have different names

    /// `perByte` times the size of the text, and what any file may take.
    static constexpr std::uint64_t memoryFor(std::uint64_t size, std::uint64_t perByte) {
        return (std::uint64_t{128} << 20) + size * perByte;
    }
};

/// Parses a document that came from outside: every reader of JSON goes through here. Throws nlohmann::json::exception
/// for what is no JSON, and Error (a clause, "nests its values ...") for what is beyond the bounds.
nlohmann::json parseBounded(std::string_view document, const JsonBounds& bounds = {});

}  // namespace aotscope
