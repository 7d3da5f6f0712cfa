#include "cli/wrapped_help.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace aotscope {

std::string WrappedHelp::entry(const std::string& name, const std::string& description) const {
    constexpr std::size_t columns = 80, gap = 2;
    const std::size_t start = get_column_width();
    const std::string newLine = "\n" + std::string(start, ' ');
    std::string text = "  " + name;
    if (text.size() + gap > start) text += newLine;
    else text.resize(start, ' ');
    std::size_t used = start;
    std::istringstream words(description);
    for (std::string word; words >> word; text += word, used += word.size()) {
        if (used == start) continue;
        const bool fits = used + 1 + word.size() <= columns;
        text += fits ? " " : newLine;
        used = fits ? used + 1 : start;
    }
    return text + "\n";
}

std::string WrappedHelp::make_option(const CLI::Option* option, bool positional) const {
    const std::string value = positional ? "" : make_option_opts(option);
    return entry(make_option_name(option, positional) + value, make_option_desc(option));
}

/// CLI11 appends its checks, "N:INT in [1 - 9]" and "TEXT:{sgd,adam}": only choices are kept. Descriptions say what an
/// option needs and excludes.
std::string WrappedHelp::make_option_opts(const CLI::Option* option) const {
    if (option->get_type_size() == 0) return {};
    std::string type = option->get_type_name();
    if (const auto choices = type.find(":{"); choices != std::string::npos) {
        type = type.substr(choices + 2, type.size() - choices - 3);
        std::ranges::replace(type, ',', '|');
    }
    for (const char* check : {":INT in [", ":NONNEGATIVE"}) type = type.substr(0, type.find(check));
    if (!option->get_default_str().empty()) type += "=" + option->get_default_str();
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) type += " ...";
    return " " + type + (option->get_required() ? " REQUIRED" : "");
}

std::string WrappedHelp::make_subcommand(const CLI::App* command) const {
    return entry(command->get_name(), command->get_description());
}

}  // namespace aotscope
