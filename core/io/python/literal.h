#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A Python string literal on one line, with everything escaped that could end it.
std::string pythonString(std::string_view text);

/// "[2, 3]"
std::string pythonIntegers(const std::vector<std::int64_t>& values);

/// "device(type='cuda', index=0)" for "cuda:0", as FX writes it.
std::string pythonDevice(std::string_view name);

/// `text` with all characters replaced that a name cannot contain, and "_" after keywords.
std::string pythonName(std::string_view text);
/// The same for dotted names.
std::string pythonDottedName(std::string_view text);
bool isPythonKeyword(std::string_view name);

/// Gives each value a unique name.
class PythonNames {
public:
    PythonNames();
    /// `base` as a name, with the suffix _1, _2, ... if it is taken.
    std::string take(std::string_view base);

private:
    std::map<std::string, int, std::less<>> taken_;
};

}  // namespace aotscope
