#pragma once

#include "ir/graph.h"
#include "load/printed/export_signature.h"
#include "load/printed/printed_text.h"
#include "load/printed/symbols.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// A module in the form of gm.print_readable().
struct PrintedModule {
    std::string className;
    std::unique_ptr<Graph> graph;   ///< without its output node: the roles of outputs are determined later
    std::vector<Argument> outputs;  ///< leaves of the return value
    bool jointSignature = false;    ///< forward(self, primals, tangents)
    /// The comment after a placeholder or an output, or empty: "ParamAOTInput(target='l.weight')".
    std::unordered_map<const Node*, std::string> inputNotes;
    std::vector<std::string> outputNotes;        ///< parallel to `outputs`
    std::map<std::string, std::string> unsized;  ///< types with symbols without values, by node name
    std::vector<Node*> unstrided;                ///< tensors whose strides are not printed, in order
    ExportSignature signature;                   ///< empty if it is not an ExportedProgram
    bool loaded = false;     ///< the types of inputs are those that a script loads; nothing else has any
    bool underived = false;  ///< strides or types that follow from the operations are missing: see GraphRules
    std::vector<std::unique_ptr<PrintedModule>> nested;
};

/// Reads Python's text of an FX graph: gm.print_readable(), gm.code, print(graph), graph.print_tabular(), or a repro
/// script with the inputs that it loads. Skips everything before the first "class" or "def forward". Throws Error with
/// file and line, the expected and the found text.
std::unique_ptr<PrintedModule> parsePrinted(const PrintedText& text, const SymbolHints& hints);

}  // namespace aotscope
