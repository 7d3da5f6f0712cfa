#pragma once

#include <map>
#include <string>
#include <string_view>

namespace aotscope::fuzz {

/// An intact archive of these records: the fuzzer's bytes in one of them pass its checksums.
std::string archiveOf(const std::map<std::string, std::string_view>& records);

}  // namespace aotscope::fuzz
