#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A string of Python in one line, with everything escaped that could end it.
std::string pythonString(std::string_view text);

/// A number that reads back as the same one: "0.1", "2.0", "1e-05"; inf and nan by the names that torch has for them.
std::string pythonReal(double value);
std::string pythonReal(float value);

/// "[2, 3]"
std::string pythonIntegers(const std::vector<std::int64_t>& values);

/// "device(type='cuda', index=0)" for "cuda:0", as FX writes it.
std::string pythonDevice(std::string_view name);

/// `text` with everything replaced that cannot be in a name, and with "_" behind keywords.
std::string pythonName(std::string_view text);
/// The same for names joined by dots.
std::string pythonDottedName(std::string_view text);
bool isPythonKeyword(std::string_view name);

/// Gives each value a name of its own.
class PythonNames {
public:
    PythonNames();
    /// `base` made a name, with _1, _2, ... behind it if that is taken.
    std::string take(std::string_view base);

private:
    std::map<std::string, int, std::less<>> taken_;
};

}  // namespace aotscope
