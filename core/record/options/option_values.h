#pragma once

#include "record/options/option_table.h"

namespace aotscope {

/// Puts what was typed after `entry.flag` into `options`. Throws UsageError.
void setOption(const OptionEntry& entry, Options& options, const std::vector<std::string>& values);

/// What the report says of the option: names of choices, null for what is not set.
nlohmann::json optionJson(const OptionEntry& entry, const Options& options);

/// All that the report says of the options.
nlohmann::json optionsJson(const Options& options);

/// The names that the option takes; empty: it takes other values.
std::vector<std::string> optionChoices(const OptionEntry& entry);

/// As --help shows it; empty: nothing to show.
std::string optionDefault(const OptionEntry& entry);

/// The value in one line, as setOptionText() takes it: "min-cut", "0.5", "batch=2..64 length=1.."; empty: none is set.
std::string optionText(const OptionEntry& entry, const Options& options);

/// Puts what one line says into `options`; several values have spaces between them. An empty one sets the default.
/// Throws UsageError.
void setOptionText(const OptionEntry& entry, Options& options, const std::string& text);

/// Of an option with a field, whatever others say in its place: a compiler of the backward that is not chosen is the
/// default, whichever the forward has.
bool isDefault(const OptionEntry& entry, const Options& options);
void setDefault(const OptionEntry& entry, Options& options);

/// A range as --dynamic and the window take it: "batch=2..64", "batch=2.." or "batch". Throws UsageError.
DynamicRange parseDynamicRange(const std::string& text);

/// Sizes as --at takes them: "batch=4,length=7". Throws UsageError.
SymbolValues parseSizes(const std::string& text);

/// A size of memory as --memory-limit takes it: "2GB", "512 MiB", "1.5e9". Throws UsageError, which names `option`,
/// also for fewer than `least` bytes.
std::int64_t parseMemory(const std::string& text, const std::string& option = "--memory-limit",
                         std::int64_t least = 1'000'000);

/// A number as it is typed, with the option's name for the error. Throws UsageError.
double parseNumber(const OptionEntry& entry, const std::string& text);

}  // namespace aotscope
