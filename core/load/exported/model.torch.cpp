#include "load/exported/model.h"

#include "aten/convert.h"
#include "load/exported/foreign.h"
#include "load/exported/functionalized.h"
#include "load/exported/operators.h"
#include "load/exported/program.h"
#include "program/files/declared_types.h"
#include "program/files/tensor_file.h"
#include "program/files/torch_save.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <limits>

namespace aotscope {

namespace {

using exported::Document;
using InputKind = exported::InputSpec::Kind;

constexpr std::string_view kModels = "models/", kJson = ".json";

std::vector<std::string> modelNames(const ZipArchive& archive) {
    std::vector<std::string> names;
    for (const auto& [record, place] : archive.records())
        if (record.starts_with(kModels) && record.ends_with(kJson))
            names.push_back(record.substr(kModels.size(), record.size() - kModels.size() - kJson.size()));
    return names;
}

std::string chosenModel(const ZipArchive& archive, const std::string& wanted) {
    const auto names = modelNames(archive);
    const auto has = [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (names.empty())
        throw Error(archive.contains("serialized_exported_program.json")
                        ? "it was saved by torch.export of a PyTorch older than 2.8; save it again with a newer one"
                        : "the archive holds no exported program; save the model with torch.export.save");
    if (!wanted.empty()) {
        if (has(wanted)) return wanted;
        throw Error("it holds no model " + inQuotes(wanted) + "; it holds " + quotedNames(names));
    }
    if (names.size() == 1) return names[0];
    if (has("model")) return "model";
    throw Error("it holds several models; choose one of " + quotedNames(names) + " with --model-name");
}

/// The text of a small record without surrounding whitespace.
std::string note(const ZipArchive& archive, const std::string& record) {
    std::string text(archive.bytes(record));
    text.erase(text.find_last_not_of(" \n\r\t") + 1);
    return text;
}

void requireKnownFormat(const ZipArchive& archive) {
    const auto require = [&](const std::string& record, const std::string& expected) {
        if (!archive.contains(record)) return;
        const std::string found = note(archive, record).substr(0, 40);
        if (found != expected)
            throw Error("its " + record + " is " + inQuotes(found) + ", expected " + inQuotes(expected) +
                        "; save the model again");
    };
    require("archive_format", "pt2");
    require("archive_version", "0");
    require("byteorder", "little");
}

// --- inputs ---

/// The sizes at export; unknown ones are small.
LeafSpec leafOf(const exported::TensorMeta& meta) {
    constexpr std::int64_t unknownSize = 2;
    LeafSpec leaf;
    leaf.dtype = meta.dtype;
    leaf.requiresGrad = meta.requiresGrad;
    for (const auto& size : meta.sizes) leaf.shape.push_back(size.known ? size.value : unknownSize);
    return leaf;
}

class SpecMaker {
public:
    SpecMaker(const Document& document, const ExportedProgram& program) {
        for (const auto& input : document.inputs)
            if (input.kind == InputKind::user || input.kind == InputKind::userConstant) leaves_.push_back(&input);
        for (std::size_t i = 0; i < program.inputs().size(); ++i) {
            if (program.inputs()[i].defaultValue) break;
            spec_.inputs.push_back(item(program.structureOfInput(i), document.graph));
        }
    }
    InputSpec take() { return std::move(spec_); }

private:
    InputItem item(const Structure& structure, const exported::Graph& graph) {
        if (structure.kind == Structure::Kind::leaf) return leaf(*leaves_.at(next_++), graph);
        if (structure.kind == Structure::Kind::dict) {
            InputItem::Dict dict;
            for (std::size_t i = 0; i < structure.children.size(); ++i)
                dict.push_back({dictKeyText(structure.keys[i]), item(structure.children[i], graph)});
            return {std::move(dict)};
        }
        InputItem::List list;
        for (const auto& child : structure.children) list.push_back(item(child, graph));
        return {std::move(list)};
    }

    InputItem leaf(const exported::InputSpec& input, const exported::Graph& graph) {
        if (const auto* reference = input.value.reference()) {
            const auto meta = graph.tensors.find(reference->name);
            if (meta == graph.tensors.end()) return {std::int64_t{1}};
            spec_.values.emplace_back(leafOf(meta->second));
            return {InputItem::TensorRef{spec_.values.size() - 1}};
        }
        if (const auto* v = std::get_if<std::int64_t>(&input.value.value)) return {*v};
        if (const auto* v = std::get_if<double>(&input.value.value)) return {*v};
        if (const auto* v = std::get_if<bool>(&input.value.value)) return {*v};
        return {InputItem::None{}};
    }

    InputSpec spec_;
    std::vector<const exported::InputSpec*> leaves_;
    std::size_t next_ = 0;
};

std::vector<DynamicDimension> dynamicDimensions(const Document& document) {
    std::vector<DynamicDimension> dimensions;
    std::size_t leaf = 0;
    for (const auto& input : document.inputs) {
        if (input.kind != InputKind::user && input.kind != InputKind::userConstant) continue;
        const std::size_t index = leaf++;
        const auto* reference = input.value.reference();
        const auto meta = reference ? document.graph.tensors.find(reference->name) : document.graph.tensors.end();
        if (meta == document.graph.tensors.end()) continue;
        const auto& sizes = meta->second.sizes;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (sizes[i].symbol.empty()) continue;
            const auto range = document.ranges.find(sizes[i].symbol);
            const bool known = range != document.ranges.end();
            dimensions.push_back({sizes[i].symbol, index, static_cast<std::int64_t>(i),
                                  known ? range->second.min.value_or(0) : 0,
                                  known ? range->second.max.value_or(std::numeric_limits<std::int64_t>::max())
                                        : std::numeric_limits<std::int64_t>::max()});
        }
    }
    return dimensions;
}

void addInputs(const ZipArchive& archive, const std::string& modelName, const Document& document,
               const ExportedProgram& program, Model& model) {
    model.suggestedSpec = SpecMaker(document, program).take();
    const std::string record = "data/sample_inputs/" + modelName + ".pt";
    if (!archive.contains(record) || archive.record(record).size == 0) return;
    try {
        model.recordedInputs = program.inputsOfCall(readTorchSave(archive.bytes(record)));
    } catch (const std::exception& e) {
        model.whyNoInputs = firstSentence(e.what());
        model.fellBack.push_back("the example inputs in the file cannot be used (" + model.whyNoInputs + ")");
    }
}

std::string emptyWeightsWarning(std::size_t empty, std::size_t all) {
    return (empty == all
                ? "the file has no weights"
                : "the file has no values for " + std::to_string(empty) + " of " + std::to_string(all) + " weights") +
           std::string(
               ": random values stand in for them when the program runs; give --weights FILE for the real ones");
}

Document documentIn(const ZipArchive& archive, const std::string& record) {
    return exported::withoutFunctionalizedCalls(
        exported::readDocument(archive.bytes(record), record), [](const std::string& target) {
            if (!target.starts_with(exported::kOperators)) throw Error(inQuotes(target) + " is not an operator");
            return !isForeign(operatorName(target.substr(exported::kOperators.size())));
        });
}

}  // namespace

bool holdsExportedProgram(const ZipArchive& archive) {
    return !modelNames(archive).empty() || archive.contains("serialized_exported_program.json");
}

bool isExportedArchive(const ZipArchive& archive) {
    return holdsExportedProgram(archive) || (archive.contains("archive_format") && !archive.contains("data.pkl"));
}

void loadExported(const std::shared_ptr<MappedFile>& file, const ZipArchive& archive, const LoadSettings& settings,
                  Model& model) {
    requireKnownFormat(archive);
    const std::string name = chosenModel(archive, settings.modelName);
    const std::string record = std::string(kModels) + name + std::string(kJson);
    const Document document = documentIn(archive, record);
    if (document.minor > exported::kSchemaMinor)
        model.fellBack.push_back("the file's schema 8." + std::to_string(document.minor) +
                                 " is newer than 8.20, the newest known here; its new fields are ignored");
    OperatorJudge judge(settings.allow);
    judgeNodes(document.graph, judge);
    judge.require("cannot open '" + model.path + "'");
    std::optional<TensorsByName> given;
    if (!settings.weights.empty()) given = readTensors(settings.weights);
    auto weights = std::make_unique<ExportedWeights>(file, archive, document, name, given ? &*given : nullptr);
    if (weights->emptyCount() > 0)
        model.fellBack.push_back(emptyWeightsWarning(weights->emptyCount(), weights->state().size()));
    auto program = std::make_shared<ExportedProgram>(document, std::move(weights),
                                                     ForeignOperators(document, settings.definitions, settings.allow),
                                                     settings.device);
    model.whyNotRun = program->whyNotRun();
    model.kind = kExportedKind;
    model.warnings.insert(model.warnings.end(), program->warnings().begin(), program->warnings().end());
    model.fellBack.insert(model.fellBack.end(), program->unknownOperators().begin(), program->unknownOperators().end());
    addInputs(archive, name, document, *program, model);
    model.dynamicDimensions = dynamicDimensions(document);
    model.program = std::move(program);
}

}  // namespace aotscope
