#include "support/forks.h"

#include "support/fork_request.h"

#include <QByteArrayList>

#include <cstddef>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aotscope::test {

ForkServer::ForkServer(const char* program, const QStringList& variables) {
    const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    constexpr auto kept = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path));
    // The system chooses an unused name; it begins with '\0'.
    if (bind(listener, plain, kept) != 0 || listen(listener, 64) != 0 || getsockname(listener, plain, &size) != 0)
        qFatal("no socket");
    name_.assign(address.sun_path + 1, size - kept - 1);
    const int open = dup(listener);  // stays open in the new process
    QByteArrayList added = {kListenerVariable + ('=' + QByteArray::number(open)),
                            QByteArrayLiteral("LD_PRELOAD=" FORK_SERVER),
                            "ASAN_OPTIONS=" + qgetenv("ASAN_OPTIONS") + ":verify_asan_link_order=0"};
    for (const QString& variable : variables) added << variable.toUtf8();
    std::vector<char*> environment;
    for (QByteArray& variable : added) environment.push_back(variable.data());
    for (char** variable = environ; *variable; ++variable)
        if (!QByteArray(*variable).startsWith("ASAN_OPTIONS=")) environment.push_back(*variable);
    environment.push_back(nullptr);
    std::array<char*, 2> arguments{const_cast<char*>(program), nullptr};
    process_ = fork();
    if (process_ == 0) {
        execve(program, arguments.data(), environment.data());
        _exit(127);
    }
    close(open), close(listener);
    connection_ = connectToServer(name_);
    if (connection_ < 0) qFatal("no fork server");
}

ForkServer::~ForkServer() {
    close(connection_);
    waitpid(process_, nullptr, 0);
}

}  // namespace aotscope::test
