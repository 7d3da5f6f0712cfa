#include "record/options/option_setters.h"

#include "device/device_name.h"
#include "distributed/links.h"
#include "ops/decompositions/decomposition_table.h"
#include "program/inputs/short_inputs.h"
#include "record/options/option_values.h"
#include "record/options/peak_limit.h"
#include "record/options/plan_file.h"
#include "record/options/remote_model.h"
#include "support/error.h"
#include "support/input_file.h"
#include "support/joined.h"
#include "support/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

using nlohmann::json;

/// The names of the rules that can be disabled.
Texts namesOfRules() {
    Texts names;
    for (const BanRule& rule : banRules())
        if (rule.option) names.emplace_back(rule.flag);
    return names;
}

Texts namesOfKinds() {
    Texts names;
    for (const AllowableKind& kind : allowableKinds()) names.emplace_back(kind.name);
    return names;
}

/// By name: "x.safetensors:NAME" is one of the tensors in a file.
bool isTensorFile(const std::filesystem::path& path) {
    const auto extension = path.extension();
    return extension == ".pt" || extension == ".npy" || extension == ".safetensors" ||
           path.filename().string().find(".safetensors:") != std::string::npos;
}

/// Unless the user has chosen a partitioner.
void choosePlan(Options& options) {
    if (!options.given || !options.given->contains("--partition"))
        options.partition.algorithm = PartitionAlgorithm::planned;
}

}  // namespace

std::string noBanHelp() {
    Texts names = namesOfRules();
    const std::string last = names.back();
    names.pop_back();
    return "disable a rule that bans values from recomputation (min-cut): " + joined(names, ", ") + " or " + last;
}

void disableRules(Options& options, const Texts& names) {
    for (const std::string& name : names) {
        const auto rule = std::ranges::find(banRules(), name, &BanRule::flag);
        if (name.empty() || rule == banRules().end())
            throw UsageError("--no-ban " + name + ": expected one of " + quotedNames(namesOfRules()));
        options.partition.cut.*rule->option = false;
    }
}

json disabledRules(const Options& options) {
    json names = json::array();
    for (const BanRule& rule : banRules())
        if (rule.option && !(options.partition.cut.*rule.option)) names.push_back(rule.flag);
    return names;
}

std::string allowHelp() {
    std::string help = "allow the model's operators to do more than compute; KIND is";
    for (const AllowableKind& kind : allowableKinds())
        help +=
            (&kind == allowableKinds().data() ? " " : "; ") + std::string(kind.name) + ": " + std::string(kind.help);
    return help;
}

void allowKinds(Options& options, const Texts& names) {
    options.allow = {};
    for (const std::string& name : names) {
        const auto kind = allowableKind(name);
        if (!kind) throw UsageError("--allow " + name + ": expected one of " + quotedNames(namesOfKinds()));
        options.allow.add(*kind);
    }
}

/// The model is already known: its entry is the first one. A command that reads logs has none.
void takeRemoteCommand(Options& options, const Texts& values) {
    if (!options.model.empty()) options.model = throughCommand(options.model, values.back());
}

void takeInputs(Options& options, const Texts& values) {
    const std::filesystem::path path(values.back());
    if (path.empty()) return;
    options.inputFolder = path.parent_path();
    // "<(command)" has no extension.
    if (path.extension() == ".json" || path == "-" || specialFileAt(path) == "a FIFO")
        options.inputs = readInputSpec(path);
    else if (isTensorFile(path)) options.inputs = path;
    else if (values.back().find('[') != std::string::npos) options.inputs = parseShortInputs(values.back(), "--inputs");
    else
        throw UsageError("--inputs " + values.back() +
                         ": expected a .json input spec, a .pt, .npy or .safetensors file of tensors, or types such as "
                         "'f32[4, 5] grad, i64[3]'");
}

json inputsJson(const Options& options) {
    if (const auto* spec = std::get_if<InputSpec>(&options.inputs)) return json::parse(printInputSpec(*spec));
    if (const auto* file = std::get_if<std::filesystem::path>(&options.inputs)) return file->string();
    return nullptr;
}

void takeSettings(Options& options, const Texts& values) {
    options.compilers.settings.clear();
    for (const std::string& text : values) {
        const auto dot = text.find('.'), equals = text.find('=', dot == std::string::npos ? 0 : dot);
        if (dot == std::string::npos || equals == std::string::npos)
            throw UsageError("--compiler-option " + text + ": expected NAME.KEY=VALUE");
        options.compilers.settings[text.substr(0, equals)] = text.substr(equals + 1);
    }
}

void takeLinks(Options& options, const Texts& values) {
    const std::string& text = values.back();
    options.links = text.ends_with(".json") ? linksInFile(text).name : linksNamed(text).name;
}

void takeBucket(Options& options, const Texts& values) {
    const std::string& text = values.back();
    if (!text.empty()) parseMemory(text, "--bucket", 1);
    options.partition.moves.bucket = text;
}
void takePeakLimit(Options& options, const Texts& values) {
    if (!values.back().empty()) parseMemory(values.back(), "--peak-limit", 1);
    options.partition.moves.peakLimit = values.back();
}

void takeTimeLimit(Options& options, const Texts& values) {
    options.limits.seconds = parseNumber(optionNamed("--time-limit"), values.back());
}

void takeMemoryLimit(Options& options, const Texts& values) { options.limits.bytes = parseMemory(values.back()); }

void takeDevice(Options& options, const Texts& values) { options.device = deviceFromName(values.back()); }

void takeDecompositions(Options& options, const Texts& values) {
    options.decompositions = DecompositionTable::load(values.back());
}
json decompositionsJson(const Options& options) {
    return options.decompositions ? options.decompositions->name : "none";
}

/// On one line in the window, a query may contain spaces: a word that begins no policy continues the previous one.
void takePolicies(Options& options, const Texts& values) {
    Texts policies;
    for (const std::string& text : values) {
        const bool begins = std::ranges::any_of(std::array{"must_", "prefer_", "MUST_", "PREFER_"},
                                                [&](const char* policy) { return text.starts_with(policy); });
        if (begins || policies.empty()) policies.push_back(text);
        else policies.back() += " " + text;
    }
    for (const std::string& policy : policies) splitPolicy(policy);
    options.partition.policies = std::move(policies);
}

void takePlan(Options& options, const Texts& values) {
    if (values.back().empty()) return;
    options.partition.plan = readPlan(values.back());  // a session then needs no other file
    choosePlan(options);
}

void takePartitionFunction(Options& options, const Texts& values) {
    options.partition.function = values.back();
    if (!values.back().empty()) choosePlan(options);
}

void takePeak(Options& options, const Texts& values) {
    options.partition.peak = values.back();
    if (values.back().empty()) return;
    PeakLimit::of(values.back());
    choosePlan(options);
}

void beAggressive(Options& options, const Texts& /*values*/) { options.partition.cut.beAggressive(); }

json backwardCompiler(const Options& options) { return options.compilers.ofBackward(); }
json inferenceCompiler(const Options& options) { return options.compilers.ofInference(); }

}  // namespace aotscope
