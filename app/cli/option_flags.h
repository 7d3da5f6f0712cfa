#pragma once

#include "record/options/option_table.h"

#include <CLI/App.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// Adds an option to a parser; its value stays there until it is read.
CLI::Option* addOption(CLI::App& parser, const OptionEntry& entry);

/// Adds all options that the subcommand takes, including --debug. The command without a name is the window.
void addOptions(CLI::App& parser, std::string_view command);

/// Whether the parser has the option and it was given.
bool isGiven(const CLI::App& parser, std::string_view name);
bool isGiven(const CLI::App& parser, const OptionEntry& entry);

/// The options that were given; the last parser that has an option wins. Throws UsageError for an invalid value.
Options readOptions(const std::vector<const CLI::App*>& parsers);

/// Adds what was typed for `parser`.
void addGiven(const CLI::App& parser, GivenOptions& given);

/// Throws UsageError for options that exclude each other.
void checkOptions(const Options& options);

}  // namespace aotscope
