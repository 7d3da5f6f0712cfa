// From a program to its graphs: the results of tracing, functionalization and autograd, as text.

#include "ir/output_names.h"
#include "ir/runtime_steps.h"
#include "load/samples.h"
#include "passes/step_partition.h"
#include "session/session.h"
#include "support/child.h"
#include "support/golden.h"
#include "support/programs.h"
#include "support/test_program.h"
#include "support/text.h"
#include "trace/fake_inputs.h"
#include "trace/trace.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/version.h>

namespace aotscope::test::trace_test {
namespace {

std::string flag(bool set, const char* text) { return set ? std::string(" ") + text : std::string(); }

/// The metadata, one line for each input and output with properties.
std::string metadataText(const FunctionMetadata& metadata, const FunctionMetadata& graph) {
    std::string text = "# " + metadata.whyAutograd + "\n";
    for (const auto& input : metadata.inputs) {
        const std::string facts = flag(input.mutatesData, "data") + flag(input.mutatesMetadata, "metadata") +
                                  flag(input.mutationsUnderNoGrad, "under-no-grad");
        if (!facts.empty()) text += "# input " + input.name + " mutated:" + facts + "\n";
    }
    for (std::size_t i = 0; i < metadata.outputs.size(); ++i) {
        const auto& output = metadata.outputs[i];
        text += "# output " + std::to_string(i) + ": " + std::string(name(output.type)) +
                (output.base ? " " + std::to_string(*output.base) : "") + flag(output.requiresGrad, "requires-grad") +
                flag(!output.isTensor, "no-tensor") + "\n";
    }
    for (const auto& step : describeRuntime(metadata, graph))
        if (step.when == RuntimeStep::When::after) text += "# then " + step.text + "\n";
    return text;
}

/// The graph that would be compiled or partitioned, with the metadata above it.
std::string traceText(const CompileRecord& record) {
    if (!record.error.empty()) return "error: " + record.error + "\n";
    const auto joint = record.graph(GraphKind::joint), inference = record.graph(GraphKind::inference);
    std::string text = metadataText(*record.metadata, *record.graphMetadata);
    for (const auto& [op, count] : record.fallbacks) text += "# a real kernel ran for " + op + "\n";
    return text + printGraph(joint ? *joint : *inference);
}

std::vector<std::string> graphTexts(const CompileRecord& record, Detail detail) {
    std::vector<std::string> texts;
    for (const auto& [kind, graph] : record.graphs) texts.push_back(printGraph(*graph, detail));
    return texts;
}

std::shared_ptr<const Session> openSample(const std::string& name) {
    return Session::open({.model = "sample:" + name, .verify = true}, {});
}

/// The error message of compiling a program.
QString failure(const std::string& methods, const std::string& spec) {
    return q(compile(moduleFrom(methods), spec).record().error);
}

struct Joint {
    QString text;
    bool wentOn = false;
};

/// The joint graph with all facts about its nodes; for an inference graph, nothing.
Joint jointOf(const FlatFunction& function, bool goOn) {
    DataDependentValues dataValues(function, /*gradMode=*/true, Dialect::python);
    const ForwardTrace asWritten = traceForward(function, dataValues);
    MetadataTrace known = traceMetadata(function, dataValues, {}, asWritten);
    if (known.takesOtherInputs()) traceWithGraphInputs(function, dataValues, {}, known);
    if (!known.metadata.needsAutograd) return {};
    const bool wentOn = goOn && known.run;
    if (!goOn) known.run = nullptr;
    const JointTrace joint = traceJoint(function, dataValues, {}, known, StepPartitioner(Dialect::python));
    std::string text = printGraph(*joint.graph, Detail::full);
    for (const auto& [op, count] : joint.fallbacks) text += op + " " + std::to_string(count) + "\n";
    for (const auto& [name, constant] : joint.constants) text += name + "\n";
    return {q(text), wentOn};
}

const std::string kOneInput = R"([{"shape":[2,3],"requires_grad":true}])";

}  // namespace

class TestTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void golden_data() {
        QTest::addColumn<QString>("name");
        for (const auto& program : programTexts()) QTest::newRow(program.name.c_str()) << q(program.name);
    }
    void golden() {
        QFETCH(QString, name);
        if (TORCH_VERSION_MINOR < 12 && name == "joins_and_parts"_L1)
            QSKIP("LibTorch 2.11 calls zeros where later versions call new_zeros");
        const ProgramText& program = programText(name.toStdString());
        const Compiled compiled = compile(program.module(), program.inputs, {.mode = program.mode});
        const QString difference =
            compareWithGolden(u"trace/%1.txt"_s.arg(name), QByteArray::fromStdString(traceText(compiled.record())));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void inferenceMakesOneGraph() {
        const Options options{.inference = true};
        for (const auto& program : programTexts()) {
            const auto record = compile(program.module(), program.inputs, options).compilation.record;
            QVERIFY2(record->error.empty(), (program.name + ": " + record->error).c_str());
            QVERIFY(record->graph(GraphKind::inference) && !record->graph(GraphKind::joint) && !record->partition);
            QVERIFY(!record->metadata->needsAutograd);
        }
    }

    void everyGraphReadsBack_data() { golden_data(); }
    void everyGraphReadsBack() {
        QFETCH(QString, name);
        const ProgramText& program = programText(name.toStdString());
        const Compiled compiled = compile(program.module(), program.inputs);
        for (const Detail detail : {Detail::types, Detail::full})
            for (std::string text : graphTexts(compiled.record(), detail)) {
                text = "graph g" + text.substr(text.find('\n'));
                std::string again;
                QCOMPARE(errorOf([&] { again = printGraph(*parseGraph(text), detail); }), QString());
                QCOMPARE(q(again), q(text));
            }
    }

    void sameModelSameText_data() { golden_data(); }
    void sameModelSameText() {
        QFETCH(QString, name);
        const ProgramText& program = programText(name.toStdString());
        const auto texts = [&] { return graphTexts(compile(program.module(), program.inputs).record(), Detail::full); };
        QCOMPARE(texts(), texts());
    }

    // --- the joint trace continues from the functional run if it would run the forward identically ---

    void jointIsThatOfARunOfItsOwn_data() { golden_data(); }
    void jointIsThatOfARunOfItsOwn() {
        QFETCH(QString, name);
        const ProgramText& program = programText(name.toStdString());
        const ModelRun run = modelRunOf(program.module(), program.inputs);
        QCOMPARE(jointOf(run.function(), true).text, jointOf(run.function(), false).text);
    }

    void jointOfASampleGoesOn_data() { samplesTraceWithoutRealKernels_data(); }
    void jointOfASampleGoesOn() {
        QFETCH(QString, name);
        const SampleInfo& sample = findSample(name.toStdString());
        const Options options{.inputs = parseInputSpec(sample.inputSpec, "spec")};
        const ModelRun run(loadModel("sample:" + sample.name, ModuleMode::asSaved), options);
        const Joint joint = jointOf(run.function(), true);
        QCOMPARE(joint.text, jointOf(run.function(), false).text);
        QCOMPARE(joint.wentOn, name != "mutations"_L1 && name != "aliasing"_L1);
    }

    void forwardRunsAgainWhereTheJointTraceNeedsIt() {
        const auto goesOn = [](const char* name) {
            const ProgramText& program = programText(name);
            return jointOf(modelRunOf(program.module(), program.inputs).function(), true).wentOn;
        };
        QVERIFY(goesOn("mlp") && goesOn("batch_norm_train") && goesOn("in_place_on_intermediate"));
        QVERIFY(!goesOn("mutates_input_with_gradient") && !goesOn("mutates_view_of_input"));
    }

    void tensorsFromLists_data() {
        rowsOf("expression",
               {"torch.tensor([1.0, 2.0, 3.0])", "torch.tensor([[1, 2, 3], [4, 5, 6]])", "torch.tensor(x.size())",
                "torch.tensor(2.5)", "torch.tensor(x.size(0))", "torch.as_tensor([1.0, 2.0, 3.0])"});
    }
    void tensorsFromLists() {
        QFETCH(QString, expression);
        const std::string methods =
            "def forward(self, x: Tensor) -> Tensor:\n    return x * " + expression.toStdString();
        QCOMPARE(inChild([&] { return failure(methods, R"([{"shape":[3],"requires_grad":true}])"); }), QString());
    }

    // --- samples ---

    void samplesTraceWithoutRealKernels_data() {
        QTest::addColumn<QString>("name");
        for (const auto& sample : sampleList())
            if (sample.name != "gpt2" && sample.name != "bert") QTest::newRow(sample.name.c_str()) << q(sample.name);
    }
    void samplesTraceWithoutRealKernels() {
        QFETCH(QString, name);
        const auto record = openSample(name.toStdString())->record();
        QVERIFY2(record->error.empty(), record->error.c_str());
        QVERIFY(record->fallbacks.empty() && record->warnings.empty());
        for (const auto& [kind, graph] : record->graphs) QVERIFY(verifyGraph(*graph).empty());
    }

    void backwardNodesKnowTheirForward() {
        const auto joint = openSample("mlp")->record()->graph(GraphKind::joint);
        int backward = 0;
        for (const Node* node : joint->nodes()) {
            if (node->kind() != NodeKind::call) continue;
            QVERIFY2(node->source && !node->source->text.empty() && node->source->line > 0, node->name().c_str());
            if (node->stage != Stage::backward) continue;
            ++backward;
            const Node* forward = joint->findById(node->autograd.forward);
            QVERIFY2(forward && forward->stage == Stage::forward && forward->kind() == NodeKind::call,
                     node->name().c_str());
            QVERIFY(!node->autograd.function.empty());
            QCOMPARE(node->autograd.sequence, forward->autograd.sequence);
            QCOMPARE(q(node->source->module), q(forward->source->module));
        }
        QVERIFY(backward > 20);
        const Node* mm = joint->findByName("mm");
        QCOMPARE(q(mm->autograd.function), u"AddmmBackward0"_s);
        QCOMPARE(q(joint->findById(mm->autograd.forward)->name()), u"addmm_2"_s);
        const Node* addmm = joint->findByName("addmm_1");
        QCOMPARE(q(addmm->source->module), u"layers.1"_s);
        QCOMPARE(q(addmm->source->moduleType), u"Linear"_s);
        QCOMPARE(q(addmm->source->file), u"layers.py"_s);
        QCOMPARE(q(addmm->source->text), u"return torch.linear(x, self.weight, self.bias)"_s);
        QVERIFY(joint->findByName("relu")->autograd.savedOutput == SavedOutput::detached);
        QVERIFY(addmm->autograd.savedOutput == SavedOutput::no);
    }

    // --- what tracing must not do ---

    void tracingDrawsNoRandomNumbers() {
        auto generator = at::detail::getDefaultCPUGenerator();
        generator.set_current_seed(7);
        const at::Tensor before = generator.get_state();
        for (const char* name : {"dropout_train", "random_numbers"})
            compile(programText(name).module(), programText(name).inputs);
        openSample("gpt2-tiny");
        QVERIFY(at::equal(generator.get_state(), before));
    }

    void tracingLeavesTheThreadAsItWas() {
        const auto included = c10::impl::tls_local_dispatch_key_set().included_;
        const auto excluded = c10::impl::tls_local_dispatch_key_set().excluded_;
        compile(programText("mlp").module(), programText("mlp").inputs);
        QVERIFY(!failure("def forward(self, x: Tensor) -> Tensor:\n    return x * len(str(x))", kOneInput).isEmpty());
        QVERIFY(c10::impl::tls_local_dispatch_key_set().included_ == included);
        QVERIFY(c10::impl::tls_local_dispatch_key_set().excluded_ == excluded);
        QCOMPARE(c10::impl::TorchDispatchModeTLS::stack_len(), 0);
        QVERIFY(c10::GradMode::is_enabled());
        const at::Tensor x = at::ones({3}).set_requires_grad(true);
        x.sin().sum().backward();
        QVERIFY(at::equal(x.grad(), x.detach().cos()));
    }

    void tracingLeavesTheModelAsItWas() {
        const ProgramText& program = programText("batch_norm_train");
        const auto module = program.module();
        const at::Tensor mean = module->attr("running_mean").toTensor(),
                         count = module->attr("num_batches_tracked").toTensor();
        const auto version = mean._version();
        compile(module, program.inputs);
        QCOMPARE(mean._version(), version);
        QCOMPARE(count.item<int64_t>(), int64_t{0});
        for (const auto& p : module->parameters()) QVERIFY(!p.grad().defined());
    }

    void parametersAreNotCopied() {
        const auto record =
            compile(programText("tied_weights").module(), programText("tied_weights").inputs).compilation.record;
        QCOMPARE(record->graph(GraphKind::joint)->placeholders().size(), std::size_t(3));
        QCOMPARE(record->metadata->inputs.size(), std::size_t(2));
    }

    // --- errors ---

    void untraceablePrograms_data() {
        const auto row = columns<QString, QString>("body", "message");
        row("text of a tensor", "return x * len(str(x))", "the model formats a tensor as text");
        row("packed sequence", "y, sizes = torch._pack_padded_sequence(x, torch.tensor([3, 3]), True)\n    return y",
            "packed sequences (pack_padded_sequence) keep their lengths in the data of a tensor");
        row("wrong sizes", "return torch.mm(x, x)", "pass 'forward-traced' failed: ");
        row("failed assertion", "assert x.size(0) != 2, 'two rows are too few'\n    return x", "two rows are too few");
    }
    void untraceablePrograms() {
        FETCH(QString, body, message);
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    " + body.toStdString()), kOneInput);
        const QString error = q(compiled.record().error);
        QVERIFY2(error.startsWith(u"pass 'forward-traced' failed: "_s) && error.contains(message), qPrintable(error));
        QVERIFY(!error.contains(u'\n'));
        QVERIFY(!compiled.compilation.function);
        // Everything before the failing pass is recorded.
        QVERIFY(compiled.record().graph(GraphKind::source));
        QCOMPARE(compiled.record().passes.size(), std::size_t(1));
    }

    /// The record of `torch.fx.experimental.proxy_tensor.make_fx` for the same expression in Python.
    void numbersAsOperands_data() {
        const auto row = columns<QString, QString>("expression", "ops");
        row("x + 1", "add.Tensor");
        row("torch.add(x, 1, alpha=2)", "add.Tensor");
        row("x - 1", "sub.Tensor");
        row("torch.rsub(x, 1)", "rsub.Scalar");  // 1 - x is two operations to the compiler: neg and add
        row("2 * x", "mul.Tensor");
        row("x / 2", "div.Tensor");
        row("2 / x", "reciprocal.default mul.Tensor");
        row("torch.div(x, 2, rounding_mode='floor')", "div.Tensor_mode");
        row("x // 2", "floor_divide.default");
        row("torch.multiply(x, 2)", "mul.Tensor");
        row("torch.true_divide(x, 2)", "div.Tensor");
        row("x ** 2", "pow.Tensor_Scalar");
        row("x % 2", "remainder.Scalar");
        row("torch.fmod(x, 2)", "fmod.Scalar");
        row("x > 1", "gt.Scalar");
        row("x == 1", "eq.Scalar");
        row("x.clone().add_(1)", "clone.default add_.Tensor");
        row("x.clone().sub_(1)", "clone.default sub_.Tensor");
        row("x.clone().mul_(2)", "clone.default mul_.Tensor");
        row("x.clone().div_(2)", "clone.default div_.Tensor");
        row("x.clone().pow_(2)", "clone.default pow_.Scalar");
        row("x.clone().remainder_(2)", "clone.default remainder_.Scalar");
        row("x.clone().fill_(2)", "clone.default fill_.Scalar");
        row("x.masked_fill(x > 0, 1.0)", "gt.Scalar masked_fill.Scalar");
        row("torch.xlogy(x, 2)", "xlogy.Scalar_Other");
        row("x.clamp(0, 1)", "clamp.default");
    }
    void numbersAsOperands() {
        FETCH(QString, expression, ops);
        for (const Dialect dialect : {Dialect::python, Dialect::libtorch}) {
            const Options options{.dialect = dialect};
            const Compiled compiled =
                compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return " + expression.toStdString()),
                        R"([{"shape":[2,3]}])", options);
            QVERIFY2(compiled.record().error.empty(), compiled.record().error.c_str());
            QStringList found;
            for (const Node* node : compiled.record().graph(GraphKind::preFunctionalization)->nodes())
                if (node->kind() == NodeKind::call) found << q(node->op()).mid(5);
            if (dialect == Dialect::python) QCOMPARE(found.join(u' '), ops);
            else QVERIFY2(found.filter(u"add.Tensor"_s).empty(), qPrintable(found.join(u' ')));
            QVERIFY(check(compiled).ok);
        }
    }

