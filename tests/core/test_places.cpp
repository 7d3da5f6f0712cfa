// Files in unusual places: links, FIFOs, devices, files that shrink, and the standard output.

#include "io/session/session_file.h"
#include "load/model_source.h"
#include "session/session.h"
#include "support/exported_files.h"
#include "support/file.h"
#include "support/forks.h"
#include "support/input_file.h"
#include "support/mapped_file.h"
#include "support/patience.h"
#include "support/program.h"
#include "support/refusals.h"
#include "support/sanitized.h"
#include "support/saved_model.h"
#include "support/tensor_files.h"
#include "support/test_program.h"
#include "support/text.h"

#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aotscope::test::places_test {
namespace {

constexpr std::chrono::milliseconds kShort{300};

std::string plain(const QString& text) { return text.toStdString(); }

QString makeFifo(const Scratch& scratch, const QString& name) {
    if (mkfifo(qPrintable(scratch.at(name)), 0600) != 0) qFatal("no FIFO");
    return scratch.at(name);
}

/// Runs the program in a shell that redirects its output; "%p" stands for the program, "%e" for the engine, "%f"
/// for a forked one, which starts faster.
ProgramRun inShell(QString line) {
    QProcess process;
    line.replace("%p"_L1, QStringLiteral(AOTSCOPE_PROGRAM));
    line.replace("%e"_L1, engineFile());
    line.replace("%f"_L1, forkedProgram());
    process.start(u"bash"_s, {u"-c"_s, line});
    process.waitForFinished(kPatience);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace

class TestPlaces : public QObject {
    Q_OBJECT

    Scratch scratch_;

    QString at(const char* name) const { return scratch_.at(QLatin1String(name)); }
    void link(const char* target, const char* name) const {
        QVERIFY2(symlink(target, qPrintable(at(name))) == 0, name);
    }
    void write(const QString& path, const char* text) const { writeFileAtomically(plain(path), text); }
    QString errorOfWriting(const QString& path) const {
        return errorOf([&] { write(path, "x"); });
    }

private Q_SLOTS:
    void initTestCase() {
        saveModel("def forward(self, x: Tensor) -> Tensor:\n    return x * self.w", plain(at("model.pt")));
        scratch_.write(u"spec.json"_s, R"([{"shape":[2,3],"requires_grad":true}])");
    }

    // --- writing ---

    void linksAreFollowed() {
        write(at("target"), "old");
        link("target", "first");
        link("first", "second");
        write(at("second"), "new");
        QCOMPARE(contentOf(at("target")), QByteArray("new"));
        QVERIFY(QFileInfo(at("first")).isSymLink() && QFileInfo(at("second")).isSymLink());
    }

    void danglingLinksAreFilled() {
        QVERIFY(QDir(scratch_.path()).mkdir(u"folder"_s));
        link("folder/made", "dangling");
        write(at("dangling"), "new");
        QVERIFY(QFileInfo(at("dangling")).isSymLink());
        QCOMPARE(contentOf(at("folder/made")), QByteArray("new"));
        link("nowhere/made", "lost");
        QVERIFY(errorOfWriting(at("lost")).contains("No such file or directory"_L1));
    }

    void circlesOfLinksAreRefused() {
        link("two", "one");
        link("one", "two");
        QVERIFY2(errorOfWriting(at("one")).contains("form a loop"_L1), "writing");
        QVERIFY2(errorOf([&] { readFile(plain(at("one")), 9); }).contains("Too many levels of symbolic links"_L1),
                 "reading");
    }

    void longNames() {
        const QString name(255, u'n');
        write(scratch_.at(name), "long");
        QCOMPARE(contentOf(scratch_.at(name)), QByteArray("long"));
        write(scratch_.at(name), "again");
        QCOMPARE(contentOf(scratch_.at(name)), QByteArray("again"));
        QVERIFY(errorOfWriting(scratch_.at(name + u'n')).contains("File name too long"_L1));
    }

    void noTemporaryFilesAreLeft() {
        const Scratch own;
        write(own.at(u"file"_s), "x");
        const auto fails = [](const ByteSink& sink) {
            sink("half");
            throw Error("stop");
        };
        QCOMPARE(errorOf([&] { writeFileAtomically(plain(own.at(u"file"_s)), fails); }), u"stop"_s);
        QCOMPARE(own.files(), QStringList{u"file"_s});
        QCOMPARE(contentOf(own.at(u"file"_s)), QByteArray("x"));
    }

    void devicesAndFifosAreWrittenInto() {
        write(u"/dev/null"_s, "x");
        QVERIFY(errorOfWriting(u"/dev/full"_s).contains("No space left on device"_L1));
        struct stat status {};
        QVERIFY(stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
        const QString fifo = makeFifo(scratch_, u"out"_s);
        std::string read;
        std::thread reader([&] { read = InputFile(plain(fifo), InputFile::Accept::pipesToo).readAll(99); });
        write(fifo, "through");
        reader.join();
        QCOMPARE(read, std::string("through"));
        QVERIFY(stat(qPrintable(fifo), &status) == 0 && S_ISFIFO(status.st_mode));
    }

    void openDescriptorsAreWrittenInto() {
        const QByteArray path = at("log").toLocal8Bit();
        const int file = ::open(path.constData(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        QCOMPARE(::write(file, "before ", 7), ssize_t{7});
        struct stat before {
        }, after{};
        QVERIFY(fstat(file, &before) == 0);
        write(u"/dev/fd/%1"_s.arg(file), "and ");
        link(qPrintable(u"/proc/self/fd/%1"_s.arg(file)), "indirect");
        write(at("indirect"), "after");
        QVERIFY(stat(path.constData(), &after) == 0);
        QCOMPARE(after.st_ino, before.st_ino);
        ::close(file);
        QCOMPARE(contentOf(at("log")), QByteArray("before and after"));
        QVERIFY(!errorOfWriting(u"/dev/fd/%1"_s.arg(file)).isEmpty());
    }

    // --- reading ---

    void otherThanRegularFilesAreRefused_data() {
        const auto row = columns<QString, QString>("path", "what");
        row("FIFO", makeFifo(scratch_, u"in"_s), "expected a regular file, found a FIFO");
        row("endless device", "/dev/zero", "expected a regular file, found a device");
        row("folder", scratch_.path(), "expected a file, found a folder");
    }
    void otherThanRegularFilesAreRefused() {
        FETCH(QString, path, what);
        const std::string file = plain(path);
        QVERIFY(errorOf([&] { readFile(file, 99); }).endsWith(what));
        QVERIFY(errorOf([&] { MappedFile::open(file); }).endsWith(what));
        QVERIFY(beginningOf(file, 4).empty());
        QVERIFY(recognise(file) != ModelSource::session);
        const Options options{.model = file};
        // A folder is looked through for printed graphs.
        QVERIFY(errorOf([&] { Session::open(options, {}); }).contains(what.section(u", "_s, -1)));
    }

    void pipesAreReadToTheirEnd() {
        const QString fifo = makeFifo(scratch_, u"slow"_s);
        std::thread writer([&] {
            const int end = ::open(qPrintable(fifo), O_WRONLY);
            for (const char* piece : {"one ", "two ", "three"}) {
                (void)!::write(end, piece, strlen(piece));
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
            ::close(end);
        });
        const std::string content = readInput(plain(fifo), 99);
        writer.join();
        QCOMPARE(content, std::string("one two three"));
    }

    void pipesWithoutAWriterTimeOut() {
        const QString fifo = makeFifo(scratch_, u"silent"_s);
        const InputFile file(plain(fifo), InputFile::Accept::pipesToo);
        QVERIFY(errorOf([&] { file.readAll(99, kShort); }).contains("nothing was written to this FIFO"_L1));
    }

    void filesOfTheKernelAreReadWithoutASize() {
        QVERIFY(readFile("/proc/self/status", 1 << 16).find("VmSize") != std::string::npos);
        QVERIFY(errorOf([] { readFile("/proc/self/status", 9); }).contains("expected at most 9 bytes"_L1));
    }

    void specsFromCommands() {
        const ProgramRun run =
            inShell(u"%p run "_s + at("model.pt") + u" --inputs <(cat "_s + at("spec.json") + u")"_s);
        QVERIFY2(run.code == 0, run.text().constData());
    }

    // --- files that shrink ---

    void lostPagesAreNoticed() {
        const QString path = scratch_.write(u"large"_s, QByteArray(1 << 20, 'a'));
        const MappedFileWatch before;
        const auto file = MappedFile::open(plain(path));
        const auto sum = [&] { return std::count(file->text().begin(), file->text().end(), 'a'); };
        QCOMPARE(sum(), 1 << 20);
        before.requireWhole();
        QVERIFY(QFile::resize(path, 10'000));
        QVERIFY(sum() < 1 << 20);  // instead of an end by SIGBUS
        QVERIFY(errorOf([&] { before.requireWhole(); }).contains(path + u"': it was truncated"_s));
        const MappedFileWatch after;
        const auto again = MappedFile::open(plain(path));
        QCOMPARE(std::count(again->text().begin(), again->text().end(), 'a'), 10'000);
        after.requireWhole();
    }

    void shrinkingWeightsAreAnError() {
        const auto product =
            exportedNode("torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                         nlohmann::json::array({exportedTensor("mul")}));
        exportedProgram(nlohmann::json::array({product}), {"mul"}).write(at("product.pt2"));
        // The elements are a few pages after the beginning.
        const QByteArray whole =
            safetensorsBytes(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})" + QByteArray(1 << 16, ' '),
                             bytesOf<float>({1, 2, 3, 4}));
        const QString weights = scratch_.write(u"product.safetensors"_s, whole);
        const Options options{.model = plain(at("product.pt2")),
                              .weights = plain(weights),
                              .inputs = parseInputSpec(R"([{"shape":[3,4]}])", "spec")};
        const auto session = Session::open(options, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        QVERIFY(session->check({}).ok);
        QVERIFY(QFile::resize(weights, 64));
        const QString error = errorOf([&] { session->check({}); });
        QVERIFY2(error.contains(weights + u"': it was truncated"_s), qPrintable(error));
        scratch_.write(u"product.safetensors"_s, whole);
        QVERIFY(Session::open(options, {}, session)->check({}).ok);  // not with the remains of the old ones
    }

    // --- the command line ---

    void outputsOverInputs_data() {
        link("model.pt", "same.pt");
        QVERIFY(::link(qPrintable(at("spec.json")), qPrintable(at("hard.json"))) == 0);
        scratch_.write(u"table.json"_s, R"({"base":"core-aten"})");
        scratch_.write(u"values.json"_s, R"({"mul":1})");
        const auto row = refusalRows();
        const char* model = "this command reads that file (MODEL); write to another one";
        row("export @model.pt --inputs @spec.json --format txt -o @model.pt", 2, model);
        row("export @model.pt --inputs @spec.json --format txt -o @same.pt", 2, model);
        row("export @same.pt --inputs @spec.json --format txt -o @model.pt", 2, model);
        row("run @model.pt --inputs @spec.json --report @hard.json", 2, "reads that file (--inputs)");
        row("run @model.pt --inputs @spec.json --decompose @table.json --report @table.json", 2, "(--decompose)");
        row("run @model.pt --inputs @spec.json --time 1 --trace @t.json --report @t.json", 2,
            "two outputs would go into that file");
        row("diff @model.pt @values.json --inputs @spec.json --output @values.json", 2, "(OTHER)");
        row("partition @model.pt --inputs @spec.json --report @spec.json", 2, "(--inputs)");
        row("pareto @model.pt --inputs @spec.json --json @model.pt", 2, "--json ");
        row("run sample:mlp --library @in --report @r.json", 1, "expected a shared library, found a FIFO");
        row("run sample:mlp --plugin @in", 2, "expected a shared library, found a FIFO");
        row("run sample:mlp --decompose @in", 1, "expected a regular file, found a FIFO");
        row("run sample:mlp --report @one", 1, "its symbolic links form a loop");
    }
    void outputsOverInputs() {
        const QByteArray model = contentOf(at("model.pt")), spec = contentOf(at("spec.json"));
        isRefused(scratch_);
        QCOMPARE(contentOf(at("model.pt")), model);
        QCOMPARE(contentOf(at("spec.json")), spec);
    }

    /// An input that has been read completely may be overwritten by an output.
    void sessionsAreSavedOverThemselves() {
        const QStringList words{u"run"_s, u"sample:sincos"_s, u"--save"_s, at("s.aotscope")};
        QCOMPARE(runProgram(words).code, 0);
        const ProgramRun run = runProgram({u"run"_s, at("s.aotscope"), u"--check"_s, u"--save"_s, at("s.aotscope")});
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY(readSessionFile(plain(at("s.aotscope"))).content.check);
    }

    void standardOutput_data() {
        columns<QString, int, QString>("line", "code", "err");
        const char* full = "aotscope: cannot write to the standard output: No space left on device; ";
        const char* closed = "aotscope: cannot write to the standard output: it is closed; ";
        for (const char* command : {"samples", "--help", "run --help", "--version", "ops", "passes sample:mlp",
                                    "run sample:sincos", "compilers", "ops --json"})
            QTest::addRow("%s, full", command) << u"%f %1 > /dev/full"_s.arg(QLatin1String(command)) << 1 << full;
        // One place detects it, before the command is known; these two write by themselves and through CLI11.
        for (const char* command : {"samples", "--help"})
            QTest::addRow("%s, closed", command) << u"%p %1 >&-"_s.arg(QLatin1String(command)) << 1 << closed;
        QTest::newRow("nobody reads") << "%f ops | head -1 > /dev/null; exit ${PIPESTATUS[0]}" << 141 << "";
        QTest::newRow("nobody reads, ignored signal")
            << "trap '' PIPE; %p ops | head -1 > /dev/null; exit ${PIPESTATUS[0]}" << 141 << "";
        QTest::newRow("written into") << "%f export sample:sincos --graph joint --format txt -o /dev/stdout | head -1"
                                      << 0 << "";
    }
    void standardOutput() {
        FETCH(QString, line, err);
        QFETCH(int, code);
        const ProgramRun run = inShell(line);
        QVERIFY2(run.code == code, run.text().constData());
        if (err.isEmpty()) QVERIFY2(run.err.isEmpty(), run.err.constData());
        else QVERIFY2(run.oneSentence() && run.err.startsWith(err.toUtf8()), run.text().constData());
    }

    /// An opened file never gets the descriptor of a closed standard output.
    void closedOutputGoesIntoNoFile() {
        const ProgramRun run = inShell(u"%p run sample:sincos --report "_s + at("alone.json") + u" >&-"_s);
        QCOMPARE(run.code, 1);
        QVERIFY(!readJson(at("alone.json")).isEmpty());
    }

    void outputGoesOnWhereItStands() {
        const ProgramRun run =
            inShell(u"(echo first; %f export sample:sincos --format txt -o /dev/stdout) > "_s + at("joined.txt"));
        QVERIFY2(run.code == 0, run.text().constData());
        const QByteArray text = contentOf(at("joined.txt"));
        QVERIFY2(text.startsWith("first\ngraph ") && text.trimmed().endsWith("written to /dev/stdout"),
                 text.constData());
    }

    void tooLittleMemoryIsReported() {
        if (kSanitized) QSKIP("SKIPPED: sanitized programs do not start within a limit of address space");
        int refused = 0;
        for (int kilobytes = 420'000; kilobytes <= 520'000; kilobytes += 10'000) {
            const ProgramRun run = inShell(u"ulimit -v %1; %e samples"_s.arg(kilobytes));
            if (run.code == 0 || run.code == 127) continue;  // 127: the system could not load it
            ++refused;
            QVERIFY2(run.code == 1 && run.oneSentence() && run.err.contains("memory"), run.text().constData());
        }
        if (refused == 0) QSKIP("SKIPPED: the memory for starting lies elsewhere here");
    }
};

AOTSCOPE_TEST(TestPlaces)

}  // namespace aotscope::test::places_test

#include "test_places.moc"
