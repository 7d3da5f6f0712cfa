// The table of operators against LibTorch's registry, and what is known about operators outside of it.

#include "aten/convert.h"
#include "ops/op_table.h"
#include "ops/operator_facts.h"
#include "ops/operator_rows.h"
#include "ops/registered_operators.h"
#include "support/golden.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/version.h>

#include <algorithm>
#include <string>
#include <vector>

namespace aotscope::test::operator_facts_test {
namespace {

/// The rows of all operators that have an overload, sorted.
std::vector<std::string> registeredRows() {
    std::vector<std::string> rows;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
        if (auto row = registeredRow(graphName(name)); row && parsedRow(*row)) rows.push_back(std::move(*row));
    std::ranges::sort(rows);
    return rows;
}

const OperatorFacts* declared(const char* row) {
    const auto facts = parsedRow(row);
    if (!facts) return nullptr;
    declareOperator(*facts);
    return operatorFacts(facts->op);
}

}  // namespace

class TestOperatorFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The table is that of LibTorch 2.13; UPDATE_GOLDEN=1 writes it. Other versions differ in few operators.
    void tableIsThatOfLibTorch() {
        const std::vector<std::string> rows = registeredRows();
        if (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR == 13) {
            QByteArray text;
            for (const std::string& row : rows) text += QByteArray::fromStdString(row) + '\n';
            const QString difference = compareWithGolden(u"../../resources/operators/schemas.txt"_s, text);
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
        QStringList wrong;
        for (const std::string& row : rows)
            if (const auto* facts = operatorFacts(parsedRow(row)->op); facts->row != row)
                wrong << u"%1: %2"_s.arg(q(row), q(facts->row));
        QVERIFY2(wrong.size() < 20, qPrintable(wrong.join(u'\n')));
    }

    void rowsAreReadAndWritten() {
        for (const std::string_view row : operatorRows()) {
            const auto facts = parsedRow(row);
            QVERIFY2(facts && printedRow(*facts) == row, qPrintable(q(row)));
        }
        for (const char* row :
             {"", " ", "aten.add", "aten.add.Tensor  self", "aten.add.Tensor self !", "aten.add.Tensor? !",
              "aten.add.Tensor!", "aten..Tensor self", "aten.add.Tensor se-lf", "aten.add.Tensor self\n"})
            QVERIFY2(!parsedRow(row), row);
    }

    void factsOfSomeOperators() {
        const OperatorFacts* add = operatorFacts("aten.add_.Tensor");
        QVERIFY(add && add->writes() && !add->views && !add->random);
        QCOMPARE(add->parameters.size(), std::size_t{3});
        QVERIFY(add->parameters[0].written && !add->parameters[1].written);
        QCOMPARE(q(add->parameters[1].name), u"other"_s);
        QVERIFY(operatorFacts("aten.view.default")->views && !operatorFacts("aten.view.default")->writes());
        QVERIFY(operatorFacts("aten.bernoulli.default")->random);
        QVERIFY(operatorFacts("c10d.allreduce_.default")->writes() && !operatorFacts("c10d.send.default")->writes());
        for (const char* name :
             {"aten.add_", "operator.add", "operator.add.Tensor", "higher_order.cond", "nobody.f.default"})
            QVERIFY2(!operatorFacts(name), name);
    }

    void declarationsAddToTheTable() {
        QVERIFY(declarationOf("declared.scale_.default").empty());
        const OperatorFacts* first = declared("declared.scale_.default x by");
        QVERIFY(first && !isMutating("declared.scale_.default"));
        QCOMPARE(declared("declared.scale_.default x by"), first);
        const OperatorFacts* second = declared("declared.scale_.default& x! by");
        QVERIFY(isMutating("declared.scale_.default") && opTags("declared.scale_.default") == kView);
        QCOMPARE(q(declarationOf("declared.scale_.default")), q(second->row));
        QCOMPARE(q(first->row), u"declared.scale_.default x by"_s);  // it stays
        QVERIFY(!declared("aten.relu.default self!")->writes());
        QVERIFY(declarationOf("aten.relu.default").empty());
    }

    /// The dispatcher comes first.
    void registrationsOutweighDeclarations() {
        QVERIFY(declared("declared.keep_.default x")->parameters.size() == 1);
        [[maybe_unused]] static const auto* handle =  // as long as the process
            new c10::RegistrationHandleRAII(c10::Dispatcher::singleton().registerDef(
                c10::FunctionSchema("declared::keep_", "", {c10::Argument("y"), c10::Argument("z")}, {}), "test"));
        QCOMPARE(q(declarationOf("declared.keep_.default")), u"declared.keep_.default y z"_s);
        QCOMPARE(declared("declared.keep_.default x")->parameters.size(), std::size_t{2});
    }
};

AOTSCOPE_TEST(TestOperatorFacts)

}  // namespace aotscope::test::operator_facts_test

#include "test_operator_facts.moc"
