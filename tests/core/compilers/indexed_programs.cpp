// Programs that read and accumulate at indices, in fused kernels: interpolation in all modes, embeddings, gathers.

#include "compiled_calls.h"
#include "test_compilers.h"

#include "compile/compilers.h"
#include "session/session.h"
#include "support/models.h"
#include "support/text.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

QString leaf(const QString& shape, const QString& rest) { return uR"({"leaf":{"shape":[%1],%2}})"_s.arg(shape, rest); }
QString learnt(const QString& shape, const QString& dtype = u"float32"_s) {
    return leaf(shape, uR"("dtype":"%1","requires_grad":true)"_s.arg(dtype));
}
QString indices(const QString& shape, const QString& range, const QString& dtype = u"int64"_s) {
    return leaf(shape, uR"("dtype":"%1","fill":{"randint":[%2]})"_s.arg(dtype, range));
}
std::string spec(const QStringList& values) {
    QStringList places;
    for (qsizetype i = 0; i < values.size(); ++i) places.push_back(uR"({"tensor":%1})"_s.arg(i));
    return uR"({"values":[%1],"inputs":[%2]})"_s.arg(values.join(u','), places.join(u',')).toStdString();
}

Compiled compiledBy(const char* compiler, const QString& parameters, const QString& body, const QStringList& values,
                    bool isDynamic = false) {
    Options options{.compilers = {.forward = compiler}};
    if (isDynamic) options.dynamic = {{DynamicRange::kAll}};
    const QString text = u"def forward(self, %1) -> Tensor:\n    %2\n"_s.arg(parameters, body);
    return compile(moduleFrom(text.toStdString()), spec(values), options);
}

/// Operations that select or accumulate elements and are in no kernel.
QStringList runAlone(const Compiled& compiled, const std::vector<CompilerUse>& uses) {
    QStringList alone;
    for (const CompilerUse& use : uses)
        for (const Node* node : compiled.record().graph(use.graph)->nodes()) {
            const bool isIndexed =
                node->kind() == NodeKind::call && node->op().find("_unsafe_index") != std::string::npos;
            if (isIndexed && groupOf(uses, use.graph, node->id()).empty()) alone.push_back(q(node->name()));
        }
    return alone;
}

}  // namespace

void TestCompilers::interpolationsAreFused_data() {
    columns<QString, QString, QString>("body", "shape", "dtype");
    struct Mode {
        const char *call, *corners;
        int dimensions;
    };
    const Mode modes[] = {
        {"upsample_nearest1d(x, None%1, [%2])", "", 1},
        {"upsample_nearest2d(x, None%1, [%2, %3])", "", 2},
        {"upsample_nearest3d(x, None%1, [%2, %3, %4])", "", 3},
        {"_upsample_nearest_exact2d(x, None%1, [%2, %3])", "", 2},
        {"upsample_linear1d(x, None, %1, [%2])", "corners", 1},
        {"upsample_bilinear2d(x, None, %1, [%2, %3])", "corners", 2},
        {"upsample_bicubic2d(x, None, %1, [%2, %3])", "corners", 2},
        {"upsample_trilinear3d(x, None, %1, [%2, %3, %4])", "corners", 3},
    };
    const char* scales[][3] = {{"2.0", "1.5", "2.0"}, {"0.5", "0.6", "0.7"}};
    const char* shapes[] = {"2,3,9", "2,3,8,9", "2,3,5,6,7"};
    for (const Mode& mode : modes)
        for (const auto& scale : scales)
            for (const char* corners : {"False", "True"}) {
                if (!*mode.corners && std::string_view(corners) == "True") continue;
                QString call = QString::fromLatin1(mode.call).replace(
                    u"%1"_s, *mode.corners ? QString::fromLatin1(corners) : QString());
                for (int d = 0; d < 3; ++d) call.replace(u"%%1"_s.arg(d + 2), QString::fromLatin1(scale[d]));
                const bool isExact = call.startsWith(u"_"_s);
                for (const char* dtype : {"float32", "float64", "float16", "bfloat16"}) {
                    if (isExact && std::string_view(dtype) == "bfloat16") continue;
                    QTest::addRow("%s %s", qPrintable(call), dtype)
                        << u"return torch."_s + call << QString::fromLatin1(shapes[mode.dimensions - 1])
                        << QString::fromLatin1(dtype);
                }
            }
    const QString bilinear = u"torch.upsample_bilinear2d(%1, None, False, [2.0, 2.0])"_s;
    QTest::newRow("channels last") << u"return "_s + bilinear.arg(u"x.sin().contiguous(memory_format=2)"_s)
                                   << u"2,3,8,9"_s << u"float32"_s;
    QTest::newRow("transposed") << u"return "_s + bilinear.arg(u"x.transpose(2, 3)"_s) << u"2,3,8,9"_s << u"float32"_s;
    QTest::newRow("fused with others") << u"return ("_s + bilinear.arg(u"x.sin()"_s) + u" * 2).cos()"_s << u"2,3,8,9"_s
                                       << u"float32"_s;
    QTest::newRow("summed up") << u"return "_s + bilinear.arg(u"x"_s) + u".sum()"_s << u"2,3,8,9"_s << u"float32"_s;
    QTest::newRow("one plane") << u"return "_s + bilinear.arg(u"x"_s) << u"1,1,8,9"_s << u"float32"_s;
    QTest::newRow("large") << u"return "_s + bilinear.arg(u"x"_s) << u"2,3,33,700"_s << u"float32"_s;
    QTest::newRow("many small planes") << u"return "_s + bilinear.arg(u"x"_s) << u"40,30,2,3"_s << u"float32"_s;
}
void TestCompilers::interpolationsAreFused() {
    FETCH(QString, body, shape);
    QFETCH(QString, dtype);
    const Compiled compiled = compiledBy("fused", u"x: Tensor"_s, body, {learnt(shape, dtype)});
    QCOMPARE(q(compiled.record().error), QString());
    const CheckResult result = check(compiled);
    QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
    for (const CompilerUse& use : result.compilers) QCOMPARE(q(use.note), QString());
    QCOMPARE(runAlone(compiled, result.compilers), QStringList());
}

