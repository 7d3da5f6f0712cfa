#pragma once

#include "record/options/option_table.h"

#include <vector>

namespace aotscope {

/// Sets an option in `options` from the words after `entry.flag`. Throws UsageError.
void setOption(const OptionEntry& entry, Options& options, const std::vector<std::string>& values);

/// The option's value in the report: names of choices, null if it is not set.
nlohmann::json optionJson(const OptionEntry& entry, const Options& options);

/// All options in the report.
nlohmann::json optionsJson(const Options& options);

/// The option's choices; empty if it has other values.
std::vector<std::string> optionChoices(const OptionEntry& entry);

/// The default in --help; empty if it is not shown.
std::string optionDefault(const OptionEntry& entry);

/// The value on one line, for setOptionText(): "min-cut", "0.5", "batch=2..64 length=1.."; empty if not set.
std::string optionText(const OptionEntry& entry, const Options& options);

/// Sets an option in `options` from one line; several values are separated by spaces. An empty line sets the default.
/// Throws UsageError.
void setOptionText(const OptionEntry& entry, Options& options, const std::string& text);

/// For an option with a field, ignoring values that apply instead: a backward compiler that is not chosen is the
/// default, whatever the forward's.
bool isDefault(const OptionEntry& entry, const Options& options);
void setDefault(const OptionEntry& entry, Options& options);

/// All that differ in value, the model and its inputs included, in the order of the table.
std::vector<const OptionEntry*> differingOptions(const Options& a, const Options& b);

/// A range in the syntax of --dynamic and the window: "batch=2..64", "batch=2.." or "batch". Throws UsageError.
DynamicRange parseDynamicRange(const std::string& text);

/// Sizes in the syntax of --at: "batch=4,length=7". Throws UsageError.
SymbolValues parseSizes(const std::string& text);

/// A memory size in the syntax of --memory-limit: "2GB", "512 MiB", "1.5e9". Throws UsageError, naming `option`, also
/// for fewer than `least` bytes.
std::int64_t parseMemory(const std::string& text, const std::string& option = "--memory-limit",
                         std::int64_t least = 1'000'000);

/// Parses a number, with the option's name in errors. Throws UsageError.
double parseNumber(const OptionEntry& entry, const std::string& text);

}  // namespace aotscope
