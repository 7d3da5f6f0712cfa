// Confined threads can read, compute and start threads, but not write, start programs or use the network.

#include "support/confinement.h"
#include "support/test_program.h"

#include "session/session.h"
#include "support/child.h"
#include "support/confine_thread.h"
#include "support/file.h"
#include "support/mapped_file.h"
#include "support/models.h"
#include "support/resident_memory.h"
#include "support/saved_model.h"
#include "support/scratch.h"
#include "support/temporary_folder.h"
#include "support/text.h"

#include <ATen/Parallel.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace aotscope::test::confinement_test {
namespace {

/// The error number of a call; 0 if it succeeded.
template <typename Call>
int failureOf(Call&& call) {
    errno = 0;
    return call() < 0 ? errno : 0;
}

int openFailure(const QString& path, int flags) {
    return failureOf([&] {
        const int file = ::open(path.toLocal8Bit().constData(), flags | O_CLOEXEC, 0600);
        if (file >= 0) ::close(file);
        return file;
    });
}

bool startsAProgram() {
    char name[] = "/bin/true";
    char* arguments[] = {name, nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, name, nullptr, nullptr, arguments, nullptr) != 0) return false;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

QString needed() { return confinement().landlock && confinement().seccomp ? QString() : q(confinementText()); }

}  // namespace

