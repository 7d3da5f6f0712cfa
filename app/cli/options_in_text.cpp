#include "cli/options_in_text.h"

#include "cli/option_flags.h"
#include "cli/session_flags.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

namespace aotscope {

namespace {

/// The options of `parsers`, then those in `text`, which `parser` reads.
Options optionsIn(const std::string& text, const std::string& what, CLI::App& parser,
                  std::vector<const CLI::App*> parsers) {
    try {
        parser.parse(text);
    } catch (const CLI::ParseError& e) {
        throw UsageError(what + " \"" + text + "\": " + e.what() + "; expected options of 'aotscope run'");
    }
    parsers.push_back(&parser);
    Options options = readOptions(parsers);
    options.given = std::make_shared<GivenOptions>();  // earlier options are used already
    addGiven(parser, *options.given);
    if (isGiven(parser, "--save")) refuseSessionFile(options.partition.save);
    takeSessionFile(options.partition.save);
    checkOptions(options);
    partitionAnew(parser, options);
    return options;
}

}  // namespace

Options variantOptions(std::vector<const CLI::App*> parsers, const std::string& text) {
    CLI::App parser;
    parser.set_help_flag();
    addOptions(parser, "--against");
    return optionsIn(text, "--against", parser, std::move(parsers));
}

Options runOptions(const std::string& text, const std::string& what) {
    CLI::App parser;
    parser.set_help_flag();
    addOptions(parser, "run");
    parser.get_option("MODEL")->required();
    return optionsIn(text, what, parser, {});
}

}  // namespace aotscope
