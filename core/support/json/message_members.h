#pragma once

#include "support/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

/// Runs `read`, and prepends the sending rank to errors.
template <typename Read>
auto readFromRank(std::size_t rank, Read&& read) {
    try {
        return read();
    } catch (const Error& e) {
        throw Error("rank " + std::to_string(rank) + " " + e.what());
    }
}

}  // namespace aotscope
