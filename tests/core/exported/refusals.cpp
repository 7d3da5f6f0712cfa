// Exported files that are refused: unknown operators, versions, damage.

#include "loaded_files.h"
#include "test_exported.h"

#include "load/model.h"
#include "ops/number_functions.h"
#include "passes/pipeline.h"
#include "support/child.h"
#include "support/text.h"
#include "verify/model_run.h"

#include <random>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

void TestExported::refused_data() {
    columns<QString, QString>("what", "message");
    for (const auto& [what, message] : {
             std::pair("major", "its schema has version 9.20 (torch ), expected 8.x"),
             std::pair("operator", "operator 'aten::twice' is unknown; give the library"),
             std::pair("argument", "argument 'other': expected Tensor, found a list"),
             std::pair("unknown name", "argument 'other': it uses 'nothing', which is not defined before"),
             std::pair("twice", "'mul' is defined twice"),
             std::pair("custom object", "the custom object 'obj' of class 'my.Class', which exists in Python only"),
             std::pair("too large", "tensor 'w' needs 400 bytes, its record 'data/weights/weight_0' has 16"),
             std::pair("overflow", "tensor 'w' has impossible sizes or strides"),
             std::pair("dtype", "expected the number of a supported dtype, found 99"),
             std::pair("no weights", "tensor 'w' is missing"),
             std::pair("format", "its archive_format is 'pt3', expected 'pt2'"),
             std::pair("byteorder", "its byteorder is 'big', expected 'little'"),
             std::pair("wrong type", "graph_module.graph.nodes: expected a list, found 3"),
             std::pair("no JSON", "is not JSON"),
             std::pair("deep", "nests its values more than 100 levels deep"),
         })
        QTest::newRow(what) << what << message;
}
void TestExported::refused() {
    FETCH(QString, what, message);
    ExportedFile file = product();
    const auto weight = [&](const char* key, const json& value) {
        file.edit(kWeights, [&](json& j) { j["config"]["w"]["tensor_meta"][key] = value; });
    };
    const auto node = [&](auto&& change) {
        file.edit(kModel, [&](json& j) { change(j["graph_module"]["graph"]["nodes"]); });
    };
    if (what == "major"_L1) file.edit(kModel, [](json& j) { j["schema_version"]["major"] = 9; });
    if (what == "operator"_L1) node([](json& n) { n[0]["target"] = "torch.ops.aten.twice.default"; });
    if (what == "argument"_L1) node([](json& n) { n[0]["inputs"][1]["arg"] = {{"as_ints", {1, 2}}}; });
    if (what == "unknown name"_L1) node([](json& n) { n[0]["inputs"][1]["arg"] = exportedTensor("nothing"); });
    if (what == "twice"_L1) node([](json& n) { n.push_back(n[0]); });
    if (what == "custom object"_L1)
        node([](json& n) {
            n[0]["inputs"][1]["arg"] = {{"as_custom_obj", {{"name", "obj"}, {"class_fqn", "my.Class"}}}};
        });
    if (what == "too large"_L1) weight("sizes", json::array({json::object({{"as_int", 100}})}));
    if (what == "overflow"_L1) {
        weight("sizes", json::array({json::object({{"as_int", std::int64_t{1} << 62}})}));
        weight("strides", json::array({json::object({{"as_int", std::int64_t{1} << 62}})}));
    }
    if (what == "dtype"_L1) weight("dtype", 99);
    if (what == "no weights"_L1) file.records.erase(kWeights);
    if (what == "format"_L1) file.records["archive_format"] = "pt3";
    if (what == "byteorder"_L1) file.records["byteorder"] = "big";
    if (what == "wrong type"_L1) node([](json& n) { n = 3; });
    if (what == "no JSON"_L1) file.records[kModel] = "{\"graph_module\": ";
    if (what == "deep"_L1) file.records[kModel] = std::string(100000, '[') + std::string(100000, ']');
    const QString error = loadError(file);
    QVERIFY2(error.contains(message) && !error.contains(u'\n'), qPrintable(error));
}

void TestExported::severalModels() {
    ExportedFile file = product();
    for (const char* name : {"first", "second"})
        for (const std::string record : {"models/model.json", "data/weights/model_weights_config.json",
                                         "data/constants/model_constants_config.json"}) {
            std::string renamed = record;
            renamed.replace(renamed.rfind("model"), std::string_view("model").size(), name);
            file.records[renamed] = file.records.at(record);
        }
    file.records.erase(kModel);
    QVERIFY(
        loadError(file).startsWith(u"it holds several models; choose one of 'first', 'second' with --model-name"_s));
    QCOMPARE(load(write(file), {.modelName = "second"}).program->state().size(), std::size_t(1));
    QVERIFY(errorOf([&] { load(write(file), {.modelName = "third"}); }).contains(u"it holds no model 'third'"_s));
}

void TestExported::newerMinorVersionIsReported() {
    ExportedFile file = product();
    file.edit(kModel, [](json& j) { j["schema_version"]["minor"] = 99; });
    QCOMPARE(load(write(file)).fellBack.size(), std::size_t(1));
}

void TestExported::recognisedByContent() {
    const std::string path = write(product(), "renamed.pt");
    QCOMPARE(q(load(path).kind), u"exported program"_s);
}

void TestExported::truncated_data() {
    QTest::addColumn<int>("length");
    const int size = static_cast<int>(contentOf(q(exportedPath("pytree"))).size());
    for (int length = 0; length < size; length += 331) QTest::addRow("%d", length) << length;
    QTest::addRow("%d", size - 1) << size - 1;
}
void TestExported::truncated() {
    QFETCH(int, length);
    const QString path = scratch_.write(u"truncated.pt2"_s, contentOf(q(exportedPath("pytree"))).left(length));
    const QString error = errorOf([&] { load(path.toStdString()); });
    QVERIFY2(error.startsWith(u"cannot open '%1': "_s.arg(path)), qPrintable(error));
}

/// A damaged file is refused with an Error, or gives a program that compiles or reports why it does not.
void TestExported::damaged_data() {
    columns<QString, unsigned>("name", "seed");
    for (const char* name : {"pytree", "one_of_everything", "dynamic_batch"})
        for (unsigned seed = 1; seed <= 150; ++seed) QTest::addRow("%s %u", name, seed) << name << seed;
}
void TestExported::damaged() {
    QFETCH(QString, name);
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    QByteArray content = contentOf(q(exportedPath(name.toStdString())));
    for (unsigned flips = 1 + seed % 4; flips > 0; --flips) {
        const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(content.size()));
        content[at] = static_cast<char>(content[at] ^ static_cast<char>(1 + random() % 255));
    }
    const QString path = scratch_.write(u"damaged.pt2"_s, content);
    const QString error = inChild([&] {
        return errorOf([&] {
            const ModelRun modelRun(load(path.toStdString()), {});
            compileFunction(modelRun.function(), {}, {}, {});
        });
    });
    QVERIFY2(!error.startsWith(u"killed"_s) && !error.startsWith(u"not an Error"_s), qPrintable(error));
}
