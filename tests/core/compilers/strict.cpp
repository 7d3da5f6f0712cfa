// Deviations from the request: with a warning, or as an error.

#include "test_compilers.h"

#include "cost/known_machines.h"
#include "device/device.h"
#include "io/report.h"
#include "io/text_report.h"
#include "record/results/fallback_list.h"
#include "session/session.h"
#include "support/exported_files.h"
#include "support/models.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// A way to fall back.
struct Way {
    const char* name;
    Options options;
    const char* sentence;            ///< a part of the message
    const char* warning = sentence;  ///< likewise, if it is not an error
};

Options sampleWith(const char* compiler, const char* how) {
    Options options{.model = "sample:mlp", .compilers = {.forward = compiler}};
    if (*how) options.compilers.settings = {{"broken.how", how}};
    options.compilers.plugins = {PLUGIN_BROKEN};
    return options;
}

Options modelAt(const QString& path, const char* inputs = nullptr) {
    Options options{.model = path.toStdString()};
    if (inputs) options.inputs = parseInputSpec(inputs, "inputs");
    return options;
}

Options backwardBroken() {
    Options options = sampleWith("interpreter", "run");
    options.compilers.backward = "broken";
    return options;
}

Options torchScriptOf(const char* file) {
    Options options = modelAt(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/higher_order/") + QLatin1String(file));
    options.compilers.forward = "torchscript";
    return options;
}

nlohmann::json callOf(const char* target, nlohmann::ordered_json inputs) {
    return exportedNode(std::string("torch.ops.") + target, inputs, nlohmann::json::array({exportedTensor("y")}));
}

/// x * w, then `call` of it as y.
ExportedFile programOf(const nlohmann::json& call) {
    const nlohmann::json mul =
        exportedNode("torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                     nlohmann::json::array({exportedTensor("mul")}));
    ExportedFile file = exportedProgram(nlohmann::json::array({mul, call}), {"y"});
    file.edit("models/model.json", [](nlohmann::json& j) {
        auto& types = j["graph_module"]["graph"]["tensor_values"];
        types["mul"] = types["y"] = exportedTensorMeta({3, 4});
    });
    return file;
}

std::vector<Way> waysToFallBack(const Scratch& scratch) {
    std::vector<Way> ways = {
        {"a compiler refuses", sampleWith("broken", "compile"), "for broken cannot compile it: no such instruction"},
        {"a compiler fails", sampleWith("broken", "run"), "for broken fails: the device is on fire"},
        {"too few results", sampleWith("broken", "count"), "for broken returned 5 values, expected 6"},
        {"other sizes", sampleWith("broken", "sizes"), "for broken returned f32[1, "},
        {"another dtype", sampleWith("broken", "dtype"), "for broken returned f64["},
        {"the backward's compiler", backwardBroken(), "the interpreter runs the backward graph"},
        {"graphs within graphs", torchScriptOf("cond.pt2"), "TorchScript has no operators that run graphs"},
    };
    constexpr const char* input = R"([{"shape": [3, 4]}])";
    const nlohmann::ordered_json self = {{"self", exportedTensor("mul")}};
    const auto unknown = programOf(callOf("strictlib.once.default", {{"x", exportedTensor("mul")}}));
    ways.push_back({"an unknown operator", modelAt(unknown.write(scratch.at(u"unknown.pt2"_s)), input),
                    "operator 'strictlib::once' is unknown here"});
    const auto uncovered = programOf(callOf("aten._test_functorch_fallback.default",
                                            {{"self", exportedTensor("mul")}, {"other", exportedTensor("mul")}}));
    Options withoutRule = modelAt(uncovered.write(scratch.at(u"uncovered.pt2"_s)), input);
    withoutRule.inference = true;  // nor does it have a derivative
    ways.push_back({"no shape rule", withoutRule, "aten::_test_functorch_fallback has no shape rule"});
    ExportedFile newer = programOf(callOf("aten.relu.default", self));
    newer.edit("models/model.json", [](nlohmann::json& j) { j["schema_version"]["minor"] = 99; });
    ways.push_back(
        {"a newer schema", modelAt(newer.write(scratch.at(u"newer.pt2"_s)), input), "its new fields are ignored"});
    ExportedFile empty = programOf(callOf("aten.relu.default", self));
    empty.records["data/weights/weight_0"].clear();
    ways.push_back(
        {"no weights", modelAt(empty.write(scratch.at(u"empty.pt2"_s)), input), "random values stand in for them"});
    Options sizes = modelAt(
        u"script:def f(x):\n    return x + torch.embedding(torch.ones([6, 3]), "
        "torch.arange(x.size(0)))"_s,
        R"([{"shape": [4, 3]}])");
    sizes.dynamic = {{DynamicRange::kAll}};
    ways.push_back(
        {"sizes at which eager fails", sizes, "nothing was compared at s0 = 7", "not compared    eager does not run"});
    if (Options simulated = sampleWith("interpreter", ""); !whyDeviceCannotRun("cuda").empty()) {
        simulated.device = "cuda";
        ways.push_back({"a simulated GPU", simulated, "the graphs are traced for a simulated"});
    }
    return ways;
}

/// All messages about a run, checked if possible.
QString whatIsSaid(const Session& session) {
    const CompileRecord& record = *session.record();
    std::optional<CheckResult> check;
    if (session.whyNotExecutable().empty()) check = session.check({});
    const CheckResult* found = check ? &*check : nullptr;
    return q(summaryText(record) + (check ? checkText(*check) : "") +
             compilersText(compilersIn(record, found, nullptr)));
}

}  // namespace

void TestCompilers::fallbacksAreWarningsOrErrors() {
    std::size_t tried = 0;
    for (Way& way : waysToFallBack(scratch_)) {
        const auto session = Session::open(way.options, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const QString said = whatIsSaid(*session);
        const bool warned = std::ranges::any_of(said.split(u'\n'), [&](const QString& line) {
            return line.contains(QLatin1String(way.warning)) &&
                   (line.startsWith(u"warning: "_s) || way.warning != way.sentence);
        });
        QVERIFY2(warned, qPrintable(QString::fromLatin1(way.name) + u'\n' + said));
        way.options.strict = true;
        const QString error = errorOf([&] { whatIsSaid(*Session::open(way.options, {})); });
        QVERIFY2(error.startsWith(u"--strict: "_s) && error.contains(QString::fromLatin1(way.sentence)),
                 qPrintable(QString::fromLatin1(way.name) + u": "_s + error));
        ++tried;
    }
    QVERIFY(tried >= 10);
}

/// A run as requested is not an error.
void TestCompilers::strictRunsAreAsOthers() {
    for (const char* compiler : {"interpreter", "torchscript", "fused"}) {
        Options options = sampleWith(compiler, "");
        options.strict = true;
        const auto session = Session::open(options, {});
        QVERIFY(session->check({}).ok);
        QVERIFY(!session->bisect({}).found);
        session->time({1}, {});
        session->debug({});
        QVERIFY(session->compilers({}).size() == 2);
    }
}

void TestCompilers::verdictsNameWhatRan() {
    const auto session = Session::open(sampleWith("broken", "sizes"), {});
    const CheckResult check = session->check({});
    QVERIFY(check.ok);
    QVERIFY2(q(checkText(check)).contains(u"); 2 graphs ran by the interpreter instead of broken\n"_s),
             checkText(check).c_str());
    const nlohmann::json report = makeReport(session->options(), *session->record(), machineOf("cpu"), {&check});
    QCOMPARE(report["check"]["fallbacks"].size(), std::size_t(2));
    QVERIFY(report["fell_back"].empty());  // the compiler fails when it runs
    Options refused = sampleWith("broken", "compile");
    const auto uncompiled = Session::open(refused, {});
    QCOMPARE(fallbacksOf(*uncompiled->record()).size(), std::size_t(1));
    refused.strict = true;
    QVERIFY(errorOf([&] { Session::open(refused, {}); }).startsWith(u"--strict: the interpreter runs"_s));
}
