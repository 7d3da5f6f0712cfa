#include "cli/command_line.h"

#include "cli/command_files.h"
#include "cli/compiler_flags.h"
#include "cli/partition_flags.h"
#include "cli/session_flags.h"
#include "cli/train_command.h"
#include "controllers/size_options.h"
#include "device/device.h"
#include "export/export_graph.h"
#include "ops/decomposition_table.h"
#include "record/compile_record.h"
#include "support/confinement.h"
#include "support/error.h"
#include "support/input_file.h"

#include <CLI/CLI.hpp>

namespace aotscope {

namespace {

/// Options as they are typed, before they are checked.
struct Raw {
    std::string model, modelName, weights, compileId, inputs, device = "cpu", mode = "train", partition = "min-cut",
                                                              decompose = "none";
    bool inference = false, staticParameters = false, keepInputMutations = false, verify = Options{}.verify,
         debug = false;
    bool staticShapes = false, crossCheckFake = false, deviceGraphs = false;
    std::vector<std::string> dynamic, sizes;
    std::size_t recompileLimit = Options{}.recompileLimit;
    std::uint64_t seed = 0;
    std::vector<std::string> libraries, allowed;
    double timeLimit = 0;
    std::string memoryLimit;
    PartitionFlags partitioning;
    CompilerFlags compilers;
};

const std::map<std::string, ModuleMode> kModes = {{"train", ModuleMode::train}, {"eval", ModuleMode::eval}};
const std::map<std::string, PartitionAlgorithm> kPartitions = {{"default", PartitionAlgorithm::standard},
                                                               {"min-cut", PartitionAlgorithm::minCut}};

std::vector<std::string> allowNames() {
    std::vector<std::string> names;
    for (const AllowableKind& kind : allowableKinds()) names.emplace_back(kind.name);
    return names;
}

std::string allowHelp() {
    std::string help = "let the model's operators do more than compute (repeatable); KIND is";
    for (const AllowableKind& kind : allowableKinds())
        help += (kind.kind == allowableKinds().front().kind ? " " : "; ") + std::string(kind.name) + ": " +
                std::string(kind.help);
    return help;
}

void addModelOptions(CLI::App& app, Raw& raw, bool modelRequired) {
    auto* model = app.add_option(
        "MODEL", raw.model,
        "a file of torch.export (.pt2) or TorchScript (.pt), sample:NAME (see 'aotscope samples'), a saved session "
        "(.aotscope), or a file of graphs that Python printed (TORCH_LOGS, TORCH_TRACE, print_readable)");
    if (modelRequired) model->required();
    app.add_option("--model-name", raw.modelName, "which of several models in one .pt2 file")->type_name("NAME");
    app.add_option("--weights", raw.weights, "weights by name for a .pt2 file: .safetensors, or saved by torch.save")
        ->type_name("FILE");
    app.add_option("--library", raw.libraries, "a shared library that registers operators; may be given again")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    app.add_option("--allow", raw.allowed, allowHelp())
        ->type_name("KIND")
        ->check(CLI::IsMember(allowNames()))
        ->allow_extra_args(false);
    app.add_option(
           "--inputs", raw.inputs,
           "example inputs: an input spec (.json, or a pipe) or tensors (.pt of torch.save, .npy, .safetensors)")
        ->type_name("FILE");
    app.add_option("--device", raw.device,
                   "where to trace and run: cpu, cuda or cuda:N; without a GPU a stand-in is traced for")
        ->type_name("DEVICE")
        ->capture_default_str();
    app.add_flag("--cuda-graphs", raw.deviceGraphs,
                 "with --device cuda: capture forward and backward after two runs, and replay each as one CUDA graph");
    app.add_option("--mode", raw.mode, "mode of the modules")->check(CLI::IsMember(kModes))->capture_default_str();
    app.add_flag("--inference", raw.inference, "no gradients: one inference graph");
    app.add_option("--compile-id", raw.compileId,
                   "of a log of printed graphs, the compilation to show (see 'aotscope compiles')")
        ->type_name("ID");
    app.add_option("--decompose", raw.decompose,
                   "replace operations of the joint or inference graph by simpler ones: none, core-aten, inductor, "
                   "prims, or a JSON file (see 'aotscope ops --decompose')")
        ->type_name("TABLE")
        ->capture_default_str();
    app.add_option("--partition", raw.partition, "how to split the joint graph (again, if it was printed)")
        ->check(CLI::IsMember(kPartitions))
        ->capture_default_str();
    app.add_flag("--static-params", raw.staticParameters,
                 "parameters and buffers stay in memory anyway: saving them is free (min-cut)");
    addPartitionFlags(app, raw.partitioning);
    addCompilerFlags(app, raw.compilers);
    app.add_flag("--keep-input-mutations", raw.keepInputMutations,
                 "write mutated inputs back inside the graph (copy_), where neither autograd nor a shape sees it");
    app.add_option(
           "--dynamic", raw.dynamic,
           "a size that may vary: a dimension's name in the input spec, a symbol of the file, or INPUT.DIMENSION "
           "(repeatable), for example batch=2..64 or x.0=2..")
        ->type_name("NAME=MIN..MAX")
        ->allow_extra_args(false);
    app.add_flag("--static-shapes", raw.staticShapes, "no size varies, whatever the input spec and the file say")
        ->excludes("--dynamic");
    app.add_option("--recompile-limit", raw.recompileLimit,
                   "compilations for inputs that do not fit the first one; 0: such inputs are an error")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str();
    app.add_option("--seed", raw.seed, "seed of random inputs and of random operations while checking")
        ->capture_default_str();
    app.add_option(
           "--time-limit", raw.timeLimit,
           "CPU time for loading the model, and for each run of its code while tracing; default: 3 s, and 0.1 s "
           "for each MB of the files and inputs")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.001, 1e9));
    app.add_option(
           "--memory-limit", raw.memoryLimit,
           "memory that loading and tracing may add, as 2GB; default: 256 MB, 8 times the size of the files and 64 "
           "times that of the inputs")
        ->type_name("SIZE");
    app.add_flag("--debug", raw.debug, "let errors end in a dump of the stack, and show LibTorch's log");
    app.add_flag("--verify", raw.verify, "check the invariants of every graph after every pass");
}

