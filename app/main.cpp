#include "command_line.h"
#include "crash_handler.h"
#include "data_folder.h"
#include "session.h"

#ifdef AOTSCOPE_GUI
#include "window_command.h"
#endif

#include <iostream>

int main(int argc, char** argv) {
    using namespace aotscope;
    installCrashHandler({AOTSCOPE_VERSION, torchVersion(), {argv, argv + argc}, dataFolder() / "crashes"});
    initializeTorch();
    const auto parsed = parseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const auto& command = std::get<Command>(parsed);
    noteForCrashes(CrashNote::model, command.options.model);
    if (command.kind != Command::Kind::window) return runCommand(command);
#ifdef AOTSCOPE_GUI
    return showWindow(command, argc, argv);
#else
    std::cerr << "aotscope: this build has no window; use a subcommand, see 'aotscope --help'\n";
    return kWrongUsage;
#endif
}
