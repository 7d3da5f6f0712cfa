#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace aotscope::fuzz {

/// A reader of untrusted bytes, called as the program calls it. It returns for bytes that it accepts and throws Error
/// for those that it refuses. Everything else is a finding: a crash, a sanitizer's report, another exception, a program
/// that hangs or takes hundreds of megabytes.
struct Target {
    const char* name;
    void (*run)(std::string_view bytes);
    std::size_t largest;  ///< bytes worth trying
};

/// All targets. The fuzzer runs them on bytes that it makes up, test_fuzz_corpus on those in tests/data/fuzz/NAME.
const std::vector<Target>& targets();
/// Null: no target has that name.
const Target* targetNamed(std::string_view name);

// Zip archives and their contents.
void fuzzArchive(std::string_view bytes);
void fuzzPickle(std::string_view bytes);
void fuzzDebugPickle(std::string_view bytes);
void fuzzTorchSave(std::string_view bytes);
void fuzzSession(std::string_view bytes);
void fuzzExportedProgram(std::string_view bytes);
void fuzzExportedWeights(std::string_view bytes);
void fuzzTorchScriptCode(std::string_view bytes);
void fuzzTorchScriptState(std::string_view bytes);
void fuzzScript(std::string_view bytes);

// Tensors and inputs.
void fuzzNpy(std::string_view bytes);
void fuzzRankMessage(std::string_view bytes);
void fuzzSafetensors(std::string_view bytes);
void fuzzInputSpec(std::string_view bytes);
void fuzzShortInputs(std::string_view bytes);
void fuzzEditedValue(std::string_view bytes);

// Python's printouts.
void fuzzExportedGraph(std::string_view bytes);
void fuzzPrintedGraph(std::string_view bytes);
void fuzzNodeList(std::string_view bytes);
void fuzzPrintedText(std::string_view bytes);
void fuzzLog(std::string_view bytes);
void fuzzTextStories(std::string_view bytes);
void fuzzTraceStory(std::string_view bytes);
void fuzzPasses(std::string_view bytes);

// What PyTorch records while a program runs.
void fuzzMemorySnapshot(std::string_view bytes);
void fuzzFlightDump(std::string_view bytes);

// Text formats of aotscope.
void fuzzGraphText(std::string_view bytes);
void fuzzSweep(std::string_view bytes);
void fuzzSymbolic(std::string_view bytes);
void fuzzReport(std::string_view bytes);
void fuzzOperatorBook(std::string_view bytes);
void fuzzOverlay(std::string_view bytes);
void fuzzDecompositionTable(std::string_view bytes);
void fuzzPlan(std::string_view bytes);
void fuzzProfile(std::string_view bytes);
void fuzzLinks(std::string_view bytes);
void fuzzQuery(std::string_view bytes);
void fuzzCondition(std::string_view bytes);

// Messages from another machine.
void fuzzFrames(std::string_view bytes);
void fuzzRemoteModel(std::string_view bytes);

}  // namespace aotscope::fuzz
