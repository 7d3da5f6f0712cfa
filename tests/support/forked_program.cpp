// Stands for the program in commands that tests give to others: has a fork server (see fork_server.cpp) run it with the
// arguments, environment, standard descriptors and folder of this process, and ends as it does. Signals that ask it to
// end are passed on. When it is killed, so is the run, a little later; with kKill, both are gone when it is. Limits,
// ignored signals and closed descriptors are not passed on.

#include "support/fork_request.h"

#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int connection = -1;

void passOn(int signal) {
    if (signal == aotscope::test::kKill) signal = SIGKILL;
    send(connection, &signal, sizeof signal, MSG_NOSIGNAL);
}

[[noreturn]] void endBy(int signal) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    using namespace aotscope::test;
    const char* const server = std::getenv(kServerVariable);
    if (server) connection = connectToServer(server);
    const ForkDescriptors descriptors{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO,
                                      open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (connection < 0 || !sendRequest(connection, {argv, argv + argc}, descriptors)) {
        std::fprintf(stderr, "%s: no fork server\n", argv[0]);
        return 125;
    }
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, kKill}) std::signal(signal, passOn);
    // Readers of the run's output wait until no other process can write.
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) close(standard);
    ForkReply reply{};
    if (!receiveReply(connection, reply)) return 125;
    if (WIFSIGNALED(reply.status)) endBy(WTERMSIG(reply.status));
    return WEXITSTATUS(reply.status);
}