void addCrossCheck(CLI::App& app, Raw& raw) {
    app.add_flag("--cross-check-fake", raw.crossCheckFake,
                 "while tracing, run every operation's real kernel, too, and compare shapes, strides and aliasing");
}

#ifdef AOTSCOPE_GUI
CLI::Option* addDepth(CLI::App& app, PictureStyle& picture) {
    return app
        .add_option("--depth", picture.depth,
                    "close the modules of a picture from this depth on: 1 leaves the outermost ones as boxes; "
                    "default: everything is open")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
}
#endif

std::string helpExample(const std::string& example) { return "\nExample:\n  " + example + "\n"; }

/// By its name: "x.safetensors:NAME" is one of the tensors in a file.
bool isTensorFile(const std::filesystem::path& path) {
    const auto extension = path.extension();
    return extension == ".pt" || extension == ".npy" || extension == ".safetensors" ||
           path.filename().string().find(".safetensors:") != std::string::npos;
}

Options checkedOptions(const Raw& raw) {
    Options options;
    options.model = raw.model;
    options.modelName = raw.modelName;
    options.weights = raw.weights;
    options.libraries.assign(raw.libraries.begin(), raw.libraries.end());
    for (const std::string& kind : raw.allowed) options.allow.add(*allowableKind(kind));
    options.device = deviceFromName(raw.device);
    if (raw.deviceGraphs && options.device == "cpu") throw UsageError("--cuda-graphs: give --device cuda, too");
    options.deviceGraphs = raw.deviceGraphs;
    options.mode = kModes.at(raw.mode);
    options.partition.algorithm = kPartitions.at(raw.partition);
    options.decompositions = DecompositionTable::load(raw.decompose);
    options.compileId = raw.compileId;
    options.inference = raw.inference;
    options.partition.cut.staticParameters = raw.staticParameters;
    applyPartitionFlags(raw.partitioning, options.partition);
    options.compilers = chosenCompilers(raw.compilers);
    options.keepInputMutations = raw.keepInputMutations;
    options.seed = raw.seed;
    options.limits.seconds = raw.timeLimit;
    if (!raw.memoryLimit.empty()) options.limits.bytes = parseMemory(raw.memoryLimit);
    options.staticShapes = raw.staticShapes;
    options.recompileLimit = raw.recompileLimit;
    for (const auto& text : raw.dynamic) options.dynamic.push_back(parseDynamicRange(text));
    for (const auto& text : raw.sizes) options.checkSizes.push_back(parseSizes(text));
    options.verify = raw.verify;
    options.crossCheckFake = raw.crossCheckFake;
    if (raw.inputs.empty()) return options;
    const std::filesystem::path path(raw.inputs);
    options.inputFolder = path.parent_path();
    // "<(command)" has no ending.
    if (path.extension() == ".json" || specialFileAt(path) == "a FIFO") options.inputs = readInputSpec(path);
    else if (isTensorFile(path)) options.inputs = path;
    else
        throw UsageError("--inputs " + raw.inputs +
                         ": a .json input spec or a .pt, .npy or .safetensors file of tensors is expected");
    return options;
}

}  // namespace

