#include "record/options/option_use.h"

#include "support/error.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

constexpr const char* kAnyCompiler = "what is shown here is the same for every compiler; leave it out";

}  // namespace

void useCompilers(const Options& options, bool hasBackward) {
    if (!options.given) return;
    if (!options.plans(GivenOptions::Purpose::kernels)) {
        for (const OptionEntry& entry : optionTable())
            if (entry.group == "Compilers" && entry.ofExecution) options.given->explain(entry.name(), kAnyCompiler);
        options.use("--plugin");
        return;
    }
    const CompilerChoice& choice = options.compilers;
    const std::set<std::string> used =
        hasBackward ? std::set{choice.forward, choice.ofBackward()} : std::set{choice.ofInference()};
    options.use({"--plugin", "--cuda-graphs", hasBackward ? "--backward-compiler" : "--inference-compiler"});
    if (hasBackward || choice.inference.empty()) options.use("--compiler");
    if (std::ranges::all_of(choice.settings, [&](const auto& setting) {
            return used.contains(setting.first.substr(0, setting.first.find('.')));
        }))
        options.use("--compiler-option");
    options.given->explain("--compiler-option", "no graph uses this compiler; choose it with --compiler");
    options.given->explain("--backward-compiler", "there is no backward graph; leave it out");
    options.given->explain("--compiler", "the only graph, the inference graph, has its own compiler");
}

void explainUnused(const Options& options, const std::string& partition, const std::string& others) {
    if (!options.given) return;
    for (const OptionEntry& entry : optionTable())
        options.given->explain(entry.name(), entry.scope == OptionScope::partition ? partition : others);
}

void refusePartition(const Options& options, const std::string& why) {
    if (!options.given) return;
    for (const OptionEntry& entry : optionTable()) {
        // The partitioner decides whether operations are merged first.
        const bool matters = entry.scope == OptionScope::partition && entry.name() != "--partition";
        if (matters && options.given->contains(entry.name())) throw UsageError(std::string(entry.name()) + ": " + why);
    }
}

bool dependsOnPartition(GraphKind kind) { return kind == GraphKind::forward || kind == GraphKind::backward; }

std::vector<std::string> unusedOptions(const Options& options) {
    std::vector<std::string> sentences;
    if (!options.given) return sentences;
    for (const auto& [name, explained] : options.given->unused()) {
        const auto entry = std::ranges::find(optionTable(), std::string_view(name), &OptionEntry::name);
        std::string why = entry != optionTable().end() && entry->needs ? entry->needs(options) : std::string();
        if (why.empty()) why = explained.empty() ? "has no effect here; leave it out" : explained;
        sentences.push_back(name + ": " + why);
    }
    return sentences;
}

}  // namespace aotscope
