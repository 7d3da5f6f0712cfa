#include "cli/command_line.h"
#include "cli/exit_code.h"
#include "cli/report_errors.h"
#include "cli/standard_output.h"
#include "cli/start_failure.h"
#include "crash/crash_handler.h"
#include "crash/data_folder.h"
#include "session/session.h"
#include "support/error.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#ifdef AOTSCOPE_GUI
#include "cli/window_command.h"
#endif

namespace {

using namespace aotscope;

int sayUncaught(const std::exception_ptr& error) {
    return reportErrors([&]() -> int { std::rethrow_exception(error); });
}

int run(int argc, char** argv, StandardOutput& output) {
    try {
        installCrashHandler({AOTSCOPE_VERSION, torchVersion(), {argv, argv + argc}, dataFolder() / "crashes"});
        watchStart();  // the crash handler took its place
        initializeTorch();
        endOfStart();
    } catch (const std::bad_alloc&) {
        throw Error("not enough memory to start; raise the limit (ulimit -v) or close other programs");
    }
    const auto parsed = parseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const auto& line = std::get<CommandLine>(parsed);
    noteForCrashes(CrashNote::model, line.options.model);
    if (line.debug) {
        showTorchLog();
        reportUncaughtErrors(sayUncaught);
    }
    if (line.writesToStandardOutput) output.makeRoomForFile();
    if (line.command) return runCommand(line);
#ifdef AOTSCOPE_GUI
    return showWindow(line.options, line.choosesCompiler, argc, argv);
#else
    sayError("this build has no window; use a subcommand, see 'aotscope --help'");
    return kWrongUsage;
#endif
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a failed write of a file that is too large reports an error
    const int code = [&] {
        StandardOutput output;
        return reportErrors([&] { return run(argc, argv, output); });
    }();
    // Everything is written. Skip LibTorch's destructors, which take 70 ms: the system frees memory at once.
    std::fflush(nullptr);
    std::_Exit(code);
}