void TestCompilers::indexedProgramsAreLikeEager_data() {
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QStringList>("inputs");
    QTest::addColumn<bool>("isDynamic");
    const QString two = u"x: Tensor, i: Tensor"_s;
    const auto row = [&](const char* name, const char* body, const QStringList& inputs, bool isDynamic = false) {
        QTest::newRow(name) << (inputs.size() == 1 ? u"x: Tensor"_s : two) << QString::fromLatin1(body) << inputs
                            << isDynamic;
    };
    const QString words = indices(u"5,6"_s, u"0,11"_s), narrow = indices(u"5,6"_s, u"0,11"_s, u"int32"_s);
    row("embedding", "return torch.embedding(x, i).sin() * 2", {learnt(u"11,8"_s), words});
    row("embedding, int32", "return torch.embedding(x, i).sin() * 2", {learnt(u"11,8"_s), narrow});
    row("embedding and softmax", "return torch.softmax(torch.embedding(x, i) * 2, -1)", {learnt(u"11,8"_s), words});
    row("embedding in bfloat16", "return torch.embedding(x, i).sin() * 2", {learnt(u"11,8"_s, u"bfloat16"_s), words});
    row("index_select", "return (torch.index_select(x, 1, i) * 2).sin()",
        {learnt(u"3,11,4"_s), indices(u"7"_s, u"0,11"_s)});
    row("gather", "return (torch.gather(x, 1, i) * 2).sin()", {learnt(u"5,11"_s), words});
    row("gather of fewer rows", "return (torch.gather(x, 1, i) * 2).sin()", {learnt(u"9,11"_s), words});
    row("indices", "return (x[:, i] * 2).sin()", {learnt(u"3,11,4"_s), indices(u"7"_s, u"-11,11"_s)});
    row("two indices", "return (x[:, i, i] * 2).sin()", {learnt(u"3,11,11"_s), indices(u"7"_s, u"-11,11"_s)});
    row("broadcast indices", "return (x[:, i, i.unsqueeze(1)] * 2).sin()",
        {learnt(u"3,11,11"_s), indices(u"7"_s, u"0,11"_s)});
    row("indices apart", "return (x[i, :, i] * 2).sin()", {learnt(u"11,3,11"_s), indices(u"7"_s, u"0,11"_s)});
    row("a mask", "return (x[i > 3] * 2).sin().sum()", {learnt(u"7,3"_s), indices(u"7"_s, u"0,11"_s)});
    row("positions", "return (x * torch.arange(4)).sin() + torch.arange(3).unsqueeze(1)", {learnt(u"3,4"_s)});
    row("positions of one", "return (x * torch.arange(1, 2)).sin()", {learnt(u"3,4"_s)});
    row("positions are summed up", "return (x * torch.arange(4)).sum(1)", {learnt(u"30,4"_s)});
    row("positions as a result", "return (x + torch.arange(2, 10, 2).cos()).sum() + torch.arange(2, 10, 2).cos()",
        {learnt(u"4"_s)});
    row("what was computed is indexed", "return (x.sin()[:, i] * 2).cos()",
        {learnt(u"3,11,4"_s), indices(u"7"_s, u"0,11"_s)});
    row("put", "return torch.index_put(x.sin(), [i], x[i].cos(), True).sin()",
        {learnt(u"11,3"_s), indices(u"7"_s, u"0,11"_s)});
    row("put instead", "return torch.index_put(x.sin(), [i], x[i].cos(), False).sin()",
        {learnt(u"7,3"_s), indices(u"1"_s, u"0,7"_s)});
    row("no indices", "return (x[:, i] * 2).sin()", {learnt(u"3,11,4"_s), indices(u"0"_s, u"0,11"_s)});
    row("nothing else", "return (x[:, i] * 2).sin()", {learnt(u"0,11,4"_s), indices(u"7"_s, u"0,11"_s)});
    row("written to", "p = torch.arange(4)\n    y = x * p\n    p.add_(1)\n    return y + p", {learnt(u"3,4"_s)});
    row("dynamic sizes", "return (x[:, i] * 2).sin()", {learnt(u"3,11,4"_s), indices(u"7"_s, u"0,11"_s)}, true);
    row("dynamic interpolation", "return torch.upsample_bilinear2d(x, None, False, [2.0, 2.0]).sin()",
        {learnt(u"2,3,8,9"_s)}, true);
}
void TestCompilers::indexedProgramsAreLikeEager() {
    FETCH(QString, parameters, body);
    QFETCH(QStringList, inputs);
    QFETCH(bool, isDynamic);
    const Compiled compiled = compiledBy("fused", parameters, body, inputs, isDynamic);
    QCOMPARE(q(compiled.record().error), QString());
    const CheckResult result = check(compiled);
    QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
    for (const CompilerUse& use : result.compilers) QCOMPARE(q(use.note), QString());
}

