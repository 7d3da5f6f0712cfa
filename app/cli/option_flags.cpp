#include "cli/option_flags.h"

#include "record/model_kind.h"
#include "record/options/option_values.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace aotscope {

namespace {

/// "train|eval", or the kind of value that the entry names.
std::string typeOf(const OptionEntry& entry) {
    std::string type(entry.value);
    for (const std::string& choice : optionChoices(entry)) type += (type.empty() ? "" : "|") + choice;
    return type;
}

std::string helpOf(const OptionEntry& entry) {
    std::string help = entry.help;
    if (!entry.see.empty()) help += " (see '" + std::string(entry.see) + "')";
    if (entry.values != OptionValues::one) help += " (repeatable)";
    return help;
}

bool takes(std::string_view command, const OptionEntry& entry) {
    if (entry.flag.empty()) return false;
    if (entry.commands.empty()) return true;
    std::istringstream commands{std::string(entry.commands)};
    for (std::string name; commands >> name;)
        if (name == command) return true;
    return false;
}

/// -e CODE is another way to write the MODEL script:CODE.
void addCode(CLI::App& parser, CLI::Option* model) {
    parser
        .add_option("-e,--code",
                    "TorchScript functions instead of MODEL; the last one is compiled; without --inputs, tensors are "
                    "f32[4, 5] with a gradient")
        ->type_name("CODE")
        ->group("Model")
        ->each([model](const std::string& code) {
            if (model->count() > 0) throw CLI::ValidationError("the model is given twice; leave one out");
            model->add_result(std::string(kScriptPrefix) + code);
        });
}

}  // namespace

CLI::Option* addOption(CLI::App& parser, const OptionEntry& entry) {
    const std::string flag(entry.flag), help = helpOf(entry), group(entry.group);
    if (entry.isFlag()) return parser.add_flag(flag, help)->group(group);
    CLI::Option* option = parser.add_option(flag, help)->group(group);
    option->type_name(typeOf(entry))->default_str(optionDefault(entry));
    if (entry.values != OptionValues::one)
        option->expected(CLI::detail::expected_max_vector_size)
            ->allow_extra_args(entry.values == OptionValues::several);
    return option;
}

void addOptions(CLI::App& parser, std::string_view command) {
    for (const OptionEntry& entry : optionTable()) {
        if (!takes(command, entry)) continue;
        CLI::Option* const option = addOption(parser, entry);
        if (entry.flag == "MODEL") addCode(parser, option);
    }
    const std::string help = "print a stack trace on errors, and show LibTorch's log";
    parser.add_flag("--debug", help);
}

bool isGiven(const CLI::App& parser, std::string_view name) {
    const CLI::Option* option = parser.get_option_no_throw(std::string(name));
    return option && option->count() > 0;
}

bool isGiven(const CLI::App& parser, const OptionEntry& entry) {
    return !entry.flag.empty() && isGiven(parser, entry.name());
}

Options readOptions(const std::vector<const CLI::App*>& parsers) {
    Options options;
    options.given = std::make_shared<GivenOptions>();
    for (const CLI::App* parser : parsers) addGiven(*parser, *options.given);
    for (const OptionEntry& entry : optionTable()) {
        const auto parser = std::ranges::find_if(parsers.rbegin(), parsers.rend(),
                                                 [&](const CLI::App* app) { return isGiven(*app, entry); });
        if (parser == parsers.rend()) continue;
        const CLI::Option* option = (*parser)->get_option(std::string(entry.name()));
        if (!entry.isFlag()) setOption(entry, options, option->results());
        else if (option->as<bool>()) setOption(entry, options, {"true"});
        else if (entry.field) setOption(entry, options, {"false"});
    }
    return options;
}

void addGiven(const CLI::App& parser, GivenOptions& given) {
    for (const CLI::Option* option : parser.get_options())
        if (option->count() > 0 && option->get_positional() == false) given.add(option->get_name());
    given.use({"--code"});
}

void checkOptions(const Options& options) {
    if (options.deviceGraphs && options.device == "cpu") throw UsageError("--cuda-graphs: needs --device cuda");
    if (options.staticShapes && !options.dynamic.empty())
        throw UsageError("--static-shapes: --dynamic " + options.dynamic.front().name +
                         " is given as well; give only one of them");
}

}  // namespace aotscope
