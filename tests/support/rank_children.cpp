#include "support/rank_children.h"

#include "support/fork_request.h"
#include "support/forks.h"
#include "support/patience.h"

#include <QtTest>

#include <csignal>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace aotscope::test {

namespace {

/// Ranks share the processors, so each uses one thread: OpenMP has to know when it is loaded.
const ForkServer& rankServer() {
    static const ForkServer server(qPrintable(engineFile()), {u"OMP_NUM_THREADS=1"_s});
    return server;
}

}  // namespace

int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket, plain, size) != 0 || getsockname(socket, plain, &size) != 0) qFatal("no free port");
    close(socket);
    return ntohs(address.sin_port);
}

RankChildren::RankChildren(Launcher launcher, int ranks, const QStringList& arguments, const QString& program) {
    const QString mpirun = QStandardPaths::findExecutable(u"mpirun"_s);
    if (launcher == Launcher::mpirun && !mpirun.isEmpty()) {
        const QStringList own{u"--allow-run-as-root"_s, u"--oversubscribe"_s, u"-np"_s, QString::number(ranks),
                              program};
        start(mpirun, own + arguments, {});
        return;
    }
    const QString size = QString::number(ranks), port = QString::number(freePort());
    for (int i = 0; i < ranks; ++i) {
        const QString rank = QString::number(i);
        if (launcher == Launcher::torchrun)
            start(program, arguments,
                  {u"RANK="_s + rank, u"WORLD_SIZE="_s + size, u"MASTER_ADDR=127.0.0.1"_s, u"MASTER_PORT="_s + port});
        else
            start(program, arguments,
                  {u"OMPI_COMM_WORLD_RANK="_s + rank, u"OMPI_COMM_WORLD_SIZE="_s + size,
                   u"OMPI_COMM_WORLD_LOCAL_SIZE="_s + size, u"PMIX_NAMESPACE="_s + port});
    }
}

RankChildren::RankChildren(Launcher launcher, const QList<QStringList>& arguments) {
    if (launcher != Launcher::torchrun) qFatal("only torchrun starts ranks one by one");
    const QString size = QString::number(arguments.size()), port = QString::number(freePort());
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        if (arguments[i].isEmpty()) children_.push_back(nullptr);
        else
            start(forkedProgram(), arguments[i],
                  {u"RANK="_s + QString::number(i), u"WORLD_SIZE="_s + size, u"MASTER_ADDR=127.0.0.1"_s,
                   u"MASTER_PORT="_s + port});
    }
}

RankChildren::~RankChildren() {
    for (const auto& child : children_)
        if (child && child->state() != QProcess::NotRunning) {
            child->kill();
            child->waitForFinished(kPatience);
        }
}

void RankChildren::start(const QString& program, const QStringList& arguments, const QStringList& variables) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& variable : variables)
        environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
    environment.insert(u"OMP_NUM_THREADS"_s, u"1"_s);
    environment.insert(QLatin1String(kServerVariable), QString::fromStdString(rankServer().name()));
    children_.push_back(std::make_unique<QProcess>());
    children_.back()->setProcessEnvironment(environment);
    children_.back()->start(program, arguments);
}

void RankChildren::read() {
    for (const auto& child : children_) {
        if (!child) continue;
        out_ += child->readAllStandardOutput();
        err_ += child->readAllStandardError();
    }
}

bool RankChildren::waitFor(const QByteArray& text) {
    bool found = false;
    const bool ended = QTest::qWaitFor(
        [&] {
            const bool last = haveEnded({});
            read();
            found = out_.contains(text) || err_.contains(text);
            return found || last;
        },
        kPatience);
    return ended && found;
}

bool RankChildren::haveEnded(const QList<int>& except) const {
    for (std::size_t i = 0; i < children_.size(); ++i)
        if (children_[i] && !except.contains(static_cast<int>(i)) && children_[i]->state() != QProcess::NotRunning)
            return false;
    return true;
}

void RankChildren::wait(const QList<int>& except) {
    const bool ended = QTest::qWaitFor(
        [&] {
            read();
            return haveEnded(except);
        },
        kPatience);
    read();
    if (!ended) qFatal("the ranks hang: %s", text().constData());
}

void RankChildren::sendSignal(int rank, int signal) {
    ::kill(static_cast<pid_t>(children_.at(static_cast<std::size_t>(rank))->processId()), signal);
}

void RankChildren::kill(int rank) { children_.at(static_cast<std::size_t>(rank))->kill(); }

QList<int> RankChildren::codes() const {
    QList<int> codes;
    for (const auto& child : children_)
        codes << (!child ? 0 : child->exitStatus() == QProcess::NormalExit ? child->exitCode() : -child->exitCode());
    return codes;
}

QByteArray RankChildren::text() const {
    QByteArray text;
    for (const int code : codes()) text += "exit " + QByteArray::number(code) + ", ";
    return text + "\n" + out_ + "\n" + err_;
}

}  // namespace aotscope::test