class TestConfinement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        if (!needed().isEmpty() && qstrcmp(QTest::currentTestFunction(), "resultsAndErrorsComeBack") != 0)
            QSKIP(qPrintable(needed()));
    }

    void resultsAndErrorsComeBack() {
        QCOMPARE(confined([] { return 42; }), 42);
        QCOMPARE(errorOf([] { runConfined([] { throw Error("as thrown"); }); }), u"as thrown"_s);
        int count = 0;
        runConfined([&] { runConfined([&] { ++count; }); });  // a job in a job
        QCOMPARE(count, 1);
        const auto here = std::this_thread::get_id();
        const auto first = confined([] { return std::this_thread::get_id(); });
        QVERIFY(first != here);
        QCOMPARE(confined([] { return std::this_thread::get_id(); }), first);  // one thread remains
    }

    void files() {
        const Scratch scratch;
        const QString old = scratch.write(u"old"_s, "content"), fresh = scratch.at(u"new"_s);
        const QByteArray from = old.toLocal8Bit(), to = fresh.toLocal8Bit();
        runConfined([&] {
            QVERIFY(openFailure(fresh, O_WRONLY | O_CREAT) == EACCES);
            QVERIFY(openFailure(old, O_WRONLY) == EACCES);
            QVERIFY(openFailure(old, O_RDWR) == EACCES);
            QVERIFY(openFailure(old, O_RDONLY | O_TRUNC) == EACCES);
            QVERIFY(failureOf([&] { return ::truncate(from.constData(), 0); }) != 0);
            QVERIFY(failureOf([&] { return ::rename(from.constData(), to.constData()); }) != 0);
            QVERIFY(failureOf([&] { return ::link(from.constData(), to.constData()); }) != 0);
            QVERIFY(failureOf([&] { return ::symlink(from.constData(), to.constData()); }) != 0);
            QVERIFY(failureOf([&] { return ::unlink(from.constData()); }) != 0);
            QVERIFY(failureOf([&] { return ::mkdir(to.constData(), 0700); }) != 0);
            QVERIFY(failureOf([&] { return ::mkfifo(to.constData(), 0700); }) != 0);
            QVERIFY(failureOf([&] { return ::chmod(from.constData(), 0777); }) != 0);
            QVERIFY(openFailure(old, O_RDONLY) == 0);
            QVERIFY(openFailure(u"/dev/null"_s, O_WRONLY) == 0);
        });
        QCOMPARE(contentOf(old), QByteArray("content"));
        QCOMPARE(scratch.files(), QStringList{u"old"_s});
        scratch.write(u"new"_s, "outside nothing is restricted");
    }

    void network() {
        const Scratch scratch;
        sockaddr_un local{};
        local.sun_family = AF_UNIX;
        const QByteArray path = scratch.at(u"socket"_s).toLocal8Bit();
        qstrncpy(local.sun_path, path.constData(), sizeof(local.sun_path));
        const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        QVERIFY(::bind(listener, reinterpret_cast<const sockaddr*>(&local), sizeof(local)) == 0);
        QVERIFY(::listen(listener, 1) == 0);
        const int tcp = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);  // one that was open before
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(9);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        runConfined([&] {
            QCOMPARE(failureOf([] { return ::socket(AF_UNIX, SOCK_STREAM, 0); }), EPERM);
            QCOMPARE(failureOf([] { return ::socket(AF_INET, SOCK_STREAM, 0); }), EPERM);
            QCOMPARE(
                failureOf([&] { return ::connect(tcp, reinterpret_cast<const sockaddr*>(&address), sizeof(address)); }),
                EPERM);
            QCOMPARE(failureOf([&] { return ::send(tcp, "x", 1, MSG_NOSIGNAL); }), EPERM);
        });
        const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        QVERIFY(::connect(client, reinterpret_cast<const sockaddr*>(&local), sizeof(local)) == 0);
        for (const int open : {client, listener, tcp}) ::close(open);
    }

    void programs() {
        runConfined([] {
            QVERIFY(!startsAProgram());
            QCOMPARE(failureOf([] { return ::fork(); }), EPERM);
            QVERIFY(failureOf([] { return ::kill(::getppid(), 0); }) != 0);
        });
        QVERIFY(startsAProgram());
    }

    /// Threads of OpenMP's pool are confined, too: each calling thread has a pool of its own.
    void threadsAreConfinedToo() {
        const Scratch scratch;
        std::atomic<int> written = 0, ran = 0;
        const auto attempt = [&](const QString& name) {
            ++ran;
            if (openFailure(scratch.at(name), O_WRONLY | O_CREAT) == 0) ++written;
        };
        at::parallel_for(0, 64, 1, [](int64_t, int64_t) {});  // this thread's pool exists already
        runConfined([&] {
            std::thread([&] { attempt(u"thread"_s); }).join();
            at::parallel_for(0, 64, 1, [&](int64_t begin, int64_t) { attempt(u"parallel%1"_s.arg(begin)); });
            const at::Tensor square = at::ones({256, 256});
            QCOMPARE(at::matmul(square, square).sum().item<double>(), 256.0 * 256 * 256);
        });
        QVERIFY(ran.load() > 1);
        QCOMPARE(written.load(), 0);
        QVERIFY(scratch.files().isEmpty());
    }

    void whatTheUserTrusts() {
        const Scratch scratch;
        const auto here = std::this_thread::get_id();
        runConfined([&] {
            QVERIFY(unconfined([&] { return std::this_thread::get_id() == here; }));
            QVERIFY(unconfined([&] { return openFailure(scratch.at(u"a"_s), O_WRONLY | O_CREAT) == 0; }));
            QCOMPARE(errorOf([] { runUnconfined([] { throw Error("as thrown"); }); }), u"as thrown"_s);
            // Its confined work runs on yet another thread.
            runUnconfined(
                [&] { runConfined([&] { QVERIFY(openFailure(scratch.at(u"b"_s), O_WRONLY | O_CREAT) == EACCES); }); });
            QVERIFY(openFailure(scratch.at(u"b"_s), O_WRONLY | O_CREAT) == EACCES);
        });
        QCOMPARE(scratch.files(), QStringList{u"a"_s});
    }

    void afterAFork() {
        runConfined([] {});
        const QString found = inChild([] {
            return openFailure(QDir::temp().filePath(u"aotscope-never"_s), O_WRONLY) == ENOENT &&
                           confined([] { return openFailure(u"/dev/zero"_s, O_WRONLY) == EACCES; })
                       ? u"confined"_s
                       : u"not"_s;
        });
        QCOMPARE(found, u"confined"_s);
    }

    void aProcessAndItsFolders() {
        const Scratch own, other;
        const QString found = inChild([&] {
            confineThread({own.path().toStdString()});
            const std::filesystem::path file = own.at(u"file"_s).toStdString();
            for (const char* content : {"one", "two"}) writeFileAtomically(file, content);
            if (readFile(file, 10) != "two") return u"it cannot write"_s;
            {
                const TemporaryFolder folder(own.path().toStdString());
                writeFileAtomically(folder.require() / "file", "three");
            }
            if (::symlink("/etc/passwd", own.at(u"link"_s).toLocal8Bit().constData()) == 0) return u"it makes links"_s;
            if (openFailure(other.at(u"file"_s), O_WRONLY | O_CREAT) != EACCES) return u"it writes elsewhere"_s;
            if (::rename(file.c_str(), other.at(u"file"_s).toLocal8Bit().constData()) == 0) return u"it moves files"_s;
            if (::socket(AF_INET, SOCK_STREAM, 0) >= 0) return u"it connects"_s;
            if (startsAProgram() || ::fork() >= 0) return u"it starts programs"_s;
            return u"confined"_s;
        });
        QCOMPARE(found, u"confined"_s);
        QCOMPARE(own.files(), QStringList{u"file"_s});
        QVERIFY(other.files().isEmpty() && QDir(own.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
    }

    void memoryIsLimited() {
        const QString found = inChild([] {
            limitData();
            const auto all =
                static_cast<std::size_t>(availableBytes() + ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE));
            // Without a limit, this is possible, since it reserves nothing.
            if (::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
                MAP_FAILED)
                return u"not limited"_s;
            const Scratch scratch;
            const QString large = scratch.write(u"large"_s, "");
            std::filesystem::resize_file(large.toStdString(), all);
            return MappedFile::open(large.toStdString())->text().size() == all ? u"limited"_s : u"files, too"_s;
        });
        QCOMPARE(found, u"limited"_s);
    }

    /// An operator that would write: the graph is built here, without the loader and its policy.
    void anOperatorThatWrites() {
        const Scratch scratch;
        const std::string target = scratch.at(u"written"_s).toStdString();
        const std::string methods = "def forward(self, x: Tensor) -> Tensor:\n    torch.save(torch.tensor([1.0]), '" +
                                    target + "')\n    return x * 2\n";
        const char* spec = R"({"values":[{"leaf":{"shape":[2],"dtype":"float32","fill":"ones"}}],)"
                           R"("inputs":[{"tensor":0}]})";
        runConfined([&] { compile(moduleFrom(methods), spec); });  // it does not try to open the file
        QVERIFY(scratch.files().isEmpty());
        compile(moduleFrom(methods), spec);
        QCOMPARE(scratch.files(), QStringList{u"written"_s});  // it does write when nothing confines it
    }

    void whatTheUserAllows() {
        const Scratch scratch;
        const QString model = scratch.at(u"model.pt"_s), target = scratch.at(u"written"_s);
        saveModel("def forward(self) -> Tensor:\n    torch.save(torch.tensor([1.0]), '" + target.toStdString() +
                      "')\n    return self.w * 2\n",
                  model.toStdString());
        Options options{.model = model.toStdString()};
        QVERIFY(!errorOf([&] { Session::open(options, {}); }).isEmpty());
        QVERIFY(!QFile::exists(target));
        options.allow = {OperatorKind::writesFiles};
        QCOMPARE(q(Session::open(options, {})->record()->error), QString());
        QVERIFY(QFile::exists(target));
    }
};

AOTSCOPE_TEST(TestConfinement)

}  // namespace aotscope::test::confinement_test

#include "test_confinement.moc"