    /// The functional form of an operator that writes may be a composite operation, which autograd does not see.
    void functionalFormsAreTakenApart() {
        for (const auto& [dtype, ops] : {std::pair{"complex64", "aten.clone.default aten._conj_physical.default"},
                                         std::pair{"float32", "aten.clone.default"}}) {
            const Compiled compiled =
                compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x.clone().conj_physical_()"),
                        R"([{"shape":[2,3],"dtype":")" + std::string(dtype) + R"("}])");
            QVERIFY2(compiled.record().error.empty(), compiled.record().error.c_str());
            QStringList found;
            for (const Node* node : compiled.record().graph(GraphKind::inference)->nodes())
                if (node->kind() == NodeKind::call) found << q(node->op());
            QCOMPARE(found.join(u' '), QString::fromLatin1(ops));
            QVERIFY(check(compiled).ok);
        }
    }

    void outputsHaveTheirNames() {
        const Compiled compiled =
            compile(moduleFrom("def forward(self, x: Tensor) -> Tuple[Dict[str, Tensor], List[Tensor]]:\n"
                               "    y = x.sin()\n    return {'loss': y.sum(), 'a.b': y}, [y.view(-1), x]"),
                    kOneInput);
        const std::vector<std::string> labels = {"0.loss", "0.'a.b'", "output 1.0", "output 1.1"};
        for (const auto& [kind, graph] : compiled.record().graphs) {
            std::vector<std::string> found;
            for (const OutputSlot& slot : graph->outputSlots())
                if (slot.role == Role::userOutput) found.push_back(slot.label);
            if (kind != GraphKind::backward) QCOMPARE(found, labels);
        }
        const FunctionMetadata& metadata = *compiled.record().metadata;
        for (std::size_t i = 0; i < labels.size(); ++i) QCOMPARE(outputLabel(metadata, i), labels[i]);
        QCOMPARE(q(metadata.whyAutograd), u"joint graph: output '0.loss' requires a gradient"_s);
        QCOMPARE(q(compiled.record().graph(GraphKind::joint)->findByName("tangents_1")->label), u"tangent of 0.loss"_s);
        QCOMPARE(q(outputText(metadata, 3)), u"output 1.1"_s);
        QCOMPARE(q(outputText(FunctionMetadata(), 3)), u"output 3"_s);
        QCOMPARE(q(outputText("output 7", 3)), u"output 'output 7'"_s);  // a key that looks like a place
    }

    void unrelatedViewsInTraining() {
        const std::string detached =
            R"({"values":[{"leaf":{"shape":[4],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[2]},)"
            R"({"op":"detach","of":1}],"inputs":[{"tensor":1},{"tensor":2}]})";
        const QString error = failure(
            "def forward(self, a: Tensor, b: Tensor) -> Tensor:\n    b.add_(1)\n    return a * a + b", detached);
        QVERIFY2(error.contains(u"inputs 'a' and 'b' share storage that the model mutates, but are not "
                                "differentiable views of each other"_s),
                 qPrintable(error));
    }

    void cancelledWork() {
        Progress progress;
        progress.cancel();
        const ModelRun modelRun = modelRunOf(programText("mlp").module(), programText("mlp").inputs);
        QVERIFY_THROWS_EXCEPTION(Cancelled, compileFunction(modelRun.function(), {}, {}, progress));
        QStringList stages;
        const Progress listening([&](std::string_view stage) { stages << q(stage); });
        compileFunction(modelRun.function(), {}, {}, listening);
        QStringList passes;
        for (const auto& [name, help] : passList())
            if (name != "inference" && name != "dynamic-shapes" && name != "arguments" && name != "drop-copies" &&
                name != "order" && name != "collectives")
                passes << q(name);
        QCOMPARE(stages, passes);
    }
};

AOTSCOPE_TEST(TestTrace)

}  // namespace aotscope::test::trace_test

#include "test_trace.moc"
