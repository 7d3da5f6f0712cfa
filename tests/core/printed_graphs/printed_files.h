// Opening the printed graphs of tests/data/printed.
#pragma once

#include "session/session_printed.h"

#include <QtTest>

namespace aotscope::test {

inline QString dataFolder() { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/"); }

inline std::shared_ptr<const Session> openFile(const QString& path, const QString& id = {}) {
    Options options;
    options.model = path.toStdString();
    options.compileId = id.toStdString();
    options.verify = true;
    return openPrinted(options, {}, nullptr);
}

inline std::shared_ptr<const CompileRecord> recordOf(const char* file, const char* id = "") {
    return openFile(dataFolder() + QLatin1String(file), QLatin1String(id))->record();
}

inline std::shared_ptr<const CompileRecord> repartitioned(const QString& path, const QString& id,
                                                          PartitionAlgorithm algorithm) {
    Options options;
    options.model = path.toStdString();
    options.compileId = id.toStdString();
    options.partition.algorithm = algorithm;
    options.repartition = true;
    options.verify = true;
    return openPrinted(options, {}, nullptr)->record();
}

}  // namespace aotscope::test
