#include "canvas/layout/dot_process.h"

#include <QFileInfo>
#include <QLibraryInfo>
#include <QProcessEnvironment>

#include <sys/prctl.h>
#include <csignal>

namespace aotscope {

namespace {

constexpr int kLimitMs = 8000, kPollMs = 20;

/// The program and its environment: from the package of this program, if its qt.conf leads to one; else from PATH.
void chooseProgram(QProcess& process) {
    static const QString packaged = QLibraryInfo::path(QLibraryInfo::LibraryExecutablesPath) + QStringLiteral("/dot");
    static const QString plugins = QLibraryInfo::path(QLibraryInfo::LibrariesPath) + QStringLiteral("/graphviz");
    if (!QFileInfo(packaged).isExecutable()) return process.setProgram(QStringLiteral("dot"));
    process.setProgram(packaged);
    // Plug-ins of another Graphviz must not be loaded.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GVBINDIR"), plugins);
    process.setProcessEnvironment(environment);
}

}  // namespace

DotProcess::DotProcess(const std::atomic<bool>& cancelled) : cancelled_(cancelled) {
    chooseProgram(process_);
    process_.setArguments({QStringLiteral("-Tplain")});
    process_.setStandardErrorFile(QProcess::nullDevice());
    // If this program dies, its layout process ends, too.
    process_.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    process_.start();
    clock_.start();
}

DotProcess::~DotProcess() {
    process_.kill();
    process_.waitForFinished(500);
}

std::vector<QByteArray> DotProcess::ask(const std::vector<QByteArray>& questions) {
    if (questions.empty()) return {};
    if (!process_.waitForStarted())
        throw NoLayout("Graphviz ('dot') was not found: showing simple rows. Install graphviz for a better layout.");
    for (const QByteArray& question : questions) process_.write(question);
    std::vector<QByteArray> answers;
    while (answers.size() < questions.size()) {
        if (const auto end = unread_.indexOf("stop\n"); end >= 0) {
            answers.push_back(unread_.left(end + 5));
            unread_.remove(0, end + 5);
            continue;
        }
        if (cancelled_) throw NoLayout("Layout cancelled: showing simple rows.");
        if (clock_.elapsed() > kLimitMs)
            throw NoLayout("Graphviz took more than " + std::to_string(kLimitMs / 1000) + " s: showing simple rows.");
        process_.waitForReadyRead(kPollMs);
        unread_ += process_.readAllStandardOutput();
        if (process_.state() == QProcess::NotRunning && !unread_.contains("stop\n"))
            throw NoLayout("Graphviz failed: showing simple rows.");
    }
    return answers;
}

}  // namespace aotscope
