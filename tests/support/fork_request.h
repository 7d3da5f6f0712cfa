#pragma once

#include <sys/resource.h>

namespace aotscope::test {

// Between a test and the fork server (see fork_server.cpp): a request is one message, the number of arguments, the
// arguments and the environment, each with a '\0' behind it, and comes with the descriptors of the new process's
// standard output and standard error.

constexpr const char* kForkServerVariable = "AOTSCOPE_FORK_SERVER";  ///< holds the number of the server's socket
constexpr int kLongestRequest = 1 << 17;                             ///< bytes
constexpr unsigned kLongestRun = 600;                                ///< seconds, for what waits for ever

/// How a run ended.
struct ForkReply {
    int status;  ///< as waitpid() gives it
    rusage used;
};

}  // namespace aotscope::test
