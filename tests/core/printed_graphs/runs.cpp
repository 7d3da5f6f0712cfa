// Printed graphs that run: with generated or given inputs.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "aten/convert.h"
#include "debug/debugger.h"
#include "program/files/tensor_file.h"
#include "support/text.h"
#include "verify/printed/printed_run.h"

#include <functional>

using namespace aotscope;
using namespace aotscope::test;

namespace {

std::shared_ptr<const Session> openWith(const QString& path, const std::function<void(Options&)>& choose) {
    Options options{.model = path.toStdString()};
    choose(options);
    return Session::open(options, {});
}

/// A file of these tensors, as torch.save writes it.
QString saved(const Scratch& scratch, const std::vector<at::Tensor>& tensors) {
    std::vector<c10::IValue> values(tensors.begin(), tensors.end());
    const std::vector<char> bytes = torch::jit::pickle_save(c10::ivalue::Tuple::create(std::move(values)));
    return scratch.write(u"inputs.pt"_s, QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

/// linear(relu(linear(x))): the inputs of mlp.log in their order, then the tangent.
std::vector<at::Tensor> mlpInputs() {
    at::manual_seed(3);
    return {at::randn({4, 3}), at::randn({4}), at::randn({5, 3}), at::randn({2, 4}), at::randn({2}), at::randn({5, 2})};
}

}  // namespace

/// Forward and backward against the joint graph, or a single graph against itself. Lists what cannot run.
void TestPrintedGraphs::everyGraphWithTypesRuns() {
    int ran = 0;
    QStringList refused;
    for (const QString& file : QDir(dataFolder()).entryList({u"*.trace"_s, u"*.log"_s}))
        for (const auto& id : openFile(dataFolder() + file)->compileIds()) {
            const QString where = file + u' ' + q(id);
            const auto session = openFile(dataFolder() + file, q(id));
            if (!session->whyNotExecutable().empty()) {
                refused << where + u": "_s + q(session->whyNotExecutable());
                continue;
            }
            const CheckResult check = session->check({});
            QVERIFY2(check.ok, qPrintable(where + u": "_s + firstDifference(check)));
            QCOMPARE(check.backwardRun, session->record()->partition != nullptr);
            ++ran;
        }
    qInfo("%d compilations run; %d do not:\n%s", ran, static_cast<int>(refused.size()),
          qPrintable(refused.join(u'\n')));
    QVERIFY(ran >= 25);
    for (const QString& why : refused) QVERIFY2(why.startsWith("dynamic.log"_L1), qPrintable(why));
}

/// Indices are in their tables, variances positive: nothing fails, and nothing is a NaN.
void TestPrintedGraphs::inputsFitWhatUsesThem() {
    const QString file = scratch_.write(
        u"indices.txt"_s,
        QByteArray::fromStdString(function(
            "arg0_1: \"i64[3, 50][50, 1]cpu\", arg1_1: \"f32[7, 4][4, 1]cpu\", arg2_1: \"f32[4][1]cpu\", "
            "arg3_1: \"Sym(50)\", arg4_1: \"b8[3][1]cpu\", arg5_1: \"f32[4, 3][1, 4]cpu\"",
            "    unsqueeze: \"i64[3, 50, 1][50, 1, 1]cpu\" = torch.ops.aten.unsqueeze.default(arg0_1, 2)\n"
            "    squeeze: \"i64[3, 50][50, 1]cpu\" = torch.ops.aten.squeeze.dim(unsqueeze, 2)\n"
            "    embedding: \"f32[3, 50, 4][200, 4, 1]cpu\" = torch.ops.aten.embedding.default(arg1_1, squeeze)\n"
            "    add: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(arg2_1, 1e-05)\n"
            "    rsqrt: \"f32[4][1]cpu\" = torch.ops.aten.rsqrt.default(add)\n"
            "    mul: \"f32[3, 50, 4][200, 4, 1]cpu\" = torch.ops.aten.mul.Tensor(embedding, rsqrt)\n"
            "    mul_1: \"f32[3, 50, 4][200, 4, 1]cpu\" = torch.ops.aten.mul.Tensor(mul, arg3_1)\n"
            "    return (mul_1, arg4_1, arg5_1)\n")));
    const auto session = openFile(file);
    const InputSpec spec = session->inputSpec();
    QCOMPARE(spec.inputs.size(), std::size_t{6});
    QCOMPARE(std::get<Fill::Randint>(std::get<LeafSpec>(spec.values[0]).fill.how).high, std::int64_t{7});
    QVERIFY(std::get<Fill::Plain>(std::get<LeafSpec>(spec.values[1]).fill.how) == Fill::Plain::randn);
    QVERIFY(std::get<Fill::Plain>(std::get<LeafSpec>(spec.values[2]).fill.how) == Fill::Plain::rand);
    QCOMPARE(std::get<std::int64_t>(spec.inputs[3].data), std::int64_t{50});
    const auto outputs = valuesOf(*session, scratch_)[0];
    QVERIFY(at::isfinite(outputs[0].toTensor()).all().item<bool>());
    QVERIFY(outputs[2].toTensor().strides() == c10::IntArrayRef({1, 4}));
    // Equal seeds give equal values, different seeds different ones.
    const auto with = [&](std::uint64_t seed) {
        return valuesOf(*openWith(file, [&](Options& options) { options.seed = seed; }), scratch_)[0][0].toTensor();
    };
    QVERIFY(at::equal(with(0), outputs[0].toTensor()));
    QVERIFY(!at::equal(with(1), outputs[0].toTensor()));
}

void TestPrintedGraphs::oneGraphRunsAlone_data() {
    columns<QString, GraphKind, int>("heading", "kind", "outputs");
    QTest::newRow("joint") << "Joint graph" << GraphKind::joint << 6;
    QTest::newRow("forward") << "Forward graph" << GraphKind::forward << 4;
    QTest::newRow("backward") << "Backward graph" << GraphKind::backward << 5;
}
void TestPrintedGraphs::oneGraphRunsAlone() {
    QFETCH(QString, heading);
    QFETCH(GraphKind, kind);
    QFETCH(int, outputs);
    QString all = QString::fromUtf8(contentOf(dataFolder() + u"mlp.log"_s));
    all.remove(QRegularExpression(u"^I.*?__aot\\w+\\] "_s, QRegularExpression::MultilineOption));
    const auto start = all.indexOf(u'\n', all.indexOf(heading)) + 1;
    const QString text = all.mid(start, all.indexOf("TRACED GRAPH"_L1, start) - start);
    const auto session = openFile(scratch_.write(u"alone.txt"_s, text.toUtf8()));
    QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
    QVERIFY(executedGraphs(*session->record()) == std::vector<GraphKind>{kind});
    QVERIFY(session->check({}).ok);
    QCOMPARE(static_cast<int>(valuesOf(*session, scratch_)[0].size()), outputs);
    const TimingResult timing = session->time({1, 0}, {});
    QCOMPARE(timing.steps.size(), session->record()->graph(kind)->callCount());
    QCOMPARE(timing.steps.front().graph, kind);
    const auto debugger = session->debug({});
    QVERIFY(debugger->position().graph == kind);
    debugger->run({});
    QVERIFY(debugger->lastStop().reason == DebugStop::Reason::ended);
}

void TestPrintedGraphs::givenInputsAndTangents() {
    const auto t = mlpInputs();
    const QString file = saved(scratch_, t);
    const auto session = openWith(dataFolder() + u"mlp.log"_s, [&](Options& options) {
        options.inputs = std::filesystem::path(file.toStdString());
    });
    QVERIFY(session->check({}).ok);
    const auto values = valuesOf(*session, scratch_);
    const at::Tensor hidden = at::relu(at::addmm(t[1], t[2], t[0].t()));
    QCOMPARE(values[0].size(), std::size_t{1});
    QVERIFY(at::allclose(values[0][0].toTensor(), at::addmm(t[4], hidden, t[3].t())));
    const at::Tensor before = t[5].mm(t[3]) * hidden.gt(0);
    const std::vector<at::Tensor> gradients = {
        before.t().mm(t[2]), before.sum(0), {}, t[5].t().mm(hidden), t[5].sum(0)};
    QCOMPARE(values[1].size(), gradients.size());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        QCOMPARE(values[1][i].isTensor(), gradients[i].defined());
        if (gradients[i].defined()) QVERIFY(at::allclose(values[1][i].toTensor(), gradients[i], 1e-4, 1e-5));
    }
}

void TestPrintedGraphs::wrongInputsAreRefused() {
    const auto errorWith = [&](const std::vector<at::Tensor>& tensors) {
        const QString file = saved(scratch_, tensors);
        const auto session = openWith(dataFolder() + u"mlp.log"_s, [&](Options& options) {
            options.inputs = std::filesystem::path(file.toStdString());
        });
        return errorOf([&] { session->check({}); });
    };
    auto tensors = mlpInputs();
    tensors.pop_back();
    QCOMPARE(errorWith(tensors), QString());
    tensors.pop_back();
    QVERIFY2(errorWith(tensors).contains("takes 5 inputs, or these and 1 tangent; given are 4"_L1),
             qPrintable(errorWith(tensors)));
    tensors = mlpInputs();
    tensors[2] = at::randn({6, 3});
    QVERIFY2(errorWith(tensors).contains("'primals_3' is f32[6, 3], the printed graph takes f32[5, 3]"_L1),
             qPrintable(errorWith(tensors)));
    tensors = mlpInputs();
    tensors[5] = at::randn({5, 3});
    QVERIFY2(errorWith(tensors).contains("tangent 1 of the inputs is f32[5, 3]"_L1), qPrintable(errorWith(tensors)));
}

/// A backward of another joint graph.
void TestPrintedGraphs::wrongHalvesAreFound() {
    QByteArray log = contentOf(dataFolder() + u"mlp.log"_s);
    log.replace(log.indexOf("aten.sum.dim_IntList", log.indexOf("Backward graph")), 20, "aten.mean.dim");
    const auto session = openFile(scratch_.write(u"wrong.log"_s, log));
    const CheckResult check = session->check({});
    QVERIFY(!check.ok);
    QVERIFY2(firstDifference(check).contains("gradient of"_L1), qPrintable(firstDifference(check)));
    const BisectResult found = session->bisect({});
    QVERIFY(found.found);
    QCOMPARE(q(passName(found)), u"partition"_s);
    QVERIFY(!found.nodeName.empty());
}

void TestPrintedGraphs::repartitionedHalvesRun() {
    for (const auto algorithm : {PartitionAlgorithm::minCut, PartitionAlgorithm::defaultPartition})
        for (const char* file : {"mlp.log", "attention.trace", "checkpoint.log", "batch_norm.trace"}) {
            const auto session = openWith(dataFolder() + QLatin1String(file), [&](Options& options) {
                options.repartition = true;
                options.partition.algorithm = algorithm;
            });
            const CheckResult check = session->check({});
            QVERIFY2(check.ok && check.backwardRun, qPrintable(QLatin1String(file) + firstDifference(check)));
        }
}

void TestPrintedGraphs::everyCompilerRunsThem() {
    for (const char* compiler : {"interpreter", "fused", "torchscript"}) {
        const auto session = openWith(dataFolder() + u"attention.log"_s,
                                      [&](Options& options) { options.compilers.forward = compiler; });
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, qPrintable(firstDifference(check)));
        for (const CompilerUse& use : check.compilers) QCOMPARE(q(use.used), q(compiler));
    }
}