namespace {

/// The options of this run, but for those that `text` gives.
Options variantOptions(Raw raw, const std::string& text) {
    CLI::App app;
    app.set_help_flag();
    addModelOptions(app, raw, false);
    try {
        app.parse(text);
    } catch (const CLI::ParseError& e) {
        throw UsageError("--against \"" + text + "\": " + e.what() + "; options of 'aotscope run' are expected");
    }
    Options options = checkedOptions(raw);
    adaptToSessionFile(app, options);
    return options;
}

}  // namespace

std::variant<Command, int> parseCommandLine(int argc, char** argv) {
    CLI::App app{
        "aotscope runs PyTorch's AOTAutograd pipeline in C++ and shows every step of it.\nWithout a subcommand it "
        "opens the window.",
        "aotscope"};
    app.set_version_flag("--version", [] { return std::string(AOTSCOPE_VERSION) + "\n" + confinementText(); });
    app.footer(helpExample("aotscope sample:resnet18"));
    Raw raw;
    Command command;
    addModelOptions(app, raw, false);

    auto* run = app.add_subcommand("run", "compile a model; check, time and report it");
    addModelOptions(*run, raw, true);
    run->add_flag("--check", command.check, "compare with eager: outputs, gradients, inputs afterwards, aliasing");
    run->add_flag("--bisect", command.bisect,
                  "with --check: name the first pass, and the first node, whose values are not eager's")
        ->needs("--check");
    addCrossCheck(*run, raw);
    run->add_option("--at", raw.sizes,
                    "with --check: also run at these sizes (repeatable); default: four within the range")
        ->type_name("NAME=SIZE,...")
        ->allow_extra_args(false)
        ->needs("--check");
    run->add_option("--time", command.timeIterations, "time eager and compiled N times in turn, and every step")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000));
    run->add_option("--warm-up", command.warmUps, "with --time: run everything that often before, not counted")
        ->type_name("W")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str()
        ->needs("--time");
    run->add_option(
           "--against", command.againstText,
           "with --time: also run the same model with these options in their place, in turn with this one, and "
           "give the ratio of their times with its confidence interval")
        ->type_name("\"OPTIONS\"")
        ->needs("--time");
    run->add_option("--trace", command.trace, "write the times as a Chrome trace, which Perfetto opens")
        ->type_name("FILE.json");
    run->add_option("--csv", command.csv, "write the times of all steps as a table")->type_name("FILE.csv");
    run->add_option("--report", command.report, "write everything as JSON")->type_name("FILE.json");
    addSaveFlags(*run, command);
    run->footer(
        helpExample("aotscope run sample:resnet18 --check --time 10 --report report.json\n  aotscope run "
                    "sample:resnet18 --time 20 --against \"--partition default\" --trace trace.json"));

    auto* exporting = app.add_subcommand("export", "write a picture or text of one graph");
    addModelOptions(*exporting, raw, true);
    std::string graphs;
    for (int i = 0; i < kGraphKinds; ++i) graphs += (i ? ", " : "") + std::string(name(static_cast<GraphKind>(i)));
    exporting->add_option("--graph", command.graph, "one of " + graphs)->capture_default_str();
    exporting
        ->add_option("--format", command.format,
                     "default: the ending of FILE; pt: a module for torch.jit.load, jit: its text")
        ->check(CLI::IsMember(exportFormats()));
