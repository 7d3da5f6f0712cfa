#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>

namespace aotscope {

/// The object that the parameters of a request are about, by the id of the request that made it. Nothing: about none.
inline std::optional<std::uint64_t> objectIn(const nlohmann::json& with) {
    if (with.is_object())
        for (const char* object : {"session", "debugger", "ranks"})
            if (const auto id = with.find(object); id != with.end() && id->is_number_unsigned())
                return id->get<std::uint64_t>();
    return std::nullopt;
}

}  // namespace aotscope