void TestPrintedGraphs::stepsAndTimesHaveTheNodes() {
    const auto session = openFile(dataFolder() + u"mlp.log"_s);
    const auto record = session->record();
    const TimingResult timing = session->time({2, 0}, {});
    QVERIFY(timing.backward);
    QCOMPARE(timing.steps.size(),
             record->graph(GraphKind::forward)->callCount() + record->graph(GraphKind::backward)->callCount());
    for (const StepTime& step : timing.steps) {
        const Node* node = record->graph(step.graph)->findById(step.node);
        QVERIFY(node);
        QCOMPARE(q(node->name()), q(step.name));
    }
    QVERIFY(timing.compiledPeakBytes > 0 && timing.eagerPeakBytes > 0);
    const auto debugger = session->debug({});
    QCOMPARE(debugger->steps().size(), timing.steps.size());
    debugger->step({});
    const auto first = debugger->steps().front();
    QVERIFY(debugger->value(first.graph, first.node));
    debugger->compareWithEager({});
    debugger->run({});
    QVERIFY2(debugger->lastStop().reason == DebugStop::Reason::ended, debugger->lastStop().text.c_str());
}

/// A log without the values of symbols, and one that has them.
void TestPrintedGraphs::symbolsTakeGivenValues() {
    const auto at = [](const char* file, const SymbolValues& values, bool repartition = false) {
        return openWith(dataFolder() + QLatin1String(file), [&](Options& options) {
            options.checkSizes = {values};
            options.repartition = repartition;
        });
    };
    const auto names = recordOf("dynamic.trace")->graph(GraphKind::joint)->symbols();
    QCOMPARE(names.size(), std::size_t{2});
    for (const char* file : {"dynamic.log", "dynamic.trace"})
        for (const std::int64_t size : {8, 12}) {
            const auto session = at(file, {{names[0].name, size - 1}, {names[1].name, size}}, size == 12);
            QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
            QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
            const CheckResult check = session->check({});
            QVERIFY2(check.ok && check.backwardRun, qPrintable(firstDifference(check)));
        }
    const QString error = errorOf([&] { at("dynamic.log", {{"s1234", 3}}); });
    QVERIFY2(error.startsWith("--at s1234=3: the printed graphs have no size"_L1), qPrintable(error));
}

