// Opening the printed graphs of tests/data/printed.
#pragma once

#include "program/files/tensor_file.h"
#include "session/session.h"
#include "support/scratch.h"
#include "support/text.h"

#include <QtTest>

#include <ATen/core/ivalue.h>

namespace aotscope::test {

inline QString dataFolder() { return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/"); }

inline std::shared_ptr<const Session> openFile(const QString& path, const QString& id = {}) {
    return Session::open({.model = path.toStdString(), .compileId = id.toStdString(), .verify = true}, {});
}

inline std::shared_ptr<const CompileRecord> recordOf(const char* file, const char* id = "") {
    return openFile(dataFolder() + QLatin1String(file), QLatin1String(id))->record();
}

inline std::shared_ptr<const CompileRecord> repartitioned(const QString& path, const QString& id,
                                                          PartitionAlgorithm algorithm) {
    const Options options{.model = path.toStdString(),
                          .partition = {.algorithm = algorithm},
                          .compileId = id.toStdString(),
                          .repartition = true,
                          .verify = true};
    return Session::open(options, {})->record();
}

/// A forward() alone.
inline std::string function(const std::string& inputs, const std::string& lines) {
    return "def forward(self, " + inputs + "):\n" + lines;
}

/// Outputs, then gradients, as saveValues() writes them.
inline std::vector<std::vector<c10::IValue>> valuesOf(const Session& session, const Scratch& scratch) {
    const auto file = scratch.at(u"values.pt"_s).toStdString();
    session.saveValues(file, {});
    std::vector<std::vector<c10::IValue>> parts;
    const c10::IValue value = readSavedValue(file);
    for (const auto& part : value.toTupleRef().elements()) parts.push_back(part.toTupleRef().elements().vec());
    return parts;
}

inline QString firstDifference(const CheckResult& check) {
    return check.details.empty() ? QString() : q(check.details.front());
}

}  // namespace aotscope::test
