#include "remote/torch_place.h"

#include "support/error.h"
#include "support/file.h"

#include <algorithm>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestVersionFile = std::uintmax_t{1} << 16;
constexpr int kMostPythons = 100;

/// Empty if it cannot be read.
std::string textInFile(const fs::path& file) {
    try {
        return readFile(file, kLargestVersionFile);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::string minorVersion(std::string_view version) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t dot = version.find_first_not_of(digits);
    if (dot == 0 || dot == std::string_view::npos || version[dot] != '.') return {};
    const std::size_t end = std::min(version.find_first_not_of(digits, dot + 1), version.size());
    const bool ends = end == version.size() || version[end] == '.';
    if (end == dot + 1 || !ends || version.find('/') != std::string_view::npos) return {};
    return std::string(version.substr(0, end));
}

std::string minorVersionIn(const fs::path& torch) {
    constexpr std::string_view name = "__version__ = '";
    const std::string python = textInFile(torch / "version.py");
    const std::size_t at = python.find(name);
    const std::string text =
        at == std::string::npos ? textInFile(torch / "build-version") : python.substr(at + name.size());
    return minorVersion(std::string_view(text).substr(0, text.find_first_of("'\n")));
}

fs::path torchIn(const fs::path& folder) {
    for (const fs::path& place : {folder, folder / "torch"})
        if (!minorVersionIn(place).empty()) return place;
    std::error_code failure;
    auto entry = fs::directory_iterator(folder / "lib", failure);
    for (int seen = 0; !failure && entry != fs::directory_iterator() && seen < kMostPythons;
         entry.increment(failure), ++seen)
        if (const fs::path place = entry->path() / "site-packages/torch"; !minorVersionIn(place).empty()) return place;
    return {};
}

}  // namespace aotscope
