#pragma once

#include "record/compile_record.h"

#include <QDir>
#include <QJsonObject>
#include <QStringList>

namespace aotscope::test {

/// What PyTorch made of models and small programs. Too large for the repository: it lies in the folder that the
/// environment variable AOTSCOPE_REFERENCE names.
struct ReferenceFiles {
    QDir folder;
    QJsonObject entries;  ///< of its "…_reference.json", by model or program

    /// Reads `name` from the folder ("zoo_reference.json"). Call it last in initTestCase: without a folder everything
    /// is skipped, and fails if the folder has no such file.
    void open(const QString& name);
};

/// Operations of which our joint graphs have more or fewer than PyTorch's, and why.
struct KnownDifference {
    QStringList ops;  ///< all others are equal; none: nothing is compared
    const char* why = nullptr;
};

/// The joint graph as PyTorch leaves it: without dead operations, before equal ones are merged. Null if there is none.
std::shared_ptr<const Graph> tracedJoint(const CompileRecord& record);

}  // namespace aotscope::test
