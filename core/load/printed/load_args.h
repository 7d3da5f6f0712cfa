#pragma once

#include "load/printed/symbols.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What the scripts that PyTorch writes for reports (repro.py, minifier_launcher.py, fx_graph_runnable.py) load for a
/// graph: "reader.tensor(buf0, (64, 16), dtype=torch.float16)  # primals_1".
struct LoadedInput {
    std::string name;
    std::string annotation;  ///< "f16[64, 16][16, 1]cpu", "Sym(s0)"
};

struct LoadArgs {
    std::vector<LoadedInput> inputs;
    SymbolHints hints;  ///< of "reader.symint(4, expr='s0')"
};

/// Whether a line begins the function that loads them.
bool beginsLoadArgs(std::string_view line);

/// Reads the first such function in `text`; empty if there is none.
LoadArgs readLoadArgs(std::string_view text);

}  // namespace aotscope
