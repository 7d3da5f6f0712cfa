#pragma once

#include <QDateTime>
#include <QString>

#include <vector>

namespace aotscope {

/// A report of the crash handler, as far as the window shows it.
struct CrashReport {
    QString file;
    QDateTime time;
    QString signal;     ///< as in "11 (segmentation fault)"
    QString exception;  ///< the uncaught exception; empty: a signal
    QString model, work;
    QString recoveryCopy;  ///< the recovery copy of the window; empty: it was a command without a window
};

/// Reports in the application's data folder, the latest first.
std::vector<CrashReport> crashReports();

/// The text of a report, with demangled names of C++ functions.
QString readableCrashReport(const QString& file);

}  // namespace aotscope
