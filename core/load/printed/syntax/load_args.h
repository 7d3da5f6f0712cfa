#pragma once

#include "load/printed/symbols.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What the scripts that PyTorch writes for reports (repro.py, minifier_launcher.py, fx_graph_runnable.py) load for a
/// graph: "reader.tensor(buf0, (64, 16), dtype=torch.float16)  # primals_1".
struct LoadedInput {
    std::string name;        ///< empty: of the next input
    std::string annotation;  ///< "f16[64, 16][16, 1]cpu", "Sym(s0)"
};

struct LoadArgs {
    std::vector<LoadedInput> inputs;
    std::vector<LoadedInput> constants;  ///< buffers and parameters that the class makes
    SymbolHints hints;                   ///< of "reader.symint(4, expr='s0')"
};

/// Whether a line below the class begins what loads them: "def load_args(reader):", until PyTorch 2.0 "args = [...]".
bool beginsLoadArgs(std::string_view line);

/// Reads what the first such function in `text`, or the list, loads; empty if there is none.
LoadArgs readLoadArgs(std::string_view text);

}  // namespace aotscope
