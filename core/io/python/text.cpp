#include "io/python/text.h"

#include "record/model_kind.h"
#include "record/options/option_values.h"
#include "support/json/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace aotscope {

namespace {

using nlohmann::json;

/// A command line argument as a Python value: a list of words for an option that may have several.
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

/// Includes options that affect the graphs or their partition, not those of one run or one machine. A session has its
/// own graphs. The partitioner is always included, since printed graphs and sessions already have a partition.
bool isTold(const OptionEntry& entry, const Options& options) {
    const bool session = namesSessionFile(options.model);
    if (entry.flag.empty() || entry.scope == OptionScope::run || !(entry.field || entry.get)) return false;
    if (session && entry.scope != OptionScope::partition) return false;
    return entry.name() == "--partition" || optionJson(entry, options) != optionJson(entry, Options());
}

/// The call of a function of the package with `more` keywords, followed by what must be in files, such as input specs
/// that were typed in.
std::string callOf(const std::string& function, const Options& options, const std::string& more = {}) {
    std::string call = "aotscope." + function + "(" + pythonLiteral(options.model), files;
    for (const OptionEntry& entry : optionTable()) {
        if (!isTold(entry, options)) continue;
        const std::string name = keyword(entry);
        json value = wordsOf(entry, options);
        if (value.is_structured() && std::ranges::any_of(value, &json::is_structured)) {
            const std::string file = name + ".json";
            files += "# " + file + ": " + pythonLiteral(value) + "\n";
            value = file;
        }
        call += ", " + name + "=" + pythonLiteral(value);
    }
    return call + more + ")\n" + files;
}

}  // namespace

std::string pythonLiteral(const json& value) {
    if (value.is_null()) return "None";
    if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
    return jsonLine(value);
}

std::string pythonComment(std::string_view text) {
    std::string line = "# " + std::string(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line + "\n";
}

std::string partitionAsPython(const Options& options) {
    return "import aotscope\n\nplan = " + callOf("partition", options) +
           "\n# aot_function, aot_module, aot_module_simplified\n"
           "partition_fn = aotscope.partitioner(plan)\n"
           "\n# Inductor, for a plan made with decompose=\"inductor\"\n"
           "# torch._inductor.config.custom_partitioner_fn = partition_fn\n"
           "\n# eager with torch.utils.checkpoint, for a plan made with dialect=\"libtorch\"\n"
           "# context_fn = aotscope.checkpoint_policy(plan)\n";
}

std::string checkAsPython(const Options& options, const CheckResult* check, const BisectResult* bisection) {
    std::string found;
    if (check)
        for (const std::string& detail : check->details) found += pythonComment(detail);
    if (check && check->verdict() == CheckVerdict::equal)
        found += pythonComment("the compiled function computes what eager does");
    if (bisection) found += pythonComment(describe(*bisection));
    return "import aotscope\n\n" + found + "report = " + callOf("run", options, ", check=True, bisect=True") +
           "for difference in report.json[\"check\"][\"details\"]:\n"
           "    print(difference)\n"
           "print(report.json[\"bisect\"][\"sentence\"])\n"
           "plan = report.plan  # the partition that was checked, for aotscope.partitioner(plan)\n";
}

std::string stopAsPython(const Options& options, std::string_view sentence, bool firstNaN, const std::string& alone) {
    std::string text = "import aotscope\n\n" + pythonComment(sentence);
    if (firstNaN) text += "found = " + callOf("debug_first_nan", options) + "print(found[\"stop\"][\"text\"])\n";
    else
        text += "report = " + callOf("run", options, ", check=True, bisect=True") +
                "print(report.json[\"bisect\"][\"sentence\"])\n";
    return alone.empty() ? text : text + "\n" + alone;
}

}  // namespace aotscope