#ifdef AOTSCOPE_GUI
    exporting
        ->add_option(
            "--colour", command.picture.colour,
            "what the colours of a picture tell: part (forward, backward, recomputed), family of the "
            "operations, mutation and aliasing, fate (saved, recomputed, neither), dtype, module, bytes, live memory "
            "while it runs, estimated time, age (the pass that made the node), or kernel (which nodes one kernel "
            "computes together); default: part")
        ->check(CLI::IsMember(
            {"part", "family", "mutation", "fate", "dtype", "module", "bytes", "live", "estimated", "age", "kernel"}));
    exporting
        ->add_option("--overlay", command.picture.overlay,
                     "colour a picture by values of nodes: {\"mm\": 3.5, \"relu_1\": \"slow\"}, or by graph")
        ->type_name("FILE.json")
        ->excludes("--colour");
    addDepth(*exporting, command.picture);
#endif
    exporting->add_option("-o,--output", command.output, "the file to write")->type_name("FILE")->required();
    exporting->footer(helpExample("aotscope export sample:resnet50 --graph joint -o joint.svg"));

    auto* passes = app.add_subcommand("passes", "table of the passes: operations before and after, changed, ms");
    addModelOptions(*passes, raw, true);
    addCrossCheck(*passes, raw);
    passes->footer(helpExample("aotscope passes sample:gpt2"));

    auto* partition = app.add_subcommand("partition", "what is saved for backward, what is recomputed, and why");
    addModelOptions(*partition, raw, true);
    std::string partitionReport;
    auto* wantsReport = partition
                            ->add_option("--report", partitionReport,
                                         "write everything as JSON; without a file: print it instead of the tables")
                            ->type_name("[FILE.json]")
                            ->expected(0, 1);
    partition->footer(helpExample("aotscope partition sample:gpt2 --budget 0.3 --report partition.json"));

    auto* pareto = app.add_subcommand("pareto", "memory against time over memory budgets: table, chart or JSON");
    addModelOptions(*pareto, raw, true);
    std::string paretoReport;
    pareto->add_option("--points", command.points, "how many budgets, at equal distances from 0 to 1")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    pareto->add_flag("--measure", command.measure, "run each partition, too: its time and the peak of its allocations");
    pareto->add_option("--svg", command.output, "draw a chart")->type_name("FILE.svg");
    auto* wantsPoints =
        pareto->add_option("--json", paretoReport, "write the points as JSON; without a file: print them")
            ->type_name("[FILE.json]")
            ->expected(0, 1);
    pareto->footer(helpExample("aotscope pareto sample:gpt2 --svg pareto.svg"));

    auto* train = app.add_subcommand("train", "train a model, eagerly and compiled: losses, steps per second, memory");
    addModelOptions(*train, raw, true);
    addTrainFlags(*train, command);
    train->footer(helpExample("aotscope train sample:mlp --steps 1000 --lr 0.01"));

    auto* diff = app.add_subcommand("diff", "what distinguishes two models, two reports or two passes");
    addModelOptions(*diff, raw, true);
    diff->add_option("OTHER", command.other, "the other model, or the other report (.json)");
    std::string passRange;
    auto* wantsPasses =
        diff->add_option("--passes", passRange,
                         "compare the graphs of two passes of MODEL instead; FROM and TO: a pass (see 'aotscope "
                         "passes'), or forward, backward")
            ->type_name("FROM..TO")
            ->excludes("OTHER");
    diff->add_option("--graph", command.onlyGraph,
                     "compare the operations of this graph only: one of " + graphs +
                         "; a picture is of this one, else of the joint graph")
        ->excludes("--passes");
    diff->add_option("-o,--output", command.output,
                     "also draw both graphs as one picture, with what is added, removed, changed, moved")
        ->type_name("FILE.svg|png|pdf|html");
#ifdef AOTSCOPE_GUI
    addDepth(*diff, command.picture)->needs("--output");