void TestPrintedGraphs::theFirstNotANumberIsFound() {
    const auto session = openFile(scratch_.write(
        u"nan.txt"_s,
        QByteArray::fromStdString(function("arg0_1: \"f32[8][1]cpu\"",
                                           "    abs_1: \"f32[8][1]cpu\" = torch.ops.aten.abs.default(arg0_1)\n"
                                           "    neg: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(abs_1)\n"
                                           "    sub: \"f32[8][1]cpu\" = torch.ops.aten.sub.Tensor(neg, 1)\n"
                                           "    sqrt: \"f32[8][1]cpu\" = torch.ops.aten.sqrt.default(sub)\n"
                                           "    sin: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(sqrt)\n"
                                           "    return (sin,)\n"))));
    const auto debugger = session->debug({});
    debugger->runToNotFinite({});
    QVERIFY(debugger->lastStop().reason == DebugStop::Reason::notFinite);
    QCOMPARE(debugger->lastStop().node, session->record()->graph(GraphKind::inference)->findByName("sqrt")->id());
}

void TestPrintedGraphs::valuesAreWritten() {
    const auto session = openFile(dataFolder() + u"mlp.log"_s);
    const auto values = valuesOf(*session, scratch_);
    QCOMPARE(values.size(), std::size_t{2});
    QCOMPARE(values[1].size(), std::size_t{5});
    QVERIFY(values[1][2].isNone() && values[1][0].isTensor());
}

