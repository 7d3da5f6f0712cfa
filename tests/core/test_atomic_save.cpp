// Saving a session is atomic: whatever happens, its file is the old one or the new one.

#include "io/session/session_file.h"
#include "session/session.h"
#include "support/child.h"
#include "support/file.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <array>
#include <csignal>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aotscope::test::atomic_save_test {
namespace {

SessionContent contentCalled(const std::string& view) {
    static const SessionContent made = [] { return Session::open({.model = "sample:mlp"}, {})->content(); }();
    SessionContent content = made;
    content.view = view;
    return content;
}

std::string viewIn(const QString& path) { return readSessionFile(path.toStdString()).content.view; }

QString errorOfSaving(const QString& path, const std::string& view) {
    return errorOf([&] { writeSessionFile(path.toStdString(), contentCalled(view)); });
}

}  // namespace

class TestAtomicSave : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { contentCalled(""); }

    void killedWhileSaving() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        writeSessionFile(path.toStdString(), contentCalled("0"));
        QSet<QString> seen;
        for (int round = 0; round < 60; ++round) {
            std::array<int, 2> ends{};
            QVERIFY(pipe(ends.data()) == 0);
            const pid_t child = fork();
            if (child == 0) {
                for (int i = 1; i < 10'000; ++i) {
                    writeSessionFile(path.toStdString(), contentCalled(std::to_string(round * 10'000 + i)));
                    if (write(ends[1], "", 1) != 1) _exit(1);
                }
                _exit(0);
            }
            close(ends[1]);
            // A random time during one of the saves after the first.
            char saved = 0;
            QVERIFY(read(ends[0], &saved, 1) == 1);
            usleep(QRandomGenerator::global()->bounded(30'000));
            kill(child, SIGKILL);
            int status = 0;
            waitpid(child, &status, 0);
            close(ends[0]);
            QVERIFY(WIFSIGNALED(status));
            const QString error = errorOf([&] { seen << q(viewIn(path)); });
            QVERIFY2(error.isEmpty(), qPrintable(error));
        }
        QVERIFY2(seen.size() > 20, qPrintable(QString::number(seen.size())));  // something was saved in each round
    }

    /// Incomplete files of a killed process are removed with it.
    void killedInTheMiddle() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.txt"_s);
        std::array<int, 2> ends{};
        QVERIFY(pipe(ends.data()) == 0);
        const pid_t child = fork();
        if (child == 0) {
            writeFileAtomically(path.toStdString(), [&](const ByteSink& sink) {
                sink("half");
                if (write(ends[1], "", 1) == 1) pause();
            });
            _exit(1);
        }
        close(ends[1]);
        char begun = 0;
        QVERIFY(read(ends[0], &begun, 1) == 1);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        close(ends[0]);
        const QStringList left = scratch.files();
        if (!left.isEmpty()) QSKIP("SKIPPED: this file system has no files without names");
        writeFileAtomically(path.toStdString(), "whole");
        QCOMPARE(scratch.files(), QStringList{u"s.txt"_s});
    }

    /// Writing fails in the middle of the file.
    void fileSizeLimit() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        writeSessionFile(path.toStdString(), contentCalled("old"));
        const QString error = inChild([&] {
            signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{4096, 4096};
            setrlimit(RLIMIT_FSIZE, &limit);
            return errorOfSaving(path, "new");
        });
        QVERIFY2(error.startsWith(u"cannot write '%1': "_s.arg(path)), qPrintable(error));
        QCOMPARE(viewIn(path), std::string("old"));
        QCOMPARE(scratch.files(), QStringList{u"s.aotscope"_s});
    }

    void fullDisk() {
        const Scratch scratch;
        const QString outcome = inChild([&] {
            const QByteArray folder = scratch.path().toUtf8();
            if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                mount("none", folder.constData(), "tmpfs", 0, "size=256k") != 0)
                return u"cannot mount"_s;
            const QString path = scratch.at(u"s.aotscope"_s);
            if (QString error = errorOfSaving(path, "old"); !error.isEmpty()) return error;
            QFile filler(scratch.at(u"filler"_s));
            if (!filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) return u"no filler"_s;
            const QByteArray block(4096, 'x');
            while (filler.write(block) == block.size()) {}
            const QString error = errorOfSaving(path, "new");
            return error + u'|' + q(viewIn(path)) + u'|' + scratch.files().join(u',');
        });
        if (outcome == "cannot mount"_L1) QSKIP("SKIPPED: no right to mount a small file system");
        const QStringList parts = outcome.split(u'|');
        QVERIFY2(parts.value(0).contains("No space left on device"_L1), qPrintable(outcome));
        QCOMPARE(parts.value(1), u"old"_s);
        QCOMPARE(parts.value(2), u"filler,s.aotscope"_s);
    }

    void readOnlyFolder() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        writeSessionFile(path.toStdString(), contentCalled("old"));
        QVERIFY(chmod(qPrintable(scratch.path()), 0555) == 0);
        const QString error = inChild([&] {
            if (geteuid() == 0 && seteuid(65534) != 0) return u"cannot give up rights"_s;
            return errorOfSaving(path, "new");
        });
        chmod(qPrintable(scratch.path()), 0755);
        QVERIFY2(error.contains("Permission denied"_L1), qPrintable(error));
        QCOMPARE(viewIn(path), std::string("old"));
    }

    void linksAndRightsStay() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s), link = scratch.at(u"link.aotscope"_s);
        writeSessionFile(path.toStdString(), contentCalled("old"));
        QVERIFY(chmod(qPrintable(path), 0600) == 0);
        QVERIFY(QFile::link(path, link));
        writeSessionFile(link.toStdString(), contentCalled("new"));
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(viewIn(path), std::string("new"));
        struct stat now {};
        QVERIFY(stat(qPrintable(path), &now) == 0);
        QCOMPARE(now.st_mode & 0777, 0600U);
    }
};

AOTSCOPE_TEST(TestAtomicSave)

}  // namespace aotscope::test::atomic_save_test

#include "test_atomic_save.moc"
