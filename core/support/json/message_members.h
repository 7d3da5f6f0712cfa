#pragma once

#include "support/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// A member of a message from another process. All throw Error if it is missing or has another type: a clause, to which
/// the caller prepends the sender, "sends 'token': expected a number from 0 on, found "x"".
const nlohmann::json& memberOf(const nlohmann::json& message, const char* key);
std::string textOf(const nlohmann::json& message, const char* key);
std::uint64_t numberOf(const nlohmann::json& message, const char* key);
std::int64_t integerOf(const nlohmann::json& message, const char* key);
double realOf(const nlohmann::json& message, const char* key);
bool truthOf(const nlohmann::json& message, const char* key);
std::string_view bytesOf(const nlohmann::json& message, const char* key);
const nlohmann::json& objectOf(const nlohmann::json& message, const char* key);
const nlohmann::json& listOf(const nlohmann::json& message, const char* key);
std::vector<std::int64_t> integersOf(const nlohmann::json& message, const char* key);
std::vector<std::string> textsOf(const nlohmann::json& message, const char* key);

nlohmann::json bytesJson(std::string_view bytes);

/// A message as text. Throws Error, a clause as above, if it is not an object.
nlohmann::json messageIn(std::string_view text);
/// The same for CBOR. `memory`: see JsonBounds.
nlohmann::json messageInCbor(std::string_view bytes, std::uint64_t memory = 0);
std::string cborOf(const nlohmann::json& message);

/// Runs `read` on what another process has sent; turns any problem with it into one sentence that begins with `before`.
template <typename Read>
auto readSent(const std::string& before, Read&& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        throw Error(before + firstSentence(e.what()));
    }
}
template <typename Read>
auto readFromRank(std::size_t rank, Read&& read) {
    return readSent("rank " + std::to_string(rank) + " ", std::forward<Read>(read));
}

}  // namespace aotscope
