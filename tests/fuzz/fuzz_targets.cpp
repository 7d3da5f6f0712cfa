#include "fuzz/fuzz_targets.h"

#include <algorithm>

namespace aotscope::fuzz {

// To add a reader, add a row, a function, and a folder of examples.
const std::vector<Target>& targets() {
    static const std::vector<Target> table = {
        {"archive", fuzzArchive, 4096},
        {"condition", fuzzCondition, 256},
        {"debug_pickle", fuzzDebugPickle, 4096},
        {"decomposition_table", fuzzDecompositionTable, 1024},
        {"edited_value", fuzzEditedValue, 256},
        {"exported_graph", fuzzExportedGraph, 8192},
        {"exported_program", fuzzExportedProgram, 16384},
        {"exported_weights", fuzzExportedWeights, 4096},
        {"flight_dump", fuzzFlightDump, 8192},
        {"frames", fuzzFrames, 4096},
        {"graph_text", fuzzGraphText, 8192},
        {"input_spec", fuzzInputSpec, 4096},
        {"links", fuzzLinks, 1024},
        {"log", fuzzLog, 32768},
        {"node_list", fuzzNodeList, 8192},
        {"npy", fuzzNpy, 1024},
        {"operator_book", fuzzOperatorBook, 4096},
        {"overlay", fuzzOverlay, 2048},
        {"passes", fuzzPasses, 32768},
        {"pickle", fuzzPickle, 4096},
        {"plan", fuzzPlan, 2048},
        {"printed_graph", fuzzPrintedGraph, 16384},
        {"printed_text", fuzzPrintedText, 1024},
        {"profile", fuzzProfile, 8192},
        {"query", fuzzQuery, 256},
        {"rank_message", fuzzRankMessage, 1024},
        {"remote_model", fuzzRemoteModel, 256},
        {"report", fuzzReport, 8192},
        {"safetensors", fuzzSafetensors, 2048},
        {"script", fuzzScript, 2048},
        {"session", fuzzSession, 16384},
        {"short_inputs", fuzzShortInputs, 512},
        {"snapshot", fuzzMemorySnapshot, 8192},
        {"sweep", fuzzSweep, 1024},
        {"symbolic", fuzzSymbolic, 512},
        {"text_stories", fuzzTextStories, 16384},
        {"torch_save", fuzzTorchSave, 4096},
        {"torchscript_code", fuzzTorchScriptCode, 4096},
        {"torchscript_state", fuzzTorchScriptState, 4096},
        {"trace", fuzzLog, 32768},
        {"trace_story", fuzzTraceStory, 16384},
    };
    return table;
}

const Target* targetNamed(std::string_view name) {
    const auto it = std::ranges::find(targets(), name, &Target::name);
    return it == targets().end() ? nullptr : &*it;
}

}  // namespace aotscope::fuzz
