#pragma once

#include <QDateTime>
#include <QString>

#include <vector>

namespace aotscope {

/// A report that the crash handler wrote, as far as the window tells of it.
struct CrashReport {
    QString file;
    QDateTime time;
    QString signal;     ///< as in "11 (segmentation fault)"
    QString exception;  ///< that nobody caught; empty: none
    QString model, work;
    QString recoveryCopy;  ///< the file that the window kept; empty: it was a command without a window
};

/// Those in the application's data folder, the latest first.
std::vector<CrashReport> crashReports();

/// The text of a report, with the names of C++ functions as they are in source code.
QString readableCrashReport(const QString& file);

}  // namespace aotscope
