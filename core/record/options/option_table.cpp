#include "record/options/option_table.h"

#include "record/options/option_member.h"
#include "record/options/option_needs.h"
#include "record/options/option_setters.h"
#include "record/options/option_values.h"
#include "support/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace aotscope {

namespace {

constexpr auto kCompilers = &Options::compilers;

std::vector<OptionEntry> modelOptions() {
    return {
        {.flag = "MODEL",
         .help = "a torch.export file (.pt2), a TorchScript file (.pt), a built-in model (sample:NAME, see 'aotscope "
                 "samples'), a saved session (.aotscope), a file or folder of graphs printed by Python (TORCH_LOGS, "
                 "TORCH_TRACE, print_readable), TorchScript code (script:CODE, or --code), or one of those on another "
                 "machine (ssh://HOST/PATH)",
         .scope = OptionScope::run,
         .session = "model",
         .report = "model",
         .field = memberAt<&Options::model>},
        {.flag = "--remote-command",
         .value = "COMMAND",
         .help = "command that reaches the machine of the model instead of ssh, as in 'docker exec -i NAME'; may end "
                 "with the path of aotscope there",
         .scope = OptionScope::run,
         .set = takeRemoteCommand},
        {.flag = "--torch",
         .value = "VERSION|FOLDER",
         .help =
             "the torch that the model runs with: a version that there is an engine for, as in 2.15, or the folder of "
             "a torch package, of a virtual environment that has one, or of an engine",
         .scope = OptionScope::run,
         .label = "Torch",
         .field = memberAt<&Options::torch>,
         .needs = needsThisMachine},
        {.flag = "--model-name",
         .value = "NAME",
         .help = "model to open if a .pt2 file contains several",
         .session = "modelName",
         .label = "Model Name",
         .field = memberAt<&Options::modelName>,
         .needs = needsExportedFile},
        {.flag = "--method",
         .value = "NAME",
         .help = "the method of a TorchScript module to run instead of forward",
         .session = "method",
         .report = "method",
         .label = "Method",
         .field = memberAt<&Options::method>,
         .needs = needsTorchScript},
        {.flag = "--weights",
         .value = "FILE",
         .help = "load the weights of a .pt2 file, by name, from this file: .safetensors, or written by torch.save",
         .session = "weights",
         .label = "Weights",
         .field = memberAt<&Options::weights>,
         .needs = needsExportedFile},
        {.flag = "--define",
         .value = "FILE.py",
         .help = "TorchScript functions that implement unregistered operators: NAMESPACE__NAME, its shapes in "
                 "NAMESPACE__NAME__fake, its gradient in NAMESPACE__NAME__backward",
         .session = "definitions",
         .label = "Definitions",
         .field = memberAt<&Options::definitions>,
         .needs = needsExportedFile},
        {.flag = "--library",
         .value = "FILE.so",
         .help = "load a shared library that registers operators",
         .scope = OptionScope::run,
         .values = OptionValues::repeated,
         .field = memberAt<&Options::libraries>},
        {.flag = "--allow",
         .value = "KIND",
         .help = allowHelp(),
         .scope = OptionScope::run,
         .values = OptionValues::repeated,
         .set = allowKinds},
        {.flag = "--inputs",
         .value = "FILE",
         .help =
             "example inputs: an input spec (.json, or a pipe), tensors (.pt of torch.save, .npy, .safetensors), or "
             "types: 'f32[4, 5] grad, i64[3] = randint(0, 10)'",
         .report = "inputs",
         .set = takeInputs,
         .get = inputsJson},
        {.flag = {}, .session = "inputFolder", .field = memberAt<&Options::inputFolder>},
        {.flag = "--device",
         .value = "DEVICE",
         .help = "device to trace for and run on: cpu, cuda or cuda:N; with no GPU present, a simulated GPU is used "
                 "for tracing",
         .session = "device",
         .report = "device",
         .label = "Device",
         .ofExecution = true,
         .field = memberAt<&Options::device>,
         .set = takeDevice},
        {.flag = "--cuda-graphs",
         .help = "with --device cuda: after two runs, capture forward and backward as one CUDA graph each and replay "
                 "them",
         .session = "deviceGraphs",
         .label = "CUDA Graphs",
         .ofExecution = true,
         .field = memberAt<&Options::deviceGraphs>,
         .needs = needsCuda},
        {.flag = "--mode",
         .help = "mode of the modules, used by batch norm and dropout: as saved in a TorchScript file, or all in "
                 "training or evaluation mode (an exported program has only one)",
         .session = "mode",
         .report = "mode",
         .label = "Mode",
         .field = memberAt<&Options::mode>},
        {.flag = "--autocast",
         .help = "run forward and backward of the model under autocast for this device type and dtype",
         .session = "autocast",
         .report = "autocast",
         .label = "Autocast",
         .field = memberAt<&Options::autocast>},
        {.flag = "--inference",
         .help = "trace without gradients: one inference graph",
         .session = "inference",
         .report = "inference",
         .label = "Inference",
         .field = memberAt<&Options::inference>},
        {.flag = "--compile-id",
         .value = "ID",
         .help = "which compilation of a log or folder of printed graphs to show",
         .see = "aotscope compiles",
         .session = "compileId",
         .field = memberAt<&Options::compileId>},
    };
}

std::vector<OptionEntry> tracingOptions() {
    return {
        {.flag = "--decompose",
         .value = "TABLE",
         .help = "decompose operations of the joint or inference graph into simpler ones: none, core-aten, inductor, "
                 "prims, or a JSON file",
         .see = "aotscope ops --decompose",
         .report = "decompose",
         .label = "Decompose",
         .set = takeDecompositions,
         .get = decompositionsJson},
        {.flag = "--dialect",
         .help = "which operations the graphs contain: python decomposes dropout, upsampling, recurrent layers and "
                 "others before autograd, libtorch keeps them",
         .see = "aotscope ops --before-autograd",
         .session = "dialect",
         .report = "dialect",
         .label = "Dialect",
         .field = memberAt<&Options::dialect>},
        {.flag = "--keep-input-mutations",
         .help = "write mutated inputs back inside the graph with copy_, where neither autograd nor a shape depends "
                 "on it, instead of after the graph has run",
         .session = "keepInputMutations",
         .report = "keep_input_mutations",
         .label = "Keep Input Mutations",
         .field = memberAt<&Options::keepInputMutations>},
        {.flag = "--dynamic",
         .value = "NAME=MIN..MAX",
         .help = "make a size dynamic: a dimension's name in the input spec, a symbol of the file, INPUT.DIMENSION, or "
                 "an integer input, as in batch=2..64 or x.0=2..; all: every size other than 0 and 1",
         .session = "dynamic",
         .report = "dynamic",
         .label = "Dynamic",
         .values = OptionValues::repeated,
         .field = memberAt<&Options::dynamic>},
        {.flag = "--static-shapes",
         .help = "make every size static, whatever the input spec and the file say",
         .session = "staticShapes",
         .report = "static_shapes",
         .label = "Static Shapes",
         .field = memberAt<&Options::staticShapes>},
        {.flag = "--seed",
         .value = "N",
         .help = "seed of random inputs, and of random operations in a check",
         .session = "seed",
         .report = "seed",
         .label = "Seed",
         .ofExecution = true,
         .field = memberAt<&Options::seed>},
    };
}

std::vector<OptionEntry> compilerOptions() {
    return {
        {.flag = "--compiler",
         .value = "NAME",
         .help = "compiler of the forward graph, and of the others unless theirs is set",
         .see = "aotscope compilers",
         .session = "compilers.forward",
         .report = "compiler",
         .label = "Compiler",
         .ofExecution = true,
         .field = memberAt<kCompilers, &CompilerChoice::forward>},
        {.flag = "--backward-compiler",
         .value = "NAME",
         .help = "compiler of the backward graph; default: that of the forward graph",
         .session = "compilers.backward",
         .report = "backward_compiler",
         .label = "Backward Compiler",
         .ofExecution = true,
         .field = memberAt<kCompilers, &CompilerChoice::backward>,
         .get = backwardCompiler,
         .needs = needsBackward},
        {.flag = "--inference-compiler",
         .value = "NAME",
         .help = "compiler of the inference graph; default: that of --compiler",
         .session = "compilers.inference",
         .report = "inference_compiler",
         .label = "Inference Compiler",
         .ofExecution = true,
         .field = memberAt<kCompilers, &CompilerChoice::inference>,
         .get = inferenceCompiler,
         .needs = needsInference},
        {.flag = "--compiler-option",
         .value = "NAME.KEY=VALUE",
         .help = "change a setting of a compiler",
         .see = "aotscope compilers",
         .session = "compilers.settings",
         .report = "compiler_options",
         .label = "Compiler Settings",
         .ofExecution = true,
         .values = OptionValues::repeated,
         .field = memberAt<kCompilers, &CompilerChoice::settings>,
         .set = takeSettings},
        {.flag = "--plugin",
         .value = "FILE.so",
         .help = "load a shared library that adds a compiler",
         .scope = OptionScope::run,
         .values = OptionValues::repeated,
         .field = memberAt<kCompilers, &CompilerChoice::plugins>},
        {.flag = "--recompile-limit",
         .value = "N",
         .help = "how often to recompile for inputs that fail the guards; 0 makes such inputs an error",
         .session = "recompileLimit",
         .report = "recompile_limit",
         .label = "Recompile Limit",
         .most = 1'000'000,
         .field = memberAt<&Options::recompileLimit>},
    };
}

std::vector<OptionEntry> runOptions() {
    constexpr auto scope = OptionScope::run;
    return {
        {.flag = "--time-limit",
         .value = "SECONDS",
         .help = "CPU time for loading the model and for each run of its code while tracing; default: 3 s plus 0.3 s "
                 "per MB of files and inputs",
         .scope = scope,
         .least = 0.001,
         .most = 1e9,
         .set = takeTimeLimit},
        {.flag = "--memory-limit",
         .value = "SIZE",
         .help = "memory that loading and tracing may add, for example 2GB; default: 256 MB plus 8 times the size of "
                 "the files plus 64 times that of the inputs",
         .scope = scope,
         .set = takeMemoryLimit},
        {.flag = "--strict",
         .help = "report an error instead of replacing or skipping anything: another compiler, an operator without a "
                 "shape rule or a kernel, a comparison that cannot be made",
         .scope = scope,
         .session = "strict",
         .report = "strict",
         .label = "Strict",
         .ofExecution = true,
         .field = memberAt<&Options::strict>},
        {.flag = "--verify",
         .help = "check graph invariants after every pass",
         .scope = scope,
         .session = "verify",
         .label = "Verify Graphs",
         .field = memberAt<&Options::verify>},
        {.flag = "--cross-check-fake",
         .help = "while tracing, also run the real kernel of every operation, and compare shapes, strides and aliasing",
         .commands = "run passes",
         .session = "crossCheckFake",
         .label = "Cross-Check Fake Kernels",
         .field = memberAt<&Options::crossCheckFake>},
        {.flag = "--at",
         .value = "NAME=SIZE,...",
         .help = "with --check: also check at these sizes; default: four within the range",
         .commands = "run",
         .session = "checkSizes",
         .label = "Check At",
         .values = OptionValues::repeated,
         .field = memberAt<&Options::checkSizes>},
    };
}

std::vector<OptionEntry> allOptions() {
    std::vector<OptionEntry> all;
    const auto add = [&all](std::string_view group, std::vector<OptionEntry> entries) {
        for (OptionEntry& entry : entries) {
            entry.group = group;
            all.push_back(entry);
        }
    };
    add("Model", modelOptions());
    add("Tracing", tracingOptions());
    add("Partition", partitionOptions());
    add("Compilers", compilerOptions());
    add("Ranks", rankOptions());
    add("Checks", runOptions());
    return all;
}

}  // namespace

bool OptionEntry::isFlag() const { return name().starts_with("--") && value.empty() && optionChoices(*this).empty(); }

std::span<const OptionEntry> optionTable() {
    static const std::vector<OptionEntry> table = allOptions();
    return table;
}

const OptionEntry& optionNamed(std::string_view name) {
    const auto table = optionTable();
    const auto entry = std::ranges::find(table, name, &OptionEntry::name);
    check(entry != table.end(), "there is no such option");
    return *entry;
}

}  // namespace aotscope
