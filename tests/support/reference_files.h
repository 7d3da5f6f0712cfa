#pragma once

#include "record/compile_record.h"

#include <QDir>
#include <QJsonObject>
#include <QStringList>

namespace aotscope::test {

/// Graphs and metadata that PyTorch made of models and small programs. They are too large for the repository and are in
/// the folder named by the environment variable AOTSCOPE_REFERENCE.
struct ReferenceFiles {
    QDir folder;
    QJsonObject entries;  ///< of its "…_reference.json", by model or program

    /// Reads `name` ("zoo_reference.json") from the folder. Call it last in initTestCase: without a folder, the test is
    /// skipped; if the folder has no such file, it fails.
    void open(const QString& name);
};

/// Operations whose numbers in our joint graphs differ from PyTorch's, and why.
struct KnownDifference {
    QStringList ops;  ///< all others are equal; empty: nothing is compared
    const char* why = nullptr;
};

/// The joint graph as PyTorch leaves it: without dead operations, before equal ones are merged. Null: none.
std::shared_ptr<const Graph> tracedJoint(const CompileRecord& record);

}  // namespace aotscope::test
