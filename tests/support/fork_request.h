#pragma once

#include <array>
#include <csignal>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace aotscope::test {

// Between tests and a fork server (see fork_server.cpp). Every run has a connection of its own. The request is one
// message: the number of arguments, the arguments and the environment, each followed by '\0', with descriptors. Later
// messages are numbers of signals for the run. The reply comes when the run has ended. A connection that ends earlier
// kills the run.

constexpr const char* kListenerVariable = "AOTSCOPE_FORK_LISTENER";  ///< of the server: the number of its socket
constexpr const char* kServerVariable = "AOTSCOPE_FORK_SERVER";      ///< of its clients: the name of that socket
constexpr int kLongestRequest = 1 << 17;                             ///< bytes
constexpr int kKill = SIGUSR1;                                       ///< kills the process run by a forked program
constexpr unsigned kLongestRun = 600;                                ///< seconds, for things that wait forever

/// Standard input, output and errors of the run, and its working folder.
using ForkDescriptors = std::array<int, 4>;

/// The end of a run.
struct ForkReply {
    int status;  ///< as waitpid() gives it
    rusage used;
};

/// Connects to the server of that name; -1: impossible.
int connectToServer(const std::string& name);
/// Asks for a run with these arguments and this process's environment; the first argument is replaced by the program.
bool sendRequest(int connection, const std::vector<std::string>& arguments, const ForkDescriptors& descriptors);
bool receiveReply(int connection, ForkReply& reply);

}  // namespace aotscope::test
