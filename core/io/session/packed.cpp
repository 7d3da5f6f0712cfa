#include "io/session/packed.h"

#include "io/session/document.h"

namespace aotscope::session_format {

namespace {

json taken(json& document, const char* key) {
    if (!document.is_object() || !document.contains(key)) throw Error(std::string("it has no '") + key + "'");
    return std::move(document[key]);
}

}  // namespace

std::string pack(json value, json shared, json tables) {
    std::string bytes;
    json::to_cbor({{"value", std::move(value)}, {"shared", std::move(shared)}, {"tables", std::move(tables)}}, bytes);
    return bytes;
}

Unpacking::Unpacking(std::string_view bytes)
    : Unpacking(parseDocument(bytes, memoryForDocument(packedSize(bytes))), memoryForDocument(packedSize(bytes))) {}

Unpacking::Unpacking(json document, std::uint64_t memory)
    : value_(taken(document, "value")),
      shared_(taken(document, "shared")),
      tables_(taken(document, "tables")),
      graphs_(tables_, memory),
      decoder_(graphs_, shared_) {}

}  // namespace aotscope::session_format
