#include "load/model.h"

#include "load/exported/model.h"
#include "load/pickle/foreign_file.h"
#include "load/samples.h"
#include "load/torchscript/script_model.h"
#include "record/model_kind.h"
#include "support/error.h"
#include "support/mapped_file.h"
#include "support/text_encoding.h"

#include <torch/csrc/jit/api/module.h>

#include <optional>

namespace aotscope {

namespace {

void loadSample(const std::string& name, ModuleMode mode, const std::string& method, Model& model) {
    const SampleInfo& sample = findSample(name);
    model.name = sample.name;
    model.kind = "sample";
    model.sampleSpec = parseInputSpec(sample.inputSpec, "sample '" + sample.name + "'");
    model.program = programOf(sample, mode, method);
}

void loadTorchScript(const std::shared_ptr<MappedFile>& file, ModuleMode mode, const LoadSettings& settings,
                     Model& model) {
    model.kind = "torchscript";
    torch::jit::Module module = readTorchScript(file, settings.allow);
    const std::string what = "cannot open '" + file->path().string() + "': ";
    try {
        model.recordedInputs = tracedInputs(file, settings.method);
        if (!model.recordedInputs.empty())
            model.warnings.emplace_back(
                "the file has the shapes of its example inputs, not their values: floating-point numbers are random "
                "and integers zero here; give others with --inputs");
        model.program = programOf(module, mode, settings.method, settings.device);
    } catch (const UsageError& e) {
        throw UsageError(what + e.what());
    } catch (const Error& e) {
        throw Error(what + e.what());
    } catch (const std::exception& e) {
        throw Error(what + "the TorchScript archive is damaged (" + firstSentence(e.what()) +
                    "); save the model again");
    }
}

/// Loads the model if `file` was saved by torch.export; otherwise returns false.
bool loadIfExported(const std::shared_ptr<MappedFile>& file, const LoadSettings& settings, Model& model) {
    const bool claimed = file->path().extension() == ".pt2";
    try {
        std::optional<ZipArchive> archive;
        try {
            archive.emplace(file->text());
        } catch (const Error& e) {
            if (!claimed) return false;
            const std::string what = describeForeignFile(*file);
            throw Error(!what.empty()
                            ? what
                            : std::string("the zip archive is damaged (") + e.what() + "); save the model again");
        }
        if (!claimed && !isExportedArchive(*archive)) return false;
        if (!holdsExportedProgram(*archive))
            if (const std::string what = describeForeignFile(*file); !what.empty()) throw Error(what);
        loadExported(file, *archive, settings, model);
        return true;
    } catch (const OperatorsRefused&) {
        throw;
    } catch (const std::exception& e) {
        const std::string why = firstSentence(e.what()), name = "'" + file->path().string() + "'";
        throw Error(why.starts_with("cannot read " + name) ? why : "cannot open " + name + ": " + why);
    }
}

}  // namespace

Model loadModel(const std::string& where, ModuleMode mode, const LoadSettings& settings) {
    Model model;
    model.path = where;
    const std::filesystem::path path(where);
    model.name = path.stem().string();
    const auto file = namesFile(where) ? MappedFile::open(path) : nullptr;
    if (file && loadIfExported(file, settings, model)) {
        if (settings.method != LoadSettings().method)
            throw UsageError("'" + where +
                             "' is an exported program, which has no methods; --method is for TorchScript files");
        return model;
    }
    if (!settings.weights.empty() || !settings.modelName.empty() || !settings.definitions.empty())
        throw UsageError((isScript(where) ? "the code" : "'" + where + "'") +
                         " is not an exported program (.pt2); --weights, --model-name and --define are for these");
    if (isScript(where)) loadScript(where.substr(kScriptPrefix.size()), mode, settings, model);
    else if (file && path.extension() == ".py") loadScript(toUtf8(file->text()), mode, settings, model);
    else if (!file) loadSample(where.substr(kSamplePrefix.size()), mode, settings.method, model);
    else loadTorchScript(file, mode, settings, model);
    return model;
}

}  // namespace aotscope
