#include "passes/sequence_record.h"

#include "ir/verifier.h"
#include "load/printed/printed_metadata.h"
#include "passes/tail.h"
#include "record/model_kind.h"
#include "support/elapsed.h"

#include <chrono>
#include <filesystem>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

/// "dump" for "runs/dump/" and for "runs/dump/*.py"; a file name without its extension.
std::string modelName(const std::string& where) {
    fs::path path = fs::path(where).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    std::error_code failure;
    if (!fs::exists(path, failure)) path = path.parent_path();
    if (path.empty() || path == ".") path = fs::current_path(failure);
    return fs::is_directory(path, failure) ? path.filename().string() : path.stem().string();
}

bool hasBackward(const CompileRecord& record) {
    return record.graph(GraphKind::joint) || record.graph(GraphKind::backward);
}

/// The metadata of inputs and outputs derived from the last graph of the program.
std::shared_ptr<const FunctionMetadata> metadataOf(const CompileRecord& record) {
    const auto& graph = record.passes.back().graphs.front().second;
    auto metadata = std::make_shared<FunctionMetadata>(printedMetadata(*graph, nullptr, std::nullopt));
    metadata->needsAutograd = hasBackward(record);
    metadata->whyAutograd =
        metadata->needsAutograd ? "printed by Python: graphs with a backward" : "printed by Python: no backward";
    return metadata;
}

}  // namespace

std::shared_ptr<const CompileRecord> makeSequenceRecord(const Options& options, const PassSequences& sequences,
                                                        const PassSequence& sequence, const GraphRules& rules,
                                                        PassObserver* observer, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    ReadPasses read = readPasses(sequence, rules, progress);
    const auto record = std::make_shared<CompileRecord>();
    record->model = {modelName(sequences.where) + (sequences.ids.size() > 1 ? " [" + sequence.id + "]" : ""),
                     sequences.where,
                     std::string(kPrintedPasses),
                     {}};
    record->fellBack = std::move(read.problems);
    record->warnings = std::move(read.faults);
    record->warnings.insert(record->warnings.end(), sequences.notes.begin(), sequences.notes.end());
    if (read.underived) record->warnings.push_back(underivedWarning());
    record->times.load = msSince(start);
    for (const ReadPass& printed : read.passes) {
        if (observer && !record->passes.empty()) observer->betweenPasses(*record, printed.title, progress);
        PassRecord pass;
        pass.id = PassId::printed;
        pass.title = printed.title;
        pass.help = "printed in " + printed.place;
        pass.changed = !record->passes.empty() && record->passes.back().graphs.front().second != printed.graph;
        if (options.verify) requireSound(*printed.graph, printed.title);
        keepGraph(*record, pass, printed.kind, printed.graph);
        addPass(*record, std::move(pass), /*verify=*/false);
    }
    record->metadata = record->graphMetadata = metadataOf(*record);
    if (observer) observer->betweenPasses(*record, {}, progress);
    record->times.total = msSince(start);
    return record;
}

}  // namespace aotscope
