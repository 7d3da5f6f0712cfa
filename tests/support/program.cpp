#include "support/program.h"

#include "support/fork_request.h"

#include <QFile>
#include <QJsonDocument>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aotscope::test {

namespace {

/// The loaded program, waiting for requests; it ends with this process.
class ForkServer {
public:
    ForkServer() {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) qFatal("no socket");
        socket_ = ends[0];
        const int open = dup(ends[1]);  // stays open in the new process
        const QByteArrayList added = {QByteArray(kForkServerVariable) + '=' + QByteArray::number(open),
                                      QByteArrayLiteral("LD_PRELOAD=" FORK_SERVER),
                                      "ASAN_OPTIONS=" + qgetenv("ASAN_OPTIONS") + ":verify_asan_link_order=0"};
        std::vector<char*> environment;
        for (const QByteArray& variable : added) environment.push_back(const_cast<char*>(variable.constData()));
        for (char** variable = environ; *variable; ++variable)
            if (!QByteArray(*variable).startsWith("ASAN_OPTIONS=")) environment.push_back(*variable);
        environment.push_back(nullptr);
        std::array<char*, 2> arguments{const_cast<char*>(AOTSCOPE_PROGRAM), nullptr};
        process_ = fork();
        if (process_ == 0) {
            execve(AOTSCOPE_PROGRAM, arguments.data(), environment.data());
            _exit(127);
        }
        close(open), close(ends[1]);
    }
    ForkServer(const ForkServer&) = delete;
    ForkServer& operator=(const ForkServer&) = delete;
    ~ForkServer() {
        close(socket_);
        waitpid(process_, nullptr, 0);
    }

    void send(QByteArray request, std::array<int, 2> output) const {
        iovec text{request.data(), static_cast<std::size_t>(request.size())};
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof output)> control{};
        msghdr message{};
        message.msg_iov = &text;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* passed = CMSG_FIRSTHDR(&message);
        passed->cmsg_level = SOL_SOCKET;
        passed->cmsg_type = SCM_RIGHTS;
        passed->cmsg_len = CMSG_LEN(sizeof output);
        std::memcpy(CMSG_DATA(passed), output.data(), sizeof output);
        if (sendmsg(socket_, &message, MSG_NOSIGNAL) != request.size()) qFatal("the fork server takes no request");
    }
    ForkReply reply() const {
        ForkReply reply{};
        ssize_t size = 0;
        while ((size = recv(socket_, &reply, sizeof reply, 0)) < 0 && errno == EINTR) {}
        if (size != sizeof reply) qFatal("the fork server does not answer");
        return reply;
    }

private:
    int socket_ = -1;
    pid_t process_ = -1;
};

QByteArray requestFor(const QStringList& arguments) {
    QByteArray text = QByteArray::number(arguments.size() + 1) + '\0' + AOTSCOPE_PROGRAM + '\0';
    for (const QString& argument : arguments) text += QFile::encodeName(argument) + '\0';
    for (char** variable = environ; *variable; ++variable) text += *variable + QByteArray(1, '\0');
    if (text.size() > kLongestRequest) qFatal("too many arguments");
    return text;
}

std::array<int, 2> openPipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) qFatal("no pipe");
    return ends;
}

/// Reads both pipes to their ends and closes them.
void readAll(std::array<int, 2> pipes, std::array<QByteArray*, 2> texts) {
    std::array<pollfd, 2> open{pollfd{pipes[0], POLLIN, 0}, pollfd{pipes[1], POLLIN, 0}};
    QByteArray buffer(1 << 16, '\0');
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        if (poll(open.data(), open.size(), -1) < 0 && errno != EINTR) qFatal("cannot wait for the program's output");
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i].fd < 0 || open[i].revents == 0) continue;
            const ssize_t size = read(open[i].fd, buffer.data(), static_cast<std::size_t>(buffer.size()));
            if (size > 0) texts[i]->append(buffer.constData(), size);
            else if (size == 0 || errno != EINTR) close(open[i].fd), open[i].fd = -1;
        }
    }
}

double secondsOf(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

QByteArray ProgramRun::text() const { return "exit " + QByteArray::number(code) + ": " + err + out.left(500); }

bool ProgramRun::oneSentence() const {
    return err.startsWith("aotscope: ") && err.endsWith('\n') && err.count('\n') == 1;
}

ProgramRun runProgram(const QStringList& arguments) {
    static const ForkServer server;
    const auto output = openPipe(), errors = openPipe();
    server.send(requestFor(arguments), {output[1], errors[1]});
    close(output[1]), close(errors[1]);
    ProgramRun run;
    readAll({output[0], errors[0]}, {&run.out, &run.err});
    const ForkReply reply = server.reply();
    run.code = WIFSIGNALED(reply.status) ? -WTERMSIG(reply.status) : WEXITSTATUS(reply.status);
    run.cpuSeconds = secondsOf(reply.used.ru_utime) + secondsOf(reply.used.ru_stime);
    run.peakBytes = std::int64_t{reply.used.ru_maxrss} * 1024;
    return run;
}

QJsonObject readJson(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace aotscope::test
