// Operations without results: graphs keep them, whatever compiles them.

#include "test_runtime.h"

#include "ops/decompositions/decomposition_table.h"
#include "support/models.h"
#include "support/text.h"

#include <ATen/ops/eye.h>
#include <ATen/ops/zeros.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// One row for each setting that determines what runs.
template <typename AddRow>
void forEachSetting(const AddRow& addRow) {
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) addRow(compiler, "", false);
    addRow("interpreter", "", true);
    for (const char* table : {"core-aten", "inductor"}) addRow("interpreter", table, false);
}

Options optionsWith(const QString& compiler, const QString& table, bool libtorch) {
    Options options{.compilers = {.forward = compiler.toStdString()}};
    if (!table.isEmpty()) options.decompositions = DecompositionTable::load(table.toStdString());
    if (libtorch) options.dialect = Dialect::libtorch;
    return options;
}

/// The error of a run of `code`, a function of a matrix that is compiled for the identity, on `matrix`.
QString errorOn(const at::Tensor& matrix, const QString& code, bool gradient, const Options& options) {
    const std::string leaf = gradient ? R"([{"shape":[3,3],"requires_grad":true}])" : R"([{"shape":[3,3]}])";
    const Compiled compiled =
        compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + code.toStdString()), leaf, options);
    if (!compiled.compilation.function) return q(compiled.record().error);
    return errorOf([&] { compiled.function().run({matrix}, {}); });
}

void addSettings(const QStringList& codes) {
    columns<QString, QString, QString, bool>("code", "compiler", "table", "libtorch");
    for (const QString& code : codes)
        forEachSetting([&](const char* compiler, const char* table, bool libtorch) {
            QTest::addRow("%s: %s %s%s", qPrintable(code), compiler, table, libtorch ? " libtorch" : "")
                << code << QString::fromLatin1(compiler) << QString::fromLatin1(table) << libtorch;
        });
}

}  // namespace

void TestRuntime::errorsOfLinearAlgebraAreRaised_data() {
    addSettings({u"torch.linalg_inv(x)"_s, u"torch.linalg_cholesky(x)"_s, u"torch.linalg_solve(x, x)"_s,
                 u"torch.linalg_lu_factor(x)[0]"_s, u"torch.linalg_tensorinv(x, 1)"_s,
                 u"torch.linalg_matrix_power(x, -2)"_s, u"torch.inverse(x)"_s});
}
void TestRuntime::errorsOfLinearAlgebraAreRaised() {
    FETCH(QString, code, compiler, table);
    QFETCH(bool, libtorch);
    const Options options = optionsWith(compiler, table, libtorch);
    const auto eager =
        modelRunOf(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + code.toStdString()),
                   R"([{"shape":[3,3]}])");
    const QString expected = errorOf([&] { eager.function()({at::zeros({3, 3})}); });
    for (const bool gradient : {false, true}) {
        const at::Tensor zeros = at::zeros({3, 3}).requires_grad_(gradient);
        QCOMPARE(errorOn(zeros, code, gradient, options).isEmpty(), expected.isEmpty());
        const at::Tensor one = at::eye(3).requires_grad_(gradient);
        QCOMPARE(errorOn(one, code, gradient, options), QString());
    }
}
