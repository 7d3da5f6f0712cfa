#pragma once

#include "record/options/options.h"

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace aotscope {

/// As readOptions, but the options in `text` replace those that were given, as in --against "--seed 3". Throws
/// UsageError.
Options variantOptions(std::vector<const CLI::App*> parsers, const std::string& text);

/// The options in a text that begins with a model, as on the command line of 'aotscope run'. `what` names the text in
/// errors. Throws UsageError.
Options runOptions(const std::string& text, const std::string& what);

}  // namespace aotscope
