#pragma once

#include "record/option_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace aotscope {

/// Adds an option to a parser. What is given stays there until it is read.
CLI::Option* addOption(CLI::App& parser, const OptionEntry& entry);

/// Adds all options that the subcommand takes, --debug too; the command without a name is the window.
void addOptions(CLI::App& parser, std::string_view command);

/// Whether the parser has the option, and it was given.
bool isGiven(const CLI::App& parser, std::string_view name);
bool isGiven(const CLI::App& parser, const OptionEntry& entry);

/// The options that were given; of one that several parsers have, the last parser's. Throws UsageError for what an
/// option cannot be.
Options readOptions(const std::vector<const CLI::App*>& parsers);

/// Throws UsageError for options that do not go together, and compilers, settings and plug-ins that there are not.
void checkOptions(const Options& options);

/// As readOptions, with those of `text` in the place of what was given, as in --against "--seed 3". Throws UsageError.
Options variantOptions(std::vector<const CLI::App*> parsers, const std::string& text);

}  // namespace aotscope
