#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// An input or output of a printed ExportedProgram.
struct SignatureEntry {
    std::string name;    ///< of the node; empty for a literal
    std::string kind;    ///< "PARAMETER", "BUFFER_MUTATION", as in torch.export's InputKind and OutputKind
    std::string target;  ///< "l.weight", or empty
};

/// The part of a printed ExportedProgram below its graph: torch/export/graph_signature.py.
struct ExportSignature {
    std::vector<SignatureEntry> inputs, outputs;

    bool empty() const { return inputs.empty() && outputs.empty(); }
};

/// Whether a line begins a signature: "Graph signature: ...".
bool beginsSignature(std::string_view line);

/// Reads the first signature in `text`, in any of PyTorch's formats; other lines are skipped.
ExportSignature readExportSignature(std::string_view text);

}  // namespace aotscope
