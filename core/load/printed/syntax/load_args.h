#pragma once

#include "load/printed/symbols.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What PyTorch's repro scripts (repro.py, minifier_launcher.py, fx_graph_runnable.py) load for a graph:
/// "reader.tensor(buf0, (64, 16), dtype=torch.float16)  # primals_1".
struct LoadedInput {
    std::string name;        ///< empty: belongs to the next input
    std::string annotation;  ///< "f16[64, 16][16, 1]cpu", "Sym(s0)"
};

struct LoadArgs {
    std::vector<LoadedInput> inputs;
    std::vector<LoadedInput> constants;  ///< buffers and parameters that the class creates
    SymbolHints hints;                   ///< from "reader.symint(4, expr='s0')"
};

/// Whether a line after the class begins the loading code: "def load_args(reader):", until PyTorch 2.0 "args = [...]".
bool beginsLoadArgs(std::string_view line);

/// Reads what the first such function or list in `text` loads; empty without one.
LoadArgs readLoadArgs(std::string_view text);

}  // namespace aotscope
