#include "support/reference_files.h"

#include "support/program.h"

#include <QtTest>

namespace aotscope::test {

void ReferenceFiles::open(const QString& name) {
    const QString path = qEnvironmentVariable("AOTSCOPE_REFERENCE");
    if (path.isEmpty())
        QSKIP(
            "SKIPPED: no reference files; point AOTSCOPE_REFERENCE to a folder with zoo_reference.json, zoo/, "
            "cases_reference.json and cases/ to compare with PyTorch");
    folder.setPath(path);
    entries = readJson(folder.filePath(name));
    QVERIFY2(!entries.isEmpty(), qPrintable(u"no %1 in '%2'"_s.arg(name, path)));
}

std::shared_ptr<const Graph> tracedJoint(const CompileRecord& record) {
    for (const auto& pass : record.passes)
        if (pass.id == PassId::deadCode) return pass.graphs.back().second;
    return nullptr;
}

}  // namespace aotscope::test
