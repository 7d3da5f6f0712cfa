// Model files, intact and broken, and the programs in them.

#include "load/model.h"
#include "load/samples.h"
#include "load/torchscript/script_presets.h"
#include "load/torchscript/script_text.h"
#include "program/inputs/short_inputs.h"
#include "program/program.h"
#include "session/engine.h"
#include "support/child.h"
#include "support/exported_files.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <random>

namespace aotscope::test::load_test {

class TestLoad : public QObject {
    Q_OBJECT

    Scratch scratch_;

    /// A zip archive as PyTorch writes it, but with the given records only.
    QString archive(const QString& name, const std::vector<std::string>& records) {
        QString path = scratch_.at(name);
        caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
        for (const auto& record : records) writer.writeRecord(record, "text", 4);
        writer.writeEndOfFile();
        return path;
    }

    /// A model file with example inputs, as torch.jit.trace writes it.
    QString traced() {
        QString path = scratch_.at(u"traced.pt"_s);
        if (QFile::exists(path)) return path;
        auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return (x * self.w).sin()",
                                 {ModuleBuilder::parameter("w", learned({3}))});
        module->store_traced_inputs("forward", {at::ones({2, 3})});
        module->save(path.toStdString());
        return path;
    }

    QString savedTensor() {
        const auto bytes = torch::jit::pickle_save(at::ones({2}));
        return scratch_.write(u"tensor.pt"_s, QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
    }

    static QString loadError(const QString& path) {
        return errorOf([&] { loadModel(path.toStdString(), ModuleMode::train); });
    }

private Q_SLOTS:
    /// Each compiles to graphs with eager's results.
    void presetsOfTheScratchPad_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < scriptPresets().size(); ++i)
            QTest::newRow(scriptPresets()[i].name.c_str()) << static_cast<int>(i);
    }
    void presetsOfTheScratchPad() {
        QFETCH(int, index);
        const ScriptPreset& preset = scriptPresets()[static_cast<std::size_t>(index)];
        const auto session =
            Session::open({.model = "script:" + preset.code, .inputs = parseShortInputs(preset.inputs, "inputs")}, {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const CheckResult check = session->check({});
        QVERIFY2(check.ok, check.details.empty() ? "" : check.details[0].c_str());
        QVERIFY(preset.help.size() > 40);
    }

    /// In PyTorch's notebook, forward returns gelu and saves addmm and primals_3.
    void theNotebooksMlp() {
        const auto preset = std::ranges::find(scriptPresets(), "MLP of the notebook", &ScriptPreset::name);
        const Options options{.model = "script:" + preset->code, .inputs = parseShortInputs(preset->inputs, "inputs")};
        QStringList names;
        const auto forward = Session::open(options, {})->record()->graph(GraphKind::forward);
        for (const Argument& output : forward->outputs()) names << q(output.node()->name());
        names.sort();
        QCOMPARE(names.join(u' '), u"addmm gelu primals_3"_s);
    }

    void scriptsInOneLine_data() {
        const auto row = columns<QString, QString>("text", "definitions");
        row("function", "def f(x: Dict[str, int], y='a:b'): z = x; return z",
            "def f(x: Dict[str, int], y='a:b'):\n    z = x\n    return z\n");
        row("lambda", " lambda x, y: x[{1: 2}] + y", "def f(x, y):\n    return x[{1: 2}] + y\n");
        row("lines", "import torch\ndef f(x):  # why: so\n    return F.relu(x)",
            "\ndef f(x):  # why: so\n    return F.relu(x)\n");
    }
    void scriptsInOneLine() {
        FETCH(QString, text, definitions);
        QCOMPARE(q(asDefinitions(text.toStdString())), definitions);
    }

    /// As Python calls them.
    void spacesOfFunctions_data() {
        const auto row = columns<QString, QString>("called", "op");
        row("F", "F.gelu(x)", "aten.gelu.default");
        row("nn", "nn.functional.gelu(x)", "aten.gelu.default");
        row("torch.nn", "torch.nn.functional.gelu(x)", "aten.gelu.default");
        row("linalg", "torch.linalg.inv(x)", "aten.linalg_inv_ex.default");
        row("fft", "torch.fft.rfft(x).abs()", "aten._fft_r2c.default");
        row("special", "torch.special.i0e(x)", "aten.special_i0e.default");
    }
    void spacesOfFunctions() {
        FETCH(QString, called, op);
        const Options options{.model = "script:def f(x): return " + called.toStdString(),
                              .inputs = parseShortInputs("f32[3,3] grad", "inputs")};
        const auto joint = Session::open(options, {})->record()->graph(GraphKind::joint);
        QVERIFY(std::ranges::any_of(joint->nodes(), [&](const Node* node) { return q(node->op()) == op; }));
    }

    void brokenScripts_data() {
        const auto row = columns<QString, QString>("code", "message");
        row("empty", "", "it defines no function");
        row("name", "def f(x):\n    y = x + 1\n    return z", "(line 3)");
        row("operator", "def f(x):\n    return torch.wobble(x)", "wobble");
        row("class", "class A:\n    def f(self, x):\n        return x", "class");
        row("autocast", "def f(x):\n    with torch.autocast('cpu'):\n        y = x @ x\n    return y",
            "with --autocast: (line 2)");
        row("inference mode", "def f(x):\n    with torch.inference_mode():\n        y = x + 1\n    return y",
            "write torch.no_grad(): (line 2)");
        row("module", "def f(x):\n    return torch.nn.Linear(3, 3)(x)", "a Python module");
        row("file", "def f(x):\n    torch.save(x, 'f')\n    return x", "save");
        row("statement", "x = 1", "functions");
        row("recursion", "def f(x):\n    return f(x)", "f");
    }
    void brokenScripts() {
        FETCH(QString, code, message);
        QString said;
        try {
            loadModel("script:" + code.toStdString(), ModuleMode::train);
        } catch (const Error& e) {
            said = q(e.what());
        }
        QVERIFY2(said.startsWith("the code cannot be read"_L1) && said.contains(message), qPrintable(said));
    }

    void gradModesInScripts_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("cosines");  // of the backward: one for each sine that is differentiated
        const auto row = [](const char* name, const char* code, int cosines) {
            QTest::newRow(name) << code << cosines;
        };
        row("no_grad", "def f(x):\n    with torch.no_grad():\n        y = x.sin()\n    return y * x", 0);
        row("enable_grad within",
            "def f(x):\n    with torch.no_grad():\n        y = x.sin()\n        with torch.enable_grad():\n"
            "            z = (x * 2).sin()\n    return y * x + z",
            1);
        row("a condition",
            "def f(x):\n    with torch.set_grad_enabled(x.dim() > 2):\n        y = x.sin()\n    return y * x", 0);
        row("a statement",
            "def f(x):\n    torch.set_grad_enabled(False)\n    y = x.sin()\n    torch.set_grad_enabled(True)\n"
            "    return y * x.sin()",
            1);
        row("in a function, returning",
            "def g(x):\n    with torch.no_grad():\n        return x.sin()\ndef f(x):\n    return g(x) * x", 0);
    }
    void gradModesInScripts() {
        QFETCH(QString, code);
        QFETCH(int, cosines);
        const QString file = scratch_.at(u"modes.pt"_s);
        engineHere()->saveScript("script:" + code.toStdString(), file.toStdString());
        for (const std::string& model : {"script:" + code.toStdString(), file.toStdString()}) {
            const auto session =
                Session::open({.model = model, .inputs = parseShortInputs("f32[4, 5] grad", "inputs")}, {});
            QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
            const auto joint = session->record()->graph(GraphKind::joint);
            QVERIFY(joint);
            QCOMPARE(opHistogram(*joint)["aten.cos.default"], cosines);
            const CheckResult check = session->check({});
            QVERIFY2(check.ok, check.details.empty() ? "" : check.details[0].c_str());
        }
    }

    /// A program saved from the pad opens again.
    void savedScripts() {
        const std::string model = "script:def g(x, n: int): return x * n\ndef f(x): return g(x, 2).sin()";
        const QString file = scratch_.at(u"script.pt"_s), text = scratch_.at(u"script.py"_s);
        engineHere()->saveScript(model, file.toStdString());
        scratch_.write(u"script.py"_s, QByteArray::fromStdString(model.substr(7)));
        const at::Tensor x = at::ones({2, 3});
        const at::Tensor expected = (x * 2).sin();
        for (const QString& path : {file, text}) {
            const Model opened = loadModel(path.toStdString(), ModuleMode::train);
            std::vector<c10::IValue> state;
            for (const StateTensor& tensor : opened.program->state()) state.emplace_back(tensor.value);
            QVERIFY(at::equal(opened.program->call(state, {x}, nullptr).toTensor(), expected));
        }
    }

    void weightsOfSamplesAreMadeWhenTheyAreNeeded() {
        const auto one = programOf(findSample("mlp"), ModuleMode::train);
        const auto other = programOf(findSample("mlp"), ModuleMode::train);
        one->materializeState();
        const at::Tensor weight = one->state()[0].value, values = weight.clone();
        QVERIFY(values.abs().min().item<double>() > 0);
        one->materializeState();  // created once
        QVERIFY(at::equal(weight, values));
        QVERIFY(weight.requires_grad());
        other->materializeState();
        QVERIFY(at::equal(other->state()[0].value, values));
    }

    // --- model files ---

    void notAModel_data() {
        const auto row = columns<QString, QString>("path", "message");
        row("missing", scratch_.at(u"none.pt"_s), "no such file; check the path");
        row("folder", scratch_.path(), "expected a file, found a folder");
        row("empty", scratch_.write(u"empty.pt"_s, {}), "it is empty, not a zip archive");
        row("text", scratch_.write(u"text.pt"_s, "import torch\n"), "it is a text without printed graphs");
        const auto log = [](const char* artifact) {
            return QByteArray("V1128 02:37:05.496000 29439 torch/x.py:1] [0/1] [") + artifact + "] text\n";
        };
        row("recompilations", scratch_.write(u"again.pt"_s, log("__recompiles")), "aotscope compiles --why recompile");
        row("graph breaks", scratch_.write(u"breaks.pt"_s, log("__graph_breaks")), "aotscope compiles --why break");
        row("UTF-16",
            scratch_.write(u"wide.pt"_s, QByteArray("\xff\xfe"
                                                    "d\0e\0f\0",
                                                    8)),
            "it is a text without printed graphs");
        row("TorchScript's graph", scratch_.write(u"graph.pt"_s, "graph(%x : Tensor):\n  return (%x)\n"),
            "it is a graph of TorchScript as print() shows it");
        row("only the magic", scratch_.write(u"magic.pt"_s, "PK\x03\x04"), "the TorchScript archive is damaged");
        row("tensors", savedTensor(), "values saved by torch.save, not a program");
        row("no constants.pkl", archive(u"a.pt"_s, {"data.pkl"}), "constants.pkl or data.pkl is missing");
        row("no data.pkl", archive(u"b.pt"_s, {"constants.pkl"}), "constants.pkl or data.pkl is missing");
        row("nonsense records", archive(u"c.pt"_s, {"constants.pkl", "data.pkl"}),
            "the TorchScript archive is damaged");
    }
    void notAModel() {
        FETCH(QString, path, message);
        const QString error = loadError(path);
        const bool opened = QFileInfo(path).isFile();
        QVERIFY2(error.startsWith((opened ? u"cannot open '%1': "_s : u"cannot read '%1': "_s).arg(path)),
                 qPrintable(error));
        QVERIFY2(error.contains(message) && !error.contains(u'\n'), qPrintable(error));
    }

    /// The file is intact, but an operator that it needs is missing.
    void unknownOperator() {
        const QString path = scratch_.at(u"own_op.pt"_s);
        moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return torch.sin(x)")->save(path.toStdString());
        ExportedFile archive = ExportedFile::read(path.toStdString());
        for (auto& [name, text] : archive.records)
            if (const auto call = text.find("torch.sin("); name.ends_with(".py") && call != std::string::npos)
                text.replace(call, 9, "ops.mine.twice");
        archive.write(path);
        const QString error = loadError(path);
        QVERIFY2(error.contains(u"it calls the operator 'mine::twice', which is unknown"_s) &&
                     error.contains(u"--library"_s),
                 qPrintable(error));
    }

    void unknownSample() {
        const QString error = errorOf([] { loadModel("sample:nosuch", ModuleMode::train); });
        QVERIFY2(error.startsWith(u"there is no sample 'nosuch'; choose one of sincos, "_s), qPrintable(error));
    }

    void truncatedFiles_data() {
        QTest::addColumn<int>("length");
        const int size = static_cast<int>(contentOf(traced()).size());
        for (int length = 5; length < size; length += 97) QTest::addRow("%d", length) << length;
        QTest::addRow("%d", size - 1) << size - 1;
    }
    void truncatedFiles() {
        QFETCH(int, length);
        const QString path = scratch_.write(u"truncated.pt"_s, contentOf(traced()).left(length));
        const QString error = loadError(path);
        QVERIFY2(error.startsWith(u"cannot open '%1': "_s.arg(path)), qPrintable(error));
    }

    /// Damage may go unnoticed (in a name, in padding) if the file loads; otherwise it is an Error that names the file.
    void damagedFiles_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 200; ++seed) QTest::addRow("%u", seed) << seed;
    }
    void damagedFiles() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        QByteArray content = contentOf(traced());
        for (unsigned flips = 1 + seed % 4; flips > 0; --flips) {
            const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(content.size()));
            content[at] = static_cast<char>(content[at] ^ static_cast<char>(1 + random() % 255));
        }
        const QString path = scratch_.write(u"damaged.pt"_s, content);
        const QString error = inChild([&] { return loadError(path); });
        QVERIFY2(error.isEmpty() || error.startsWith(u"cannot open '%1': "_s.arg(path)), qPrintable(error));
    }

    /// Indices far outside the table of source texts.
    void damagedDebugInformation() {
        caffe2::serialize::PyTorchStreamReader reader(traced().toStdString());
        const QString path = scratch_.at(u"debug.pt"_s);
        caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
        int changed = 0;
        for (const auto& name : reader.getAllRecords()) {
            auto [data, size] = reader.getRecord(name);
            QByteArray content(static_cast<const char*>(data.get()), static_cast<qsizetype>(size));
            if (name.ends_with(".debug_pkl")) {
                static const QRegularExpression smallIndex(u"\\]\\(K."_s);
                QString text = QString::fromLatin1(content);
                changed += static_cast<int>(text.count(smallIndex));
                text.replace(smallIndex, u"](J\u00ff\u00ff\u00ff\u007f"_s);
                content = text.toLatin1();
            }
            if (name != ".data/serialization_id")
                writer.writeRecord(name, content.constData(), static_cast<std::size_t>(content.size()));
        }
        writer.writeEndOfFile();
        QVERIFY(changed > 0);
        const QString error = inChild([&] { return loadError(path); });
        QVERIFY2(error.isEmpty() || error.startsWith(u"cannot open '%1': "_s.arg(path)), qPrintable(error));
    }

    void tracedFilesBringTheirInputs() {
        const Model model = loadModel(traced().toStdString(), ModuleMode::train);
        QCOMPARE(q(model.name), u"traced"_s);
        QCOMPARE(q(model.kind), u"torchscript"_s);
        QCOMPARE(model.recordedInputs.size(), std::size_t(1));
        QCOMPARE(model.recordedInputs[0].toTensor().sizes(), c10::IntArrayRef({2, 3}));
        QVERIFY(model.recordedInputs[0].toTensor().abs().min().item<float>() > 0);  // the file has no values
        QVERIFY(q(model.warnings.at(0)).contains(u"not their values"_s));
        QCOMPARE(model.program->state().size(), std::size_t(1));
        const QString used = inChild([&] {
            const ModelRun modelRun(model, {});
            std::string text = printInputSpec(modelRun.describeInputs()) + " for";
            for (const auto& name : modelRun.function().leafNames()) text += " " + name;
            const at::Tensor input = modelRun.arguments(true).leaves.back().toTensor();
            return q(text + (input.count_nonzero().item<int64_t>() == 0 ? " zeros" : " other")).simplified();
        });
        QCOMPARE(used, uR"([ { "dtype": "float32", "shape": [ 2, 3 ] } ] for w x other)"_s);
    }

    void scriptedFilesNeedInputs() {
        const QString path = scratch_.at(u"scripted.pt"_s);
        moduleFrom("def forward(self, a: Tensor, b: Tensor) -> Tensor:\n    return a + b")->save(path.toStdString());
        try {
            const ModelRun modelRun(loadModel(path.toStdString(), ModuleMode::train), {});
            QFAIL("inputs came from nowhere");
        } catch (const InputsNeeded& e) {
            QVERIFY2(q(e.what()).startsWith(u"'%1' has no example inputs; give --inputs SPEC"_s.arg(path)), e.what());
            QCOMPARE(e.names, std::vector<std::string>({"a", "b"}));
            QCOMPARE(e.suggestion.inputs.size(), std::size_t(2));
        }
    }

    // --- programs ---

    void stateIsLiftedInOrder() {
        const at::Tensor tied = learned({2}), own = learned({2});
        const auto module = moduleFrom(
            "def forward(self, x: Tensor) -> Tensor:\n    return x * self.b * self.a * self.c + self.mean + self.plain",
            {ModuleBuilder::parameter("b", tied), ModuleBuilder::buffer("mean", at::ones({2})),
             ModuleBuilder::parameter("a", own), ModuleBuilder::parameter("c", tied),
             ModuleBuilder::plain("plain", at::ones({2})), ModuleBuilder::buffer("unused", at::ones({1}))});
        const auto program = programOf(*module, ModuleMode::train);
        QStringList state;
        for (const auto& s : program->state()) state << q(s.name) + u' ' + q(name(s.role));
        QCOMPARE(state, QStringList({u"b parameter"_s, u"a parameter"_s, u"mean buffer"_s, u"unused buffer"_s,
                                     u"plain buffer"_s}));
        const std::vector<c10::IValue> given = {tied * 2, own, at::ones({2}), at::ones({1}), at::ones({2})};
        const auto doubled = program->call(given, {at::ones({2})}, nullptr);
        QVERIFY(at::allclose(doubled.toTensor(), 4 * tied * tied * own + 2));
    }

    void attributesFoldAndBranchesOnThemAreTaken_data() {
        columns<ModuleMode, bool, QString>("mode", "training", "text");
        const QString training = u"%sin : ? = aten.sin.default(%x)\n  %mul : ? = aten.mul.Scalar(%sin, 6)"_s;
        const QString evaluation = u"%mul : ? = aten.mul.Scalar(%x, 6)"_s;
        for (const bool saved : {true, false}) {
            const char* as = saved ? "saved in train" : "saved in eval";
            QTest::addRow("train, %s", as) << ModuleMode::train << saved << training;
            QTest::addRow("eval, %s", as) << ModuleMode::eval << saved << evaluation;
            QTest::addRow("as saved, %s", as) << ModuleMode::asSaved << saved << (saved ? training : evaluation);
        }
    }
    void attributesFoldAndBranchesOnThemAreTaken() {
        QFETCH(ModuleMode, mode);
        QFETCH(bool, training);
        QFETCH(QString, text);
        const auto module = moduleFrom(
            "def forward(self, x: Tensor) -> Tensor:\n"
            "    if self.training and self.factor > 2:\n        x = x.sin()\n"
            "    return x * (self.factor * 2)",
            {ModuleBuilder::plain("factor", 3)});
        module->train(training);
        const auto program = programOf(*module, mode);
        const QString source = q(printGraph(*program->source()));
        QVERIFY2(source.contains(text) && !source.contains(u"prim.If"_s), qPrintable(source));
        QVERIFY(program->state().empty());
    }

    void branchesOnInputsAreShown() {
        const auto program = programOf(*moduleFrom("def forward(self, x: Tensor, flag: bool) -> Tensor:\n"
                                                   "    if flag:\n        x = x.sin()\n    return x"),
                                       ModuleMode::train);
        const QString source = q(printGraph(*program->source()));
        QVERIFY2(source.contains(u"prim.If"_s), qPrintable(source));
        const at::Tensor x = at::ones({1});
        QVERIFY(at::equal(program->call({}, {x, true}, nullptr).toTensor(), x.sin()));
        QVERIFY(at::equal(program->call({}, {x, false}, nullptr).toTensor(), x));
    }

    void defaultsCompleteTheInputs() {
        const auto program =
            programOf(*moduleFrom("def forward(self, x: Tensor, n: int = 3, y: Optional[Tensor] = None) -> Tensor:\n"
                                  "    if y is not None:\n        x = x + y\n    return x * n"),
                      ModuleMode::train);
        const auto inputs = completeInputs(*program, {at::ones({1})});
        QCOMPARE(inputs.size(), std::size_t(3));
        QCOMPARE(program->call({}, inputs, nullptr).toTensor().item<double>(), 3.0);
        QCOMPARE(program->call({}, {at::ones({1}), 2, at::ones({1})}, nullptr).toTensor().item<double>(), 4.0);
    }

    void refusedPrograms_data() {
        const auto row = columns<QString, QString>("methods", "message");
        row("assigns an attribute", "def forward(self, x: Tensor) -> Tensor:\n    self.last = x\n    return x",
            "assigns to its attribute 'last', which a pure function cannot do; update a registered buffer in place "
            "instead");
        row("no forward", "def other(self, x: Tensor) -> Tensor:\n    return x",
            "the module 'Model' has no method 'forward'");
    }
    void refusedPrograms() {
        FETCH(QString, methods, message);
        const QString error = errorOf([&] {
            programOf(*moduleFrom(methods.toStdString(), {ModuleBuilder::buffer("last", at::ones({1}))}),
                      ModuleMode::train);
        });
        QVERIFY2(error.contains(message), qPrintable(error));
    }
};

AOTSCOPE_TEST(TestLoad)

}  // namespace aotscope::test::load_test

#include "test_load.moc"
