#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace aotscope {

/// JSON in one line. What is no UTF-8, as in names that files give, is replaced.
inline std::string jsonLine(const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace aotscope