/// The error is that of the operation.
void TestCompilers::indicesOutOfRangeAreErrors_data() {
    columns<QString, QString>("call", "message");
    QTest::newRow("embedding") << u"aten.embedding.default(%x, %i)"_s << u"index out of range in self"_s;
    QTest::newRow("index_select") << u"aten.index_select.default(%x, 0, %i)"_s << u"index out of range in self"_s;
    QTest::newRow("gather") << u"aten.gather.default(%x, 0, %j)"_s
                            << u"index 11 is out of bounds for dimension 0 with size 11"_s;
    QTest::newRow("index") << u"aten.index.Tensor(%x, [%i])"_s
                           << u"index 11 is out of bounds for dimension 0 with size 11"_s;
}
void TestCompilers::indicesOutOfRangeAreErrors() {
    FETCH(QString, call, message);
    const auto graph = parseSound(
        "graph g\n%x : f32[11, 6] = placeholder\n%i : i64[5] = placeholder\n"
        "%j : i64[5, 6] = placeholder\n%a : f32[5, 6] = " +
        call.toStdString() + "\n%b : f32[5, 6] = aten.sin.default(%a)\nreturn [%b]");
    const auto compiled = makeCompiler("fused", {})->compile(*graph, {});
    QCOMPARE(compiled->groups().size(), std::size_t(1));
    for (const std::int64_t index : {10, 11}) {
        const QString error = errorOf([&] {
            Values values =
                arguments({at::ones({11, 6}), at::full({5}, index, at::kLong), at::full({5, 6}, index, at::kLong)});
            compiled->run(values);
        });
        QVERIFY2(index == 10 ? error.isEmpty() : error.contains(message), qPrintable(error));
    }
}
