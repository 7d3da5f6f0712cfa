// Malicious files, opened by the command line: an error in bounded time and memory, and nothing is written.
// Each is opened by one of three commands (profiles by the only one that reads them), and endless programs get half a
// second. With AOTSCOPE_FUZZ in the environment, each is opened by all three with the default limits.

#include "support/hostile/hostile_files.h"
#include "support/listing.h"
#include "support/long_tests.h"
#include "support/program.h"
#include "support/test_program.h"

#include <vector>

namespace aotscope::test::hostile_files_test {
namespace {

#ifdef __SANITIZE_ADDRESS__  // which take several times as much of both
constexpr std::int64_t kMaxMemory = 3'000'000'000;
constexpr double kMaxCpuSeconds = 150;
#else
constexpr std::int64_t kMaxMemory = 500'000'000;  ///< bytes
constexpr double kMaxCpuSeconds = 15;             ///< 5 on a quiet machine; a busy one takes up to three times as long
#endif

}  // namespace

class TestHostileFiles : public QObject {
    Q_OBJECT

    Scratch scratch_, logs_;
    std::vector<HostileFile> files_, recordings_;

    void isHarmless(const HostileFile& hostile, const QStringList& arguments) {
        const QStringList before = listing(scratch_.path());
        const ProgramRun run = runProgram(arguments);
        const QByteArray text = run.text();
        QVERIFY2(run.code >= 0, text.constData());
        QCOMPARE(listing(scratch_.path()), before);
        QVERIFY2(run.cpuSeconds < kMaxCpuSeconds, QByteArray::number(run.cpuSeconds) + " s");
        QVERIFY2(run.peakBytes < kMaxMemory, QByteArray::number(static_cast<qlonglong>(run.peakBytes)) + " bytes");
        QVERIFY2(!text.contains('\x1b'), text.constData());
        if (hostile.sentence.isEmpty()) return;
        QVERIFY2(run.oneSentence() && run.err.contains(hostile.sentence.toUtf8()), text.constData());
        QVERIFY2(run.code == 1 || run.code == 2, text.constData());
    }

private Q_SLOTS:
    void initTestCase() {
        files_ = hostileFiles(scratch_);
        recordings_ = hostileRecordings(scratch_);
    }

    void isReportedAsAnError_data() {
        const auto row = columns<int, QStringList>("file", "command");
        const std::vector<QStringList> commands = {
            {u"passes"_s}, {u"run"_s, u"--check"_s}, {u"export"_s, u"-o"_s, logs_.at(u"graph.txt"_s)}};
        for (std::size_t i = 0; i < files_.size(); ++i)
            for (std::size_t c = 0; c < commands.size(); ++c)
                if (longTests() || i % commands.size() == c)
                    row(files_[i].name + u", "_s + commands[c][0], static_cast<int>(i), commands[c]);
    }
    void isReportedAsAnError() {
        QFETCH(int, file);
        QFETCH(QStringList, command);
        const HostileFile& hostile = files_[static_cast<std::size_t>(file)];
        if (hostile.arguments.contains(u"--profile"_s)) command = QStringList{u"run"_s};
        QStringList arguments = command + QStringList{hostile.path} + hostile.arguments;
        if (command[0] == u"export"_s && hostile.arguments.contains(u"--plan"_s))
            arguments << u"--graph"_s << u"forward"_s;  // the joint graph has no partition
        if (!longTests() && u"raise --time-limit"_s.contains(hostile.sentence) && !hostile.sentence.isEmpty())
            arguments << u"--time-limit"_s << u"0.2"_s;
        isHarmless(hostile, arguments);
    }

    void isReportedByItsReader_data() {
        const auto row = columns<int>("file");
        for (std::size_t i = 0; i < recordings_.size(); ++i) row(recordings_[i].name, static_cast<int>(i));
    }
    void isReportedByItsReader() {
        QFETCH(int, file);
        const HostileFile& hostile = recordings_[static_cast<std::size_t>(file)];
        isHarmless(hostile, hostile.arguments + QStringList{hostile.path});
    }
};

AOTSCOPE_TEST(TestHostileFiles)

}  // namespace aotscope::test::hostile_files_test

#include "test_hostile_files.moc"
