// Inputs as users type them.

#include "test_inputs.h"

#include "program/inputs/short_inputs.h"
#include "support/error.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

void TestInputs::shortInputs_data() {
    const auto row = columns<QString, QString>("text", "spec");
    row("tensors", "f32[4, 5] grad, i64[]", R"([{"shape":[4,5],"requires_grad":true},{"shape":[],"dtype":"int64"}])");
    row("fills", "float16[2]=ones,i64[3] = randint(-1, 10)",
        R"([{"shape":[2],"dtype":"float16","fill":"ones"},)"
        R"({"shape":[3],"dtype":"int64","fill":{"randint":[-1,10]}}])");
    row("numbers", "2, -0.5, True, None",
        R"({"values":[],"inputs":[{"int":2},{"float":-0.5},{"bool":true},{"none":true}]})");
    row("views", "x: f32[24] , x.view([4, 6]), y: x.slice(0, 1, 3), y",
        R"({"values":[{"leaf":{"shape":[24]}},{"op":"view","of":0,"args":[[4,6]]},)"
        R"({"op":"slice","of":0,"args":[0,1,3]}],)"
        R"("inputs":[{"tensor":0},{"tensor":1},{"tensor":2},{"tensor":2}]})");
    row("JSON", R"( [{"shape":[2]}])", R"([{"shape":[2]}])");
    row("none", "  ", R"({"values":[],"inputs":[]})");
}
void TestInputs::shortInputs() {
    FETCH(QString, text, spec);
    QCOMPARE(q(printInputSpec(parseShortInputs(text.toStdString(), "inputs"))),
             q(printInputSpec(parseInputSpec(spec.toStdString(), "spec"))));
}

void TestInputs::brokenShortInputs_data() {
    const auto row = columns<QString, QString>("text", "message");
    row("end", "f32[4, ", "inputs, column 8: expected a number, found the end");
    row("type", "f32[4], q8[2]",
        "inputs, column 9: expected a type such as f32[4, 5], a number, True, "
        "False, None, or the name of an earlier input, found 'q8[2]'");
    row("size", "f32[2.5]", "inputs, column 8: expected a whole number, found ']'");
    row("comma", "f32[2] i64[3]", "inputs, column 8: expected ',', found 'i64[3]'");
    row("fill", "f32[2] = twos", "inputs, values[0].leaf.fill: ");
    row("negative", "f32[-1]", "inputs, values[0].leaf.shape");
    row("derivation", "x: f32[2], x.explode()", "inputs, values[1].op: ");
}
void TestInputs::brokenShortInputs() {
    FETCH(QString, text, message);
    QString said;
    try {
        parseShortInputs(text.toStdString(), "inputs");
    } catch (const Error& e) {
        said = q(e.what());
    }
    QVERIFY2(said.contains(message), qPrintable(said));
}
