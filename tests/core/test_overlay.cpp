// Overlays: values of nodes from a JSON file.

#include "io/overlay.h"
#include "support/test_program.h"
#include "support/text.h"

namespace aotscope::test::overlay_test {
namespace {

double numberOf(const Overlay& overlay, GraphKind kind, const char* node) {
    const auto* value = overlay.find(kind, node);
    const auto* number = value ? std::get_if<double>(value) : nullptr;
    return number ? *number : -1;
}

}  // namespace

class TestOverlay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsValues() {
        const Overlay flat = parseOverlay(R"({"mm": 3.5, "%relu": "slow", "view": true})", "f");
        QCOMPARE(flat.size(), std::size_t{3});
        QCOMPARE(numberOf(flat, GraphKind::joint, "mm"), 3.5);
        QCOMPARE(std::get<std::string>(*flat.find(GraphKind::forward, "relu")), std::string("slow"));
        QCOMPARE(std::get<std::string>(*flat.find(GraphKind::forward, "view")), std::string("true"));
        QVERIFY(!flat.find(GraphKind::joint, "add"));
        // A written overlay is read back unchanged.
        const Overlay percents = parseOverlay(R"({"%%mm": 1})", "f");
        QCOMPARE(numberOf(percents, GraphKind::joint, "mm"), 1.0);
        QCOMPARE(overlayJson(parseOverlay(overlayJson(percents), "f")), overlayJson(percents));
    }

    void valuesOfOneGraphComeFirst() {
        const Overlay o = parseOverlay(
            R"({"title": "energy", "unit": "mJ", "values": {"mm": 1, "backward": {"mm": 2, "mm_1": 3}}})", "f");
        QCOMPARE(q(o.title), u"energy"_s);
        QCOMPARE(q(o.unit), u"mJ"_s);
        QCOMPARE(numberOf(o, GraphKind::joint, "mm"), 1.0);
        QCOMPARE(numberOf(o, GraphKind::backward, "mm"), 2.0);
        QCOMPARE(numberOf(o, GraphKind::backward, "mm_1"), 3.0);
        QCOMPARE(numberOf(o, GraphKind::joint, "mm_1"), -1.0);
    }

    void errors_data() {
        const auto row = columns<QString, QString>("json", "says");
        row("{", "is not JSON");
        row("[1]", "is array");
        row("{}", "has no values");
        row("{\"values\": 3}", "'values' is number");
        row("{\"values\": {}, \"colour\": 1}", "unknown key 'colour'");
        row("{\"title\": 3, \"values\": {\"mm\": 1}}", "'title' is not a string");
        row("{\"mm\": null}", "the value of 'mm' is null");
        row("{\"mm\": [1]}", "the value of 'mm' is array");
        row("{\"mm\": 1e999}", "is not JSON");
        row("{\"left\": {\"mm\": 1}}", "'left' has values of its own, but is not a graph; graphs are 'source'");
    }
    void errors() {
        FETCH(QString, json, says);
        const QString error = errorOf([&] { parseOverlay(json.toStdString(), "file.json"); });
        QVERIFY2(error.contains(says) && error.contains(u"file.json"_s), qPrintable(error));
    }

    void comesBackFromItsText() {
        const Overlay overlay = parseOverlay(
            R"({"title": "waste", "unit": "%", "values": {"x": 1.5, "y": "slow", "joint": {"x": -2}}})", "f");
        const Overlay back = parseOverlay(overlayJson(overlay), "f");
        QCOMPARE(back.title, overlay.title);
        QCOMPARE(back.unit, overlay.unit);
        QVERIFY(back.everywhere == overlay.everywhere);
        QVERIFY(back.inGraph == overlay.inGraph);
        QCOMPARE(back.size(), 3U);
    }

    void namesOfAnotherModelAreReported() {
        const auto graph = parseSound("graph g\n  %x : f32[1] = placeholder(input)\n  return [%x : output]\n");
        Overlay overlay = parseOverlay(R"({"y": 1})", "f");
        overlay.title = "mine";
        const QString error = errorOf([&] { requireOverlap(overlay, *graph, GraphKind::joint); });
        QVERIFY2(error.contains(u"'mine' has 1 value, but none for a node of the joint graph"_s), qPrintable(error));
        QCOMPARE(errorOf([&] { requireOverlap(parseOverlay(R"({"x": 1})", "f"), *graph, GraphKind::joint); }),
                 QString());
    }
};

AOTSCOPE_TEST(TestOverlay)

}  // namespace aotscope::test::overlay_test

#include "test_overlay.moc"
