#pragma once

#include "load/printed/syntax/scanner.h"

#include <set>
#include <string>

namespace aotscope {

/// Reads the forward() that begins here into `module`; `symbols` gets those that its types mention. Python's values of
/// them are `hints`.
void parseFunction(Scanner& scan, const SymbolHints& hints, PrintedModule& module, std::set<std::string>& symbols);

/// Adds the symbols that `type` mentions.
void noteSymbols(const ValueType& type, std::set<std::string>& symbols);

}  // namespace aotscope