#endif
    diff->add_flag("--json", command.json, "as JSON");
    diff->add_flag("--fail-on-change", command.failOnChange, "exit with code 3 if there is a difference");
    diff->footer(helpExample("aotscope diff before.json after.json --fail-on-change") +
                 "  aotscope diff sample:gpt2 --passes functional..joint --depth 2 -o difference.html\n");

    auto* debugging = app.add_subcommand(
        "debug", "run the compiled graphs node by node, to where a value is wrong or a condition holds");
    addModelOptions(*debugging, raw, true);
    addDebugFlags(*debugging, command.script);
    debugging->add_flag("--json", command.json, "as JSON");
    debugging->footer(helpExample("aotscope debug sample:gpt2-tiny --break 'op:mm and absmax>10' --watch tokens"));

    auto* compiles = app.add_subcommand("compiles", "list the compilations in a log of printed graphs");
    compiles->add_option("LOG", raw.model, "a file written with TORCH_LOGS, TORCH_TRACE or print_readable")->required();
    compiles->footer(helpExample("aotscope compiles dedicated_log_torch_trace_rank_0.log"));

    auto* samples = app.add_subcommand("samples", "list the built-in models");
    samples->footer(helpExample("aotscope samples"));

    auto* compilers = app.add_subcommand("compilers", "list what can make graphs executable, and its settings");
    addPluginFlag(*compilers, raw.compilers);
    compilers->footer(helpExample("aotscope compilers --plugin ./libmine.so"));

    auto* ops = app.add_subcommand("ops", "list the operators: family, tags, how each one is traced");
    ops->add_option("PATTERN", command.pattern, "only operators whose names contain this");
    ops->add_option("--decompose", raw.decompose, "list what this table decomposes instead, and by which rule")
        ->type_name("TABLE");
    ops->add_flag("--json", command.json, "as JSON");
    ops->add_flag("--uncovered", command.uncovered, "only operators for whose shapes a real kernel has to run");
    ops->footer(helpExample("aotscope ops pool2d"));

    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
        return app.exit(e);
    } catch (const CLI::CallForVersion& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        throw UsageError(e.what() + std::string("; see 'aotscope --help'"));
    }
    using Kind = Command::Kind;
    command.kind = *run         ? Kind::run
                   : *exporting ? Kind::exportGraph
                   : *passes    ? Kind::passes
                   : *samples   ? Kind::samples
                   : *compiles  ? Kind::compiles
                   : *compilers ? Kind::compilers
                   : *ops       ? Kind::ops
                   : *partition ? Kind::partition
                   : *diff      ? Kind::diff
                   : *pareto    ? Kind::pareto
                   : *debugging ? Kind::debug
                   : *train     ? Kind::train
                                : Kind::window;
    takeSessionFile(command, raw.partitioning.save);
    command.options = checkedOptions(raw);
    for (const CLI::App* level : {static_cast<const CLI::App*>(&app), static_cast<const CLI::App*>(run),
                                  static_cast<const CLI::App*>(exporting), static_cast<const CLI::App*>(passes),
                                  static_cast<const CLI::App*>(partition), static_cast<const CLI::App*>(diff),
                                  static_cast<const CLI::App*>(pareto), static_cast<const CLI::App*>(debugging),
                                  static_cast<const CLI::App*>(train)})
        command.options.splitAgain = command.options.splitAgain || level->count("--partition") > 0;
    for (const CLI::App* level : {run, exporting, passes, partition, pareto, debugging, train})
        if (*level) adaptToSessionFile(*level, command.options);
    std::vector<NamedFile> read = filesRead(command.options);
    read.insert(read.end(), {{"--inputs", raw.inputs},
                             {"--overlay", command.picture.overlay},
                             {"OTHER", command.other},
                             {"--against", command.script.against},
                             {"--data", command.training.data}});
    if (run->count("--against") > 0) {
        command.against = variantOptions(raw, command.againstText);
        for (NamedFile& file : filesRead(*command.against)) read.push_back(std::move(file));
    }
    command.choosesCompiler = app.count("--compiler") > 0;
    command.debug = raw.debug;
    if (*wantsPoints) command.report = paretoReport.empty() ? "-" : paretoReport;
    if (*wantsReport) command.report = partitionReport.empty() ? "-" : partitionReport;
    if (*wantsPasses) command.passes = parsePassRange(passRange);
    const std::string report = command.kind == Kind::pareto ? "--json" : "--report";
    requireSeparateFiles(read, {{report, command.report == "-" ? "" : command.report},
                                {"--trace", command.trace},
                                {"--csv", command.csv},
                                {"--save", command.save},
                                {"--output", command.output}});
    if (command.kind == Kind::diff && command.other.empty() && !command.passes)
        throw UsageError("a second model or report is expected after '" + raw.model +
                         "', or --passes FROM..TO; see 'aotscope diff --help'");
    if (command.kind == Command::Kind::diff && !command.onlyGraph.empty() && !graphKindFromName(command.onlyGraph))
        throw UsageError("--graph " + command.onlyGraph + ": one of " + graphs + " is expected");
    if (command.kind == Kind::exportGraph && !graphKindFromName(command.graph))
        throw UsageError("--graph " + command.graph + ": one of " + graphs + " is expected");
    return command;
}

}  // namespace aotscope