/// Operators that exist in Python only, whose meaning is built in.
void TestPrintedGraphs::operatorsOfPythonRun_data() {
    columns<QString, QString, QString>("lines", "inputs", "results");
    const auto row = [](const char* name, const char* lines) {
        QTest::newRow(name) << QString::fromUtf8(lines) << QString() << u"z"_s;
    };
    row("Inductor's seeds",
        "    seeds: \"i64[2]\" = torch.ops.prims.inductor_seeds.default(2, device(type='cpu'))\n"
        "    seed: \"i64[]\" = torch.ops.prims.inductor_lookup_seed.default(seeds, 1)\n"
        "    drawn: \"f32[4]\" = torch.ops.prims.inductor_random.default([4], seed, 'rand')\n"
        "    again: \"f32[4]\" = torch.ops.prims.inductor_random.default([4], seed, 'rand')\n"
        "    y: \"f32[4]\" = torch.ops.aten.sub.Tensor(drawn, again)\n"
        "    z: \"f32[4]\" = torch.ops.aten.add.Tensor(x, y)\n");
    row("Inductor's integers",
        "    seed: \"i64[]\" = torch.ops.prims.inductor_seed.default(device(type='cpu'))\n"
        "    drawn: \"i64[4]\" = torch.ops.prims.inductor_randint.default(0, 10, [4], seed)\n"
        "    z: \"f32[4]\" = torch.ops.aten.mul.Tensor(x, drawn)\n");
    row("quantization",
        "    q: \"i8[4]\" = torch.ops.quantized_decomposed.quantize_per_tensor.default(x, 0.5, 1, -128, 127, "
        "torch.int8)\n"
        "    z: \"f32[4]\" = torch.ops.quantized_decomposed.dequantize_per_tensor.default(q, 0.5, 1, -128, 127, "
        "torch.int8)\n");
    row("quantization by measured ranges",
        "    choose = torch.ops.quantized_decomposed.choose_qparams.tensor(x, -128, 127, 1e-05, torch.int8)\n"
        "    scale: \"f64[1]\" = choose[0]\n"
        "    zero: \"i64[1]\" = choose[1]\n"
        "    z: \"i8[4]\" = torch.ops.quantized_decomposed.quantize_per_tensor.tensor(x, scale, zero, -128, 127, "
        "torch.int8)\n");
    for (const char* dtype : {"f4e2m1fnx2", "f8e8m0fnu", "b8x1", "b16x1", "b2x4", "c32", "u16"})
        QTest::newRow(dtype) << u"    bits: \"%1[2, 4]\" = torch.ops.aten.view.default(y, [2, 4])\n"
                                "    z: \"f32[4]\" = torch.ops.aten.add.Tensor(x, 1)\n"_s.arg(QLatin1String(dtype))
                             << u", y: \"%1[8]\""_s.arg(QLatin1String(dtype)) << u"z, bits"_s;
}
void TestPrintedGraphs::operatorsOfPythonRun() {
    FETCH(QString, lines, inputs, results);
    const std::string text =
        function("x: \"f32[4]\"" + inputs.toStdString(), (lines + u"    return (%1,)\n"_s.arg(results)).toStdString());
    const auto session = openFile(scratch_.write(u"python.txt"_s, QByteArray::fromStdString(text)));
    QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
    const CheckResult check = session->check({});
    QVERIFY2(check.ok, qPrintable(firstDifference(check)));
}

