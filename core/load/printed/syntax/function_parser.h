#pragma once

#include "load/printed/syntax/scanner.h"

#include <set>
#include <string>

namespace aotscope {

/// Reads the forward() that begins here into `module`; adds the symbols in its types to `symbols`. `hints`: their
/// values in Python.
void parseFunction(Scanner& scan, const SymbolHints& hints, PrintedModule& module, std::set<std::string>& symbols);

/// Adds the symbols in `type`.
void noteSymbols(const ValueType& type, std::set<std::string>& symbols);

}  // namespace aotscope
