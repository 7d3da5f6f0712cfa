#pragma once

#include "io/session/fields.h"
#include "support/json/message_members.h"

#include <string>
#include <string_view>

/// Values outside of session files in the same encoding: CBOR with shared graphs and structs.
namespace aotscope::session_format {

std::string pack(json value, json shared, json tables);

/// Reads such a document. Nothing in it is trusted; throws Error.
class Unpacking {
public:
    explicit Unpacking(std::string_view bytes);
    Unpacking(const Unpacking&) = delete;
    Unpacking& operator=(const Unpacking&) = delete;

    template <typename T>
    T as() {
        T value{};
        decoder_(value_, value);
        return value;
    }

private:
    explicit Unpacking(json document, std::uint64_t memory);

    json value_, shared_, tables_;
    GraphDecoder graphs_;
    Decoder decoder_;
};

/// The fields of T must be visible (see record_fields.h).
template <typename T>
std::string packed(const T& value) {
    GraphEncoder graphs;
    SharedLists shared;
    json content = Encoder(graphs, shared)(value);
    return pack(std::move(content), std::move(shared), graphs.take());
}

template <typename T>
T unpacked(std::string_view bytes) {
    return Unpacking(bytes).as<T>();
}

/// As a member of a message, and from it.
template <typename T>
json packedJson(const T& value) {
    return bytesJson(packed(value));
}

template <typename T>
T unpackedOf(const json& message, const char* key) {
    return unpacked<T>(bytesOf(message, key));
}

}  // namespace aotscope::session_format
