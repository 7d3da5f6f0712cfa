#include "cli/compiler_flags.h"

#include "compile/compilers.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

namespace aotscope {

void addPluginFlag(CLI::App& app, CompilerFlags& flags) {
    app.add_option("--plugin", flags.plugins, "a shared library that brings a compiler (repeatable)")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
}

void addCompilerFlags(CLI::App& app, CompilerFlags& flags) {
    app.add_option("--compiler", flags.forward, "what makes the graphs executable (see 'aotscope compilers')")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_option("--backward-compiler", flags.backward, "the same for the backward graph alone")->type_name("NAME");
    app.add_option("--inference-compiler", flags.inference, "the same for the inference graph alone")
        ->type_name("NAME");
    app.add_option("--compiler-option", flags.settings, "a setting of a compiler (repeatable)")
        ->type_name("NAME.KEY=VALUE")
        ->allow_extra_args(false);
    addPluginFlag(app, flags);
}

CompilerChoice chosenCompilers(const CompilerFlags& flags) {
    CompilerChoice choice{flags.forward, flags.backward, flags.inference, {}, {}};
    choice.plugins.assign(flags.plugins.begin(), flags.plugins.end());
    for (const std::string& text : flags.settings) {
        const auto dot = text.find('.'), equals = text.find('=', dot == std::string::npos ? 0 : dot);
        if (dot == std::string::npos || equals == std::string::npos)
            throw UsageError("--compiler-option " + text + ": NAME.KEY=VALUE is expected");
        choice.settings[text.substr(0, equals)] = text.substr(equals + 1);
    }
    checkCompilers(choice);
    return choice;
}

}  // namespace aotscope
