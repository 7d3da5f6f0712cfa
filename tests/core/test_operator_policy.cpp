// Which operators a file may call: the policy, and the checks of code that use it.

#include "aten/convert.h"
#include "io/session/document.h"
#include "load/exported/operators.h"
#include "load/torchscript/archive_code.h"
#include "load/torchscript/script_definitions.h"
#include "load/torchscript/script_graph_check.h"
#include "load/torchscript/script_source_check.h"
#include "load/torchscript/torchscript.h"
#include "load/torchscript/torchscript_nesting.h"
#include "ops/decompositions/core_aten.h"
#include "ops/op_table.h"
#include "ops/operator_policy.h"
#include "session/session.h"
#include "support/hostile/script_archive.h"
#include "support/models.h"
#include "support/saved_model.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/library.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <set>

namespace aotscope::test::operator_policy_test {
namespace {

/// The names of all registered operators, without overloads and without those of the tests.
std::set<std::string> registeredOperators() {
    std::set<std::string> names;
    for (const auto& op : c10::Dispatcher::singleton().getAllOpNames()) names.insert(op.name);
    for (const auto& op : torch::jit::getAllOperators()) names.insert(op->schema().name());
    std::erase_if(names, [](const auto& n) { return n.starts_with("aotscope::") || n.starts_with("prims::"); });
    return names;
}

/// Every kind that --allow accepts, except for code that runs at load: the kinds of unknown operators.
bool isUnjudged(OperatorKinds kinds) {
    return kinds.contains(OperatorKind::loadsCode) && kinds.contains(OperatorKind::network);
}

bool harmless(OperatorKinds kinds) {
    for (const AllowableKind& k : allowableKinds())
        if (kinds.contains(k.kind)) return false;
    return !kinds.contains(OperatorKind::internal);
}

/// The error of the checks of code/__torch__.py before loading; empty: none.
QString refusal(const std::string& code, OperatorKinds allow = {}) {
    return errorOf([&] {
        ScriptDefinitions definitions;
        definitions.add("code/__torch__.py", code);
        requireShortChains(definitions);
        OperatorJudge judge(allow);
        judgeSource(definitions, judge);
        judgeCodeRunAtLoad(definitions, judge);
        judge.require("cannot open 'x.pt'");
    });
}

std::string withSetState(const std::string& body, const std::string& methods = {}) {
    return modelCode("    return x\n",
                     methods + "  def __setstate__(self: __torch__.M,\n    state: Tuple[Tensor, bool]) -> NoneType:\n" +
                         body + "    return None\n");
}

}  // namespace

class TestOperatorPolicy : public QObject {
    Q_OBJECT

    Scratch scratch_;

private Q_SLOTS:
    // --- what operators do ---

    /// Schemas of c10d do not say what they write.
    void mutatingOperatorsAreKnown() {
        QVERIFY(isMutating("c10d.copy_.default") && !isMutating("c10d.barrier.default"));
        for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
            const auto op = c10::Dispatcher::singleton().findSchema(name);
            if (op && !name.name.starts_with("c10d::") && name.name.find("::") != std::string::npos)
                QVERIFY2(isMutating(graphName(name)) == op->schema().is_mutable(), graphName(name).c_str());
        }
    }

