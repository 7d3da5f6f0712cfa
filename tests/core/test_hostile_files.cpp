// Files made on purpose to do harm, opened by the command line: an error in bounded time and memory, nothing written.

#include "support/hostile/hostile_files.h"
#include "support/listing.h"

#include <QtTest>

#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace aotscope::test;

namespace {

constexpr std::int64_t kMostMemory = 500'000'000;  ///< bytes
constexpr double kMostProcessorSeconds = 10;       ///< 5 on a quiet machine; a busy one takes up to twice as long
constexpr int kMostSecondsByTheClock = 60;         ///< for what waits for ever

/// What one command did.
struct Outcome {
    int status = 0;  ///< as waitpid() gives it
    double seconds = 0;
    std::int64_t bytes = 0;
    QByteArray err;
};

/// Runs the program on one file, with its own look at memory and time.
Outcome runOn(const QStringList& arguments, const Scratch& logs) {
    std::vector<QByteArray> words{QByteArray(AOTSCOPE_PROGRAM)};
    for (const QString& argument : arguments) words.push_back(argument.toLocal8Bit());
    std::vector<char*> argv;
    for (QByteArray& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const QByteArray log = logs.at(QStringLiteral("err")).toLocal8Bit();
    const pid_t child = fork();
    if (child == 0) {
        const int out = open("/dev/null", O_WRONLY), err = open(log.constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, 1), dup2(err, 2);
        alarm(kMostSecondsByTheClock);
        execv(argv[0], argv.data());
        _exit(127);
    }
    Outcome outcome;
    rusage used{};
    while (wait4(child, &outcome.status, 0, &used) < 0 && errno == EINTR) {}
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    outcome.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    outcome.bytes = used.ru_maxrss * 1024;
    outcome.err = contentOf(logs.at(QStringLiteral("err")));
    return outcome;
}

}  // namespace

class TestHostileFiles : public QObject {
    Q_OBJECT

    Scratch scratch_, logs_;
    std::vector<HostileFile> files_;

private Q_SLOTS:
    void initTestCase() { files_ = hostileFiles(scratch_); }

    void endsInASentence_data() {
        QTest::addColumn<int>("file");
        QTest::addColumn<QStringList>("command");
        const std::vector<QStringList> commands = {
            {QStringLiteral("passes")},
            {QStringLiteral("run"), QStringLiteral("--check")},
            {QStringLiteral("export"), QStringLiteral("-o"), logs_.at(QStringLiteral("graph.txt"))}};
        for (std::size_t i = 0; i < files_.size(); ++i)
            for (const QStringList& command : commands)
                QTest::newRow(qPrintable(files_[i].name + QStringLiteral(", ") + command[0]))
                    << static_cast<int>(i) << command;
    }
    void endsInASentence() {
        QFETCH(int, file);
        QFETCH(QStringList, command);
        const HostileFile& hostile = files_[static_cast<std::size_t>(file)];
        const QStringList before = listing(scratch_.path());
        const Outcome outcome = runOn(command + QStringList{hostile.path} + hostile.arguments, logs_);
        const QByteArray text = "status " + QByteArray::number(outcome.status) + ": " + outcome.err.left(2000);
        QVERIFY2(WIFEXITED(outcome.status), text.constData());
        QCOMPARE(listing(scratch_.path()), before);
        QVERIFY2(outcome.seconds < kMostProcessorSeconds, QByteArray::number(outcome.seconds) + " s");
        QVERIFY2(outcome.bytes < kMostMemory, QByteArray::number(static_cast<qlonglong>(outcome.bytes)) + " bytes");
        if (hostile.sentence.isEmpty()) return;
        QVERIFY2(outcome.err.startsWith("aotscope: ") && outcome.err.count('\n') == 1, text.constData());
        QVERIFY2(outcome.err.contains(hostile.sentence.toUtf8()), text.constData());
        QVERIFY2(WEXITSTATUS(outcome.status) == 1 || WEXITSTATUS(outcome.status) == 2, text.constData());
    }
};

QTEST_GUILESS_MAIN(TestHostileFiles)
#include "test_hostile_files.moc"
