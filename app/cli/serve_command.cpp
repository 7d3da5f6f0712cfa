#include "cli/serve_command.h"

#include "cli/exit_code.h"
#include "session/serve/serve.h"
#include "support/error.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace aotscope {

ServeCommand::ServeCommand(CLI::App& parent)
    : Subcommand(parent, "serve", "run models for a window, on this machine or another one (started by that window)",
                 "aotscope ssh://me@server/models/model.pt2", Takes::noModel) {
    app_.add_flag("--stdio", stdio_, "read requests from standard input until it ends")->required();
    // For a window; see confineServed, which reads them.
    app_.add_flag("--confined")->group("");
    app_.add_option("--exchange")->group("");
}

int ServeCommand::run(const Options& /*options*/) {
    // What models and libraries print is for people, not part of an answer.
    const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (out < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Error(std::string("cannot keep the standard output for answers: ") + std::strerror(errno));
    prepare();
    serve(engine(), STDIN_FILENO, out);
    ::_exit(kFine);  // do not wait for running jobs
}

}  // namespace aotscope