    /// An operator that returns and writes nothing is called for its effect. The same holds for the table.
    void operatorsThatReturnNothingHaveAnEffect() {
        for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
            if (!name.name.starts_with("aten::") && !name.name.starts_with("symm_mem::")) continue;
            const auto op = c10::Dispatcher::singleton().findSchema(name);
            if (!op || op->schema().is_mutable()) continue;
            const bool tagged = opTags(graphName(name)) & kEffect;
            QVERIFY2(tagged == op->schema().returns().empty(), graphName(name).c_str());
        }
    }

    /// The list is that of LibTorch 2.13.
    void coreOperatorsAreKnown() {
        QStringList wrong;
        for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
            if (!name.name.starts_with("aten::")) continue;
            const auto op = c10::Dispatcher::singleton().findSchema(name);
            if (op && isCoreAten(graphName(name)) != op->hasTag(at::Tag::core))
                wrong << QString::fromStdString(graphName(name));
        }
        if (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR == 13)
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u' ')));
        QVERIFY(wrong.size() < 20);
    }

    // --- the policy ---

    /// After an update of LibTorch, review its new operators in operator_policy.cpp and add them to the list.
    void everyOperatorIsReviewed() {
        if (at::hasCUDA()) QSKIP("the list is that of a LibTorch without CUDA");
        const QByteArray list = contentOf(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/reviewed_operators.txt"));
        std::set<std::string> reviewed;
        for (const QByteArray& name : list.split('\n')) reviewed.insert(name.toStdString());
        QStringList unknown;
        for (const std::string& name : registeredOperators())
            if (!reviewed.contains(name) || isUnjudged(operatorKinds(name))) unknown << QString::fromStdString(name);
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(u' ')));
    }

    void kinds_data() {
        columns<QString, QString, QStringList>("op", "overload", "kinds");
        const auto row = [](const char* op, const char* overload, const QStringList& kinds) {
            QTest::newRow((QByteArray(op) + "." + overload).constData())
                << QString::fromLatin1(op) << QString::fromLatin1(overload) << kinds;
        };
        const QStringList raw = {u"raw-memory"_s}, ranks = {u"collectives"_s};
        row("aten::add", "Tensor", {});
        row("aten::rand", "", {});
        row("aten::manual_seed", "", {});
        row("aten::warn", "", {});
        row("prim::If", "", {});
        row("quantized::linear", "", {});
        row("aten::save", "", {u"writes-files"_s});
        row("aten::from_file", "", {u"reads-files"_s, u"writes-files"_s});
        row("aten::from_file", "out", {u"reads-files"_s, u"writes-files"_s});
        row("aten::set_", "", {});
        row("aten::set_", "source_Tensor", {});
        row("aten::set_", "source_Storage", raw);
        row("aten::_reshape_alias", "", raw);
        row("aten::_sparse_coo_tensor_unsafe", "", raw);
        row("inductor::_reinterpret_tensor", "", raw);
        row("mkldnn::data_ptr", "", raw);
        row("mkldnn::_linear_pointwise", "", {});
        row("c10d::allreduce_", "", ranks);
        row("_c10d_functional::wait_tensor", "", {});
        row("_c10d_functional_autograd::all_gather_into_tensor", "", {});
        row("_dtensor::shard_dim_alltoall", "", {});
        row("symm_mem::memset32_", "", ranks + raw);
        row("prim::rpc_async", "", {u"network"_s});
        row("aotscope::location", "", {u"internal"_s});
        row("prim::TensorExprGroup", "", {u"internal"_s});
        row("nowhere::nothing", "", {});
    }
    void kinds() {
        FETCH(QString, op, overload);
        QFETCH(QStringList, kinds);
        const OperatorKinds found = operatorKinds(op.toStdString(), overload.toStdString());
        QStringList names;
        for (const AllowableKind& k : allowableKinds())
            if (found.contains(k.kind))
                names << QString::fromUtf8(k.name.data(), static_cast<qsizetype>(k.name.size()));
        if (found.contains(OperatorKind::internal)) names << u"internal"_s;
        QCOMPARE(names, kinds);
        QCOMPARE(harmless(found), kinds.isEmpty());
    }

    void namesOfKinds() {
        for (const AllowableKind& k : allowableKinds()) QVERIFY(allowableKind(k.name) == k.kind);
        QVERIFY(!allowableKind("computes"));
        QVERIFY(!allowableKind("internal"));
    }

    void customClasses() {
        const std::string space = "__torch__.torch.classes.";
        QVERIFY(harmless(customClassKinds(space + "quantized.LinearPackedParamsBase")));
        QVERIFY(harmless(customClassKinds("__torch__.c10d.ProcessGroup")));  // a class of TorchScript
        QVERIFY(customClassKinds(space + "c10d.ProcessGroup").contains(OperatorKind::collectives));
        QVERIFY(customClassKinds(space + "_nnapi.Compilation").contains(OperatorKind::loadsCode));
    }

    /// Operators that a library registers after LibTorch is loaded belong to that library.
    void librariesOfTheUser() {
        rememberOwnNamespaces();
        torch::Library library(torch::Library::DEF, "lib_of_a_user", std::nullopt, __FILE__, __LINE__);
        library.def("writes_everything(Tensor x) -> Tensor");
        QVERIFY(harmless(operatorKinds("lib_of_a_user::writes_everything")));
        QVERIFY(mayRunAtLoad("lib_of_a_user::writes_everything"));
        QVERIFY(!mayRunAtLoad("aten::save"));
    }

    void allRefusedOperatorsAreNamed() {
        OperatorJudge judge({OperatorKind::readsFiles});
        judge.call("aten::add");
        judge.call("aten::save");
        judge.call("aten::save");
        judge.call("c10d::send");
        try {
            judge.require("cannot open 'x.pt'");
            QFAIL("it is allowed");
        } catch (const OperatorsRefused& e) {
            QCOMPARE(QString::fromUtf8(e.what()),
                     u"cannot open 'x.pt': it calls aten::save, which writes files, and c10d::send, which "
                     "exchanges tensors with other processes; give --allow writes-files --allow "
                     "collectives if you trust whoever made it"_s);
            QVERIFY(e.kinds == OperatorKinds({OperatorKind::writesFiles, OperatorKind::collectives}));
            QCOMPARE(e.operators.size(), std::size_t{2});
        }
        OperatorJudge allowing({OperatorKind::writesFiles});
        allowing.call("aten::save");
        allowing.require("cannot open 'x.pt'");
    }

    /// A session file cannot grant permissions.
    void sessionsKeepNoAllowance() {
        Options a, b;
        a.allow = {OperatorKind::writesFiles};
        QVERIFY(sameOptions(a, b));
    }

    // --- code before it is loaded ---

    void code_data() {
        const auto row = columns<QString, QString>("code", "sentence");
        const auto forward = [](const std::string& line) { return modelCode("    " + line + "\n    return x\n"); };
        row("computing", forward("y = torch.add(x, x)"), "");
        row("an attribute called save",
            forward("y = self.save") + "  def save(self: __torch__.M) -> int:\n    return 1\n", "");
        row("torch.save", forward("torch.save(x, \"f\")"), "aten::save");
        row("ops.aten.save", forward("ops.aten.save(x, \"f\")"), "aten::save");
        row("torch.nn.save", forward("torch.nn.save(x, \"f\")"), "aten::save");
        row("ops.quantized.nn.save", forward("ops.quantized.nn.save(x, \"f\")"), "aten::save");
        row("not called", forward("y = torch.save"), "aten::save");
        row("of a number", forward("(1).save(\"f\")"), "aten::save");
        row("in a function inside", forward("def f():\n      torch.save(x, \"f\")"), "aten::save");
        row("in a comprehension", forward("y = [torch.save(i, \"f\") for i in [1]]"), "aten::save");
        row("in an argument", forward("y = torch.add(x, alpha=torch.save(x, \"f\"))"), "aten::save");
        row("getattr", forward("getattr(x, \"save\")(\"f\")"), "aten::save");
        row("torch as a value", forward("t = torch"), "around as a value");
        row("a namespace as a value", forward("t = ops.aten"), "around as a value");
        row("a text", forward("y = \"torch.save(x)\""), "");
        row("a type", forward("y : Optional[__torch__.save] = None"), "");
        row("defined twice", forward("pass") + forward("pass"), "twice");
        row("a literal default",
            "def f(x: List[int]=[1, -2], y: float=inf, z: Optional[str]=None, d: Device=torch.device(\"cpu\")) -> "
            "int:\n  return 1\n",
            "");
        row("a constant of the table", "def f(x: Tensor=CONSTANTS.c0) -> Tensor:\n  return x\n", "");
        row("a computed default", "def f(x: Tensor=torch.ones([2])) -> Tensor:\n  return x\n", "the default of 'x'");
        row("a default with a loop", "def f(x: List[int]=[i for i in [1]]) -> int:\n  return 1\n",
            "the default of 'x'");
    }
    void code() {
        FETCH(QString, code, sentence);
        const QString found = refusal(code.toStdString());
        QVERIFY2(sentence.isEmpty() ? found.isEmpty() : found.contains(sentence), qPrintable(found));
    }

    void setState_data() {
        const auto row = columns<QString, QString>("body", "sentence");
        row("self.training = (state)[1]", "");
        row("a, b, = state", "");
        row("self.p = ops.quantized.linear_prepack((state)[0], None)", "");
        row("_0 = (self).helper((state)[0], )", "");
        row("if torch.eq(1, 2):\n      pass\n    else:\n      ops.prim.RaiseException(\"no\")", "");
        row("y = annotate(List[int], [])", "");
        row("y = unchecked_cast(Tensor, state)", "");
        row("y = unchecked_cast(Tuple[int, int], state)", "casts to a type");
        row("y = unchecked_cast(__torch__.M, state)", "casts to a type");
        row("while True:\n      pass", "contains 'while'");
        row("for i in range(9):\n      pass", "contains 'for'");
        row("y = [i for i in [1]]", "contains 'list comprehension'");
        row("y = __torch__.f(state)", "calls a function");
        row("y = (state).a.b", "looks into another object");
        row("(state)[0] = 1", "writes into a value");
        row("y = torch.zeros([1000000000000])", "calls aten::zeros");
        row("y = ops.quantized.linear((state)[0], (state)[0], 1., 0)", "calls quantized::linear");
        row("y = (self.inner).forward()", "of another object");
        row("(self).recursive()", "calls itself");
        row("self = state", "replaces 'self'");
        row("y = \"a\" * 1000000000", "contains '*'");
    }
    void setState() {
        FETCH(QString, body, sentence);
        const std::string methods =
            "  def helper(me: __torch__.M,\n    w: Tensor) -> NoneType:\n    me.p = torch.clone(w)\n    return None\n"
            "  def recursive(self: __torch__.M) -> NoneType:\n    (self).recursive()\n    return None\n";
        const std::string code = withSetState("    " + body.toStdString() + "\n", methods);
        const QString found = refusal(code);
        QVERIFY2(sentence.isEmpty() ? found.isEmpty() : found.contains(sentence), qPrintable(found));
        if (!sentence.isEmpty()) QVERIFY(found.contains(u"--allow runs-at-load"_s));
        QCOMPARE(refusal(code, {OperatorKind::runsAtLoad}), QString());
    }

    /// state[0] would run it.
    void hiddenCalls() {
        const std::string magic =
            "class Endless:\n  def __getitem__(self: __torch__.Endless,\n    i: int) -> int:\n"
            "    while True:\n      pass\n    return 1\n";
        QVERIFY(refusal(magic + withSetState("    y = (state)[0]\n")).contains(u"__getitem__"_s));
        QCOMPARE(refusal(magic), QString());
    }

    // --- nesting ---

    void nestingBelowTheLimit() {
        QCOMPARE(refusal(modelCode("    y = " + repeated("(", 390) + "x" + repeated(")", 390) + "\n    return x\n")),
                 QString());
        QCOMPARE(refusal(modelCode("    y = [" + repeated("x + 1, ", 5000) + "]\n    return x\n")), QString());
        QCOMPARE(refusal(modelCode(repeated("    y = torch.neg(x)\n", 5000) + "    return x\n")), QString());
        std::string functions;
        for (int i = 0; i < 1000; ++i)
            functions += "def f" + std::to_string(i) + "(x: Tensor) -> Tensor:\n  return x\n";
        QCOMPARE(refusal(functions), QString());
    }

    // --- files ---

    /// A class with __setstate__ as PyTorch itself writes it still opens.
    void stateOfItsOwn() {
        const QString path = scratch_.at(u"state.pt"_s);
        saveModel(
            "def forward(self, x: Tensor) -> Tensor:\n    return x * self.w\n"
            "def __getstate__(self) -> Tuple[Tensor, bool]:\n    return (self.w, self.training)\n"
            "def pack(self, w: Tensor) -> None:\n    self.w = w.clone()\n"
            "def __setstate__(self, state: Tuple[Tensor, bool]) -> None:\n"
            "    self.pack(state[0])\n    self.training = state[1]",
            path.toStdString());
        const auto module = readTorchScript(MappedFile::open(path.toStdString()));
        QCOMPARE(module.attr("w").toTensor().numel(), int64_t{3});
    }

    /// Overloads and the meaning of names are known only after LibTorch has compiled the code.
    void compiledCode() {
        const auto refused = [&](const std::string& line) {
            const auto module = moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    " + line + "\n    return x");
            OperatorJudge judge({});
            judgeCompiledCode(*module, judge);
            return errorOf([&] { judge.require("cannot open 'x.pt'"); });
        };
        QCOMPARE(refused("y = x.set_(x)"), QString());
        QVERIFY(refused("if x.dim() > 1:\n        for i in range(3):\n            torch.save(x, \"f\")")
                    .contains(u"aten::save"_s));
        QVERIFY(refused("x = torch._reshape_alias(x, [99], [1])").contains(u"aten::_reshape_alias"_s));
        QCOMPARE(refused("y : Optional[Tuple[int, int]] = None\n    if y is not None:\n        z = y[0]"), QString());
    }

    void allowedFileOpens() {
        const QString path = scratch_.at(u"mapped.pt"_s);
        saveModel(
            "def forward(self, x: Tensor) -> Tensor:\n    y = torch.from_file(\"nowhere\", False, 3)\n    return x + y",
            path.toStdString());
        QVERIFY(errorOf([&] { readTorchScript(MappedFile::open(path.toStdString())); }).contains(u"aten::from_file"_s));
        readTorchScript(MappedFile::open(path.toStdString()), {OperatorKind::readsFiles, OperatorKind::writesFiles});
    }
};

AOTSCOPE_TEST(TestOperatorPolicy)

}  // namespace aotscope::test::operator_policy_test

#include "test_operator_policy.moc"
