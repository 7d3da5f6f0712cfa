// Malicious files, opened in the window: it reports what is wrong, writes nothing, and keeps working. One
// window opens all of them, and endless programs get 0.2 s. With AOTSCOPE_FUZZ in the environment, each has a
// window of its own with the default limits.

#include "app/window_driver.h"
#include "support/hostile/hostile_files.h"
#include "support/listing.h"
#include "support/long_tests.h"
#include "support/test_program.h"

#include <QApplication>
#include <QDialog>
#include <QImage>
#include <QLabel>
#include <QToolTip>

#include <algorithm>
#include <ctime>

namespace aotscope::test::window_hostile_test {
namespace {

constexpr std::int64_t kMaxMemory = 500'000'000;  ///< bytes beyond those of the process before
constexpr double kMaxCpuSeconds = 15;             ///< 5 on a quiet machine; a busy one takes up to three times as long

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The value of a field of this process's status, in bytes.
std::int64_t statusBytes(const QByteArray& field) {
    for (const QByteArray& line : contentOf(u"/proc/self/status"_s).split('\n'))
        if (line.startsWith(QByteArray(field + ':')))
            return line.mid(field.size() + 1).trimmed().split(' ')[0].toLongLong() * 1024;
    return 0;
}

/// Resets the peak of memory.
void forgetPeak() {
    QFile file(u"/proc/self/clear_refs"_s);
    if (file.open(QIODevice::WriteOnly)) file.write("5");
}

InputSource specIn(const QString& file) { return parseInputSpec(contentOf(file).toStdString(), "spec"); }

void closeDialogs(MainWindow& window) {
    for (QDialog* dialog : window.findChildren<QDialog*>())
        if (dialog->isVisible()) dialog->reject();
}

}  // namespace

class TestWindowHostile : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;
    std::vector<HostileFile> files_;
    std::unique_ptr<Driver> driver_;

private Q_SLOTS:
    void initTestCase() {
        files_ = hostileFiles(scratch_);
        // The window opens a model, with a valid spec if it needs one.
        std::erase_if(files_, [](const HostileFile& file) {
            return !file.arguments.isEmpty() && !file.arguments.last().endsWith(u"/ts-inputs.json"_s);
        });
    }

    void isSurvived_data() {
        const auto row = columns<int>("file");
        for (std::size_t i = 0; i < files_.size(); ++i) row(files_[i].name, static_cast<int>(i));
    }
    void isSurvived() {
        QFETCH(int, file);
        const HostileFile& hostile = files_[static_cast<std::size_t>(file)];
        isolation_.forget();
        if (longTests()) driver_.reset();
        else Settings().setLimits({0.2, 0});
        if (!driver_) driver_ = std::make_unique<Driver>();
        Driver& d = *driver_;
        d.problems()->clear();
        const QStringList listed = listing(scratch_.path());
        forgetPeak();
        const std::int64_t memory = statusBytes("VmRSS");
        const double start = cpuSeconds();
        QVERIFY(d.open(hostile.path, hostile.arguments.isEmpty() ? InputSource() : specIn(hostile.arguments.last())));
        const double seconds = cpuSeconds() - start;
        const std::int64_t bytes = statusBytes("VmHWM") - memory;
        QCOMPARE(listing(scratch_.path()), listed);
        QVERIFY2(seconds < kMaxCpuSeconds, qPrintable(u"%1 s"_s.arg(seconds)));
        QVERIFY2(bytes < kMaxMemory, qPrintable(u"%1 bytes"_s.arg(bytes)));
        const bool asked =
            std::ranges::any_of(d.window.findChildren<QDialog*>(), [](auto* x) { return x->isVisible(); });
        if (!hostile.sentence.isEmpty()) QVERIFY2(asked || d.problems()->count() > 0, "nothing is said");
        closeDialogs(d.window);
        // Opening a sample takes as long as refusing most of these files.
        if (!longTests() && file % 8 != 0 && file + 1 != static_cast<int>(files_.size())) return;
        QVERIFY(d.openSample("sincos"));
        QCOMPARE(d.modelName(), u"sincos"_s);
    }
    void cleanupTestCase() { driver_.reset(); }

    /// Names and messages that look like HTML are shown as plain text; files that they name are not read.
    void textsReadNoFiles() {
        const Driver d;
        const QString picture = scratch_.path() + u"/picture.png"_s;
        QVERIFY(QImage(400, 300, QImage::Format_RGB32).save(picture));
        for (const QString& source : {picture, QString(u"file://"_s + picture)}) {
            const QString text = u"<img src=\"%1\">"_s.arg(source);
            QVERIFY(QLabel(text).sizeHint().height() < 100);
            QToolTip::showText(QPoint(), text);
            for (const QWidget* widget : QApplication::topLevelWidgets())
                if (widget->inherits("QTipLabel")) QVERIFY(widget->height() < 100);
            QVERIFY(QToolTip::isVisible());
            QToolTip::hideText();
        }
    }
};

AOTSCOPE_TEST(TestWindowHostile)

}  // namespace aotscope::test::window_hostile_test

#include "test_window_hostile.moc"
