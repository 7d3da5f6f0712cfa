#include "cli/main_program.h"

#include "cli/report_errors.h"
#include "cli/standard_output.h"
#include "cli/start_failure.h"
#include "crash/crash_handler.h"
#include "crash/data_folder.h"
#include "session/engine.h"
#include "support/error.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace aotscope {

namespace {

int sayUncaught(const std::exception_ptr& error) {
    return reportErrors([&]() -> int { std::rethrow_exception(error); });
}

int runCommand(const CommandLine& line) {
    const auto run = [&] { return line.command->run(line.options); };
    const auto dumping = [&]() noexcept { return run(); };  // an error is reported where it is thrown, with its stack
    return line.debug ? dumping() : run();
}

int run(const MainProgram& program, int argc, char** argv, StandardOutput& output) {
    try {
        installCrashHandler({AOTSCOPE_VERSION, program.torchVersion(), {argv, argv + argc}, dataFolder() / "crashes"});
        watchStart();  // the crash handler took its place
        program.initialize();
        endOfStart();
    } catch (const std::bad_alloc&) {
        throw Error("not enough memory to start; raise the limit (ulimit -v) or close other programs");
    }
    const auto parsed = parseCommandLine(program, argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const auto& line = std::get<CommandLine>(parsed);
    program.check(line.options);
    if (line.command)
        for (const Options* run : line.command->otherRuns()) program.check(*run);
    noteForCrashes(CrashNote::model, line.options.model);
    if (line.debug) {
        program.showLog();
        reportUncaughtErrors(sayUncaught);
    }
    if (line.writesToStandardOutput) output.makeRoomForFile();
    if (!line.command) return program.runWithoutCommand(line);
    line.command->use(program.engine());
    return runCommand(line);
}

}  // namespace

std::string valueAmong(char** argv, const std::string& option) {
    const std::string withValue = option + "=";
    std::string value;
    for (char** word = argv + 1; *word; ++word) {
        if (*word == option && word[1]) value = *++word;
        else if (std::string_view(*word).starts_with(withValue)) value = *word + withValue.size();
    }
    return value;
}

void runMain(const MainProgram& program, int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a failed write of a file that is too large reports an error
    const int code = [&] {
        StandardOutput output;
        return reportErrors([&] { return run(program, argc, argv, output); });
    }();
    // Everything is written. Skip LibTorch's destructors, which take 70 ms: the system frees memory at once.
    std::fflush(nullptr);
    std::_Exit(code);
}

}  // namespace aotscope