void TestPrintedGraphs::whatCannotRunSaysWhy_data() {
    const auto row = columns<QString, QString>("text", "why");
    row("unknown",
        function("arg0_1: \"f32[4]\"",
                 "    y: \"f32[4]\" = torch.ops.mylib.f.default(arg0_1)\n"
                 "    return (y,)\n"),
        "the inference graph cannot run: LibTorch does not know mylib.f.default; load the library");
    row("no sizes",
        function("arg0_1: \"f32[s0]\"",
                 "    y: \"f32[s0]\" = torch.ops.aten.sin.default(arg0_1)\n"
                 "    return (y,)\n"),
        "the size of 'arg0_1' is not known; log the values of symbols with TORCH_TRACE or TORCH_LOGS=dynamic, or give "
        "them: --check --at s0=8");
    row("sizes of another symbol",
        function("arg0_1: \"f32[Max(1, s77), 4]\"",
                 "    y: \"f32[Max(1, s77), 4]\" = torch.ops.aten.sin.default(arg0_1)\n    return (y,)\n"),
        "--at s77=8");
    row("no types", function("arg0_1", "    y = torch.ops.aten.sin.default(arg0_1)\n    return (y,)\n"),
        "the size of 'arg0_1' is not known; print the graph with gm.print_readable()");
    row("an operator of a library that writes into its arguments",
        function("a: \"f32[4]\"",
                 "    f = torch.ops.higher_order.auto_functionalized_v2('torch.ops.mylib.scale_.default', "
                 "_x_base_index = 0, _all_bases = [a])\n    y: \"f32[4]\" = f[1]\n    return (y,)\n"),
        "LibTorch does not know mylib.scale_.default");
    row("source", function("L_x_: \"f32[4]\"", "    y: \"f32[4]\" = torch.sin(L_x_)\n    return (y,)\n"),
        "no graph of ATen operations");
}
void TestPrintedGraphs::whatCannotRunSaysWhy() {
    FETCH(QString, text, why);
    const auto session = openFile(scratch_.write(u"opaque.txt"_s, text.toUtf8()));
    QVERIFY2(q(session->whyNotExecutable()).contains(why), session->whyNotExecutable().c_str());
    for (const QString& error : {errorOf([&] { session->check({}); }), errorOf([&] { session->time({1}, {}); }),
                                 errorOf([&] { session->debug({}); }),
                                 errorOf([&] { session->saveValues(scratch_.at(u"none.pt"_s).toStdString(), {}); })})
        QCOMPARE(error, q(session->whyNotExecutable()));
    QVERIFY(!QFile::exists(scratch_.at(u"none.pt"_s)));
}

