#include "crash/crash_reports.h"

#include "crash/data_folder.h"

#include <QDir>
#include <QRegularExpression>

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace aotscope {

namespace {

constexpr qint64 kLargestReport = 262'144;

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(kLargestReport)) : QString();
}

/// The text after "name: " at the beginning of a line.
QString field(const QString& text, const char* name) {
    const QRegularExpression line(QStringLiteral("^%1: (.*)$").arg(QLatin1String(name)),
                                  QRegularExpression::MultilineOption);
    return line.match(text).captured(1);
}

CrashReport readReport(const QString& path) {
    const QString text = textOf(path);
    CrashReport report;
    report.file = path;
    report.time = QDateTime::fromString(field(text, "time"), Qt::ISODate).toLocalTime();
    report.signal = field(text, "signal").section(u',', 0, 0);
    report.exception = field(text, "exception");
    report.model = field(text, "open");
    report.work = field(text, "working on");
    report.recoveryCopy = field(text, "recovery copy");
    return report;
}

QString demangled(const QString& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(qPrintable(symbol), nullptr, nullptr, &status), &std::free);
    return status == 0 ? QString::fromUtf8(name.get()) : symbol;
}

}  // namespace

std::vector<CrashReport> crashReports() {
    const QDir folder(QString::fromStdString((dataFolder() / "crashes").string()));
    std::vector<CrashReport> reports;
    // Names begin with the time.
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files, QDir::Name | QDir::Reversed))
        reports.push_back(readReport(folder.filePath(name)));
    return reports;
}

QString readableCrashReport(const QString& file) {
    static const QRegularExpression symbol(QStringLiteral("\\b_Z\\w+"));
    const QString text = textOf(file);
    QString readable;
    qsizetype done = 0;
    for (auto found = symbol.globalMatch(text); found.hasNext();) {
        const auto match = found.next();
        readable += QStringView(text).mid(done, match.capturedStart() - done) + demangled(match.captured());
        done = match.capturedEnd();
    }
    return readable + QStringView(text).mid(done);
}

}  // namespace aotscope
