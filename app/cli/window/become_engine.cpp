#include "cli/window/become_engine.h"

#include "remote/engine_program.h"
#include "support/error.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <unistd.h>

namespace aotscope {

void becomeEngine(char** argv) {
    const std::filesystem::path program = engineProgram();
    ::execv(program.c_str(), argv);
    throw Error("cannot run '" + program.string() + "': " + std::strerror(errno) + "; install aotscope again");
}

}  // namespace aotscope
