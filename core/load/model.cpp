#include "load/model.h"

#include "load/samples.h"
#include "support/error.h"

namespace aotscope {

Model loadModel(const std::string& where, ModuleMode mode) {
    constexpr std::string_view prefix = "sample:";
    Model model;
    model.path = where;
    if (where.starts_with(prefix)) {
        const Sample& sample = findSample(where.substr(prefix.size()));
        model.name = sample.name;
        model.kind = "sample";
        model.sampleSpec = parseInputSpec(sample.inputSpec, "sample '" + sample.name + "'");
        model.program = programOf(sample.build(), mode);
        return model;
    }
    const std::filesystem::path path(where);
    model.name = path.stem().string();
    model.kind = "torchscript";
    const std::string what = "cannot open '" + path.string() + "': ";
    torch::jit::Module module = readTorchScript(path);
    try {
        model.recordedInputs = tracedInputs(path);
        model.program = programOf(std::move(module), mode);
    } catch (const Error& e) {
        throw Error(what + e.what());
    } catch (const std::exception& e) {
        throw Error(what + "the TorchScript archive is damaged (" + firstSentence(e.what()) +
                    "); save the model again");
    }
    return model;
}

}  // namespace aotscope
