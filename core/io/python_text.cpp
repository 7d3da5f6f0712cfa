#include "io/python_text.h"

#include "record/option_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace aotscope {

namespace {

using nlohmann::json;

/// Strings, numbers and lists are written as in JSON.
std::string literal(const json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
    return value.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

/// What the command line takes, as a value of Python: a list of words for an option that may have several.
json wordsOf(const OptionEntry& entry, const Options& options) {
    if (entry.isFlag()) return true;
    if (entry.scope == OptionScope::partition || !entry.field) return optionJson(entry, options);
    const std::string text = optionText(entry, options);
    if (entry.values == OptionValues::one) return text;
    std::istringstream line(text);
    return std::vector<std::string>{std::istream_iterator<std::string>(line), {}};
}

std::string keyword(const OptionEntry& entry) {
    std::string name(entry.name().substr(2));
    std::ranges::replace(name, '-', '_');
    return name;
}

/// Options that change the graphs or how they are split; those of one run or one machine are left out. A session has
/// its own graphs. The partitioner is always told, since printed graphs and sessions have a partition already.
bool isTold(const OptionEntry& entry, const Options& options) {
    const bool session = options.model.ends_with(".aotscope");
    if (entry.flag.empty() || entry.scope == OptionScope::run || !(entry.field || entry.get)) return false;
    if (session && entry.scope != OptionScope::partition) return false;
    return entry.name() == "--partition" || optionJson(entry, options) != optionJson(entry, Options());
}

/// The call, and below it what has to be in files: input specs that were typed, say.
std::string callOfPartition(const Options& options) {
    std::string call = "aotscope.partition(" + literal(options.model), files;
    for (const OptionEntry& entry : optionTable()) {
        if (!isTold(entry, options)) continue;
        const std::string name = keyword(entry);
        json value = wordsOf(entry, options);
        if (value.is_structured() && std::ranges::any_of(value, &json::is_structured)) {
            const std::string file = name + ".json";
            files += "# " + file + ": " + literal(value) + "\n";
            value = file;
        }
        call += ", " + name + "=" + literal(value);
    }
    return call + ")\n" + files;
}

}  // namespace

std::string partitionAsPython(const Options& options) {
    return "import aotscope\n\nplan = " + callOfPartition(options) +
           "\n# aot_function, aot_module, aot_module_simplified\n"
           "partition_fn = aotscope.partitioner(plan)\n"
           "\n# Inductor, for a plan made with decompose=\"inductor\"\n"
           "# torch._inductor.config.custom_partitioner_fn = partition_fn\n"
           "\n# eager with torch.utils.checkpoint, for a plan made with dialect=\"libtorch\"\n"
           "# context_fn = aotscope.checkpoint_policy(plan)\n";
}

}  // namespace aotscope
