#include "support/program.h"

#include "support/fork_request.h"
#include "support/forks.h"

#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>

#include <array>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aotscope::test {

namespace {

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

QString engineFile() { return QStringLiteral(AOTSCOPE_ENGINE); }

const ForkServer& engineServer() {
    static const ForkServer server(AOTSCOPE_ENGINE);
    return server;
}

namespace {

/// Of the program that runs these arguments in the end.
const ForkServer& serverFor(const QStringList& arguments) {
    static const QStringList drawing{u"export"_s, u"pareto"_s, u"diff"_s};
    static const QRegularExpression command(u"^[a-z]+$"_s);
    const QString first = arguments.value(0);
    if (command.match(first).hasMatch() && !drawing.contains(first)) return engineServer();
    qputenv("AOTSCOPE_ENGINE", forkedProgram().toUtf8());  // which it starts
    static const ForkServer server(AOTSCOPE_PROGRAM);
    return server;
}

}  // namespace

ProgramRun runProgram(const QStringList& arguments) {
    std::vector<std::string> words{AOTSCOPE_PROGRAM};
    for (const QString& argument : arguments) words.push_back(QFile::encodeName(argument).toStdString());
    const auto output = openPipe(), errors = openPipe();
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const int connection = connectToServer(serverFor(arguments).name());
    if (!sendRequest(connection, words, {nothing, output[1], errors[1], folder}))
        qFatal("the fork server takes no request");
    for (const int passed : {nothing, output[1], errors[1], folder}) close(passed);
    ProgramRun run;
    readAll({output[0], errors[0]}, {&run.out, &run.err});
    ForkReply reply{};
    if (!receiveReply(connection, reply)) qFatal("the fork server does not answer");
    close(connection);
    run.code = WIFSIGNALED(reply.status) ? -WTERMSIG(reply.status) : WEXITSTATUS(reply.status);
    run.cpuSeconds = secondsOf(reply.used.ru_utime) + secondsOf(reply.used.ru_stime);
    run.peakBytes = std::int64_t{reply.used.ru_maxrss} * 1024;
    return run;
}

QString forkedProgram() {
    qputenv(kServerVariable, QByteArray::fromStdString(engineServer().name()));
    return QStringLiteral(FORKED_PROGRAM);
}

QJsonObject readJson(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace aotscope::test