void TestPrintedGraphs::hostileGraphsEndInASentence_data() {
    columns<QString, QString>("text", "error");
    const auto row = [](const char* name, const std::string& input, const std::string& lines, const char* error) {
        QTest::newRow(name) << q(function(input, lines)) << q(error);
    };
    const char* four = "arg0_1: \"f32[4]\"";
    std::string repeated;
    for (int i = 0; i < 5; ++i)
        repeated += "    c" + std::to_string(i + 1) + ": \"f32[4]\" = torch.ops.aten.repeat.default(" +
                    (i == 0 ? "arg0_1" : "c" + std::to_string(i)) + ", [1000])\n";
    row("results that are larger than printed", four, repeated + "    return (c5,)\n", "and this machine has");
    row("huge", "arg0_1: \"f32[1000000000, 1000]\"",
        "    y: \"f32[4]\" = torch.ops.aten.sin.default(arg0_1)\n    return (y,)\n", "this machine has");
    row("more elements than can be counted", four,
        "    a: \"f32[4]\" = torch.ops.aten.repeat.default(arg0_1, [1000000000])\n"
        "    b: \"f32[4]\" = torch.ops.aten.outer.default(a, a)\n    return (b,)\n",
        "this machine has");
    row("an argument that reads like an error", four,
        "    y: \"f32[4]\" = torch.ops.aten.div.Tensor_mode(arg0_1, arg0_1, rounding_mode = 'overflow')\n"
        "    return (y,)\n",
        "to be one of None, 'trunc', or 'floor'");
    row("more tensors than fit", "arg0_1: \"f32[2, 100000000]\"",
        "    m = torch.ops.aten.split.Tensor(arg0_1, 10, -1)\n    y: \"f32[2, 10]\" = m[0]\n    return (y,)\n",
        "makes 10000000 tensors");
    row("too many results", "arg0_1: \"f32[4, 4]\"",
        "    m = torch.ops.aten.max.dim(arg0_1, 0)\n    y: \"f32[4]\" = m[9999]\n    return (y,)\n", "has 2 results");
    row("results of a list", four,
        "    m = torch.ops.aten.split.Tensor(arg0_1, 2)\n    y: \"f32[4]\" = m[17]\n    return (y,)\n",
        "has 2 results; the graph takes result 17");
    row("files", four,
        "    y: \"f32[4]\" = torch.ops.aten.from_file.default('/etc/hostname', True, 4)\n    return (y,)\n", "--allow");
    row("wrong type", four, "    y: \"f32[4]\" = torch.ops.aten.mm.default(arg0_1, [1, 2])\n    return (y,)\n", "");
    row("too few arguments", four, "    y: \"f32[4]\" = torch.ops.aten.mm.default(arg0_1)\n    return (y,)\n",
        "its argument 'mat2' is missing");
    row("wrong sizes", four, "    y: \"f32[4]\" = torch.ops.aten.mm.default(arg0_1, arg0_1)\n    return (y,)\n", "");
    row("a tuple as a tensor", "arg0_1: \"f32[4, 4]\"",
        "    m = torch.ops.aten.max.dim(arg0_1, 0)\n    y: \"f32[4]\" = torch.ops.aten.sin.default(m)\n"
        "    return (y,)\n",
        "");
    row("no such device", "arg0_1: \"f32[4][1]tpu:3\"",
        "    y: \"f32[4]\" = torch.ops.aten.zeros.default([4], device = device(type='nonsense'))\n    return (y,)\n",
        "");
}
void TestPrintedGraphs::hostileGraphsEndInASentence() {
    FETCH(QString, text, error);
    const auto session = openFile(scratch_.write(u"hostile.txt"_s, text.toUtf8()));
    const QString found = errorOf([&] { session->check({}); });
    QVERIFY2(!found.isEmpty() || error.isEmpty(), "nothing failed");
    QVERIFY2(found.contains(error) && !found.startsWith("not an Error"_L1), qPrintable(found));
}
