// Small programs drawn at random (views, writes in place, no_grad regions, complex numbers, half types, tensors without
// dimensions or elements, inputs and outputs that share memory), each compiled in several ways and compared with eager.
// AOTSCOPE_FUZZ=N in the environment multiplies their number by N; AOTSCOPE_SEED=N runs only the program of that seed
// and prints it; both together begin with that seed.

#include "aten/tensors.h"
#include "ops/decompositions/decomposition_table.h"
#include "session/session.h"
#include "support/child_pool.h"
#include "support/models.h"
#include "support/random_program.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/judge/comparison.h"
#include "verify/seeded_run.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <random>
#include <set>

namespace aotscope::test::random_programs_test {
namespace {

using Values = std::vector<c10::IValue>;

constexpr std::uint64_t kSeed = 5;
constexpr int kPrograms = 500;
/// Errors of the pipeline for programs that it does not compile.
constexpr std::array kUnsupported = {
    "the model writes into a view that as_strided made of another view",
    "the model writes into a tensor whose elements share memory",
    "input mutations on views with different dtypes are not handled",
    "the model detaches input",
    "the model detaches a tensor in place (detach_)",
    "is an as_strided view of memory outside of input",
    "the model changes the shape of a lazily conjugated or negated tensor with gaps in place",
};

/// Shape, and strides where there is more than one way to step.
std::string layoutOf(const at::Tensor& t) {
    std::string text = c10::str(t.scalar_type(), t.sizes(), " strides");
    for (std::int64_t d = 0; d < t.dim(); ++d)
        text += t.size(d) > 1 && t.numel() > 0 ? " " + std::to_string(t.stride(d)) : "";
    return text;
}

/// When the caller writes to the outputs, if ever.
enum class Writes : std::uint8_t { afterBackward, beforeBackward };

/// The visible results of one run, as text (shapes, aliasing) and as numbers.
struct Observation {
    QStringList words;
    std::vector<std::pair<QString, at::Tensor>> numbers;
    std::vector<bool> writable;  ///< whether autograd allows the caller to write to each output
    QString error;               ///< of the backward
};

class Observer {
public:
    Observer(const ModelRun& modelRun, bool inference, Writes writes)
        : modelRun_(modelRun), inference_(inference), writes_(writes) {}

    /// `like`: the same run in eager; outputs that are not writable there are left alone. May be null.
    /// `as`: how forward and backward compute.
    Observation observe(const Callable& function, const Observation* like, const Arithmetic& as = {}) {
        seen_ = {};
        const RunArguments arguments = modelRun_.arguments(/*ownState=*/true);
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        generator.set_current_seed(kSeed);
        const at::AutoGradMode grad(!inference_);
        prepareLeaves(as, arguments.leaves);
        std::optional<ArithmeticScope> scope(std::in_place, as, Options{});
        const Values outputs = function(arguments.leaves);
        scope.reset();
        describeOutputs(outputs, arguments.leaves);
        if (writes_ == Writes::beforeBackward) writeTo(outputs, like);
        addAll(outputs, arguments.leaves);
        if (!inference_) differentiate(outputs, arguments, as);
        if (writes_ == Writes::afterBackward) {
            const at::NoGradGuard noGrad;
            writeTo(outputs, like);
        }
        addAll(outputs, arguments.leaves);
        return std::move(seen_);
    }

private:
    void add(const QString& what, const c10::IValue& value) {
        if (!isTensor(value)) {
            seen_.words << what + u' ' + q(c10::str(value));
            return;
        }
        const at::Tensor& t = value.toTensor();
        seen_.words << what + q(c10::str(" ", t.scalar_type(), t.sizes(),
                                         t.requires_grad() ? " requires a gradient" : ""));
        seen_.numbers.emplace_back(what, t.detach().clone());
    }
    void addAll(const Values& outputs, const Values& inputs) {
        for (std::size_t i = 0; i < outputs.size(); ++i) add(u"output %1"_s.arg(i), outputs[i]);
        for (std::size_t i = 0; i < inputs.size(); ++i) add(u"input %1 afterwards"_s.arg(i), inputs[i]);
    }

    void describeOutputs(const Values& outputs, const Values& inputs) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!isTensor(outputs[i])) continue;
            const auto relation = [&](const char* what, std::size_t k, const c10::IValue& other) {
                if (!isTensor(other) || !other.toTensor().is_alias_of(outputs[i].toTensor())) return;
                if (other.toTensor().numel() == 0 || outputs[i].toTensor().numel() == 0) return;
                const bool same = other.toTensor().is_same(outputs[i].toTensor());
                seen_.words << q(c10::str("output ", i, same ? " is " : " shares memory with ", what, " ", k, ", ",
                                          layoutOf(outputs[i].toTensor())));
            };
            for (std::size_t k = 0; k < inputs.size(); ++k) relation("input", k, inputs[k]);
            for (std::size_t k = 0; k < i; ++k) relation("output", k, outputs[k]);
        }
    }

    void writeTo(const Values& outputs, const Observation* like) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            seen_.writable.push_back(false);
            if (!isTensor(outputs[i]) || (like && !like->writable[i])) continue;
            try {
                outputs[i].toTensor().mul_(static_cast<std::int64_t>(i + 2));
                seen_.writable.back() = true;
            } catch (const std::exception& e) {
                if (like) seen_.words << u"output %1 cannot be written: "_s.arg(i) + q(firstSentence(e.what()));
            }
        }
    }

    void differentiate(const Values& outputs, const RunArguments& arguments, const Arithmetic& as) {
        const BackwardStart start = backwardStart(outputs);
        if (start.outputs.empty()) return;
        const ArithmeticScope scope(as.ofBackward(), Options{});
        try {
            torch::autograd::backward(start.outputs, start.tangents);
        } catch (const std::exception& e) {
            seen_.error = q(firstSentence(e.what()));
            return;
        }
        for (std::size_t i = 0; i < arguments.differentiable.size(); ++i) {
            const at::Tensor gradient = arguments.differentiable[i].grad();
            // No gradient and a zero gradient are equal here: compiled functions cannot pass the difference on.
            if (gradient.defined() && gradient.count_nonzero().item<std::int64_t>() > 0)
                add(u"gradient of "_s + q(arguments.differentiableNames[i]), gradient);
        }
    }

    const ModelRun& modelRun_;
    bool inference_;
    Writes writes_;
    Observation seen_;
};

/// The first word of one outcome that the other lacks; empty: none.
QString differentWords(const Observation& eager, const Observation& compiled) {
    for (qsizetype i = 0; i < std::max(eager.words.size(), compiled.words.size()); ++i) {
        const QString e = eager.words.value(i, u"(nothing)"_s);
        const QString c = compiled.words.value(i, u"(nothing)"_s);
        if (e != c) return u"eager: %1; compiled: %2"_s.arg(e, c);
    }
    return {};
}

/// Numbers the values that have the same name before and after the caller's writes.
NamedTensors numbered(const Observation& seen) {
    NamedTensors named;
    for (std::size_t i = 0; i < seen.numbers.size(); ++i)
        named.emplace_back(seen.numbers[i].first.toStdString() + " #" + std::to_string(i), seen.numbers[i].second);
    return named;
}

/// The first value that differs; empty: none.
QString differentNumbers(const Observation& eager, const Observation& compiled, const NoiseEstimate* noise) {
    const NamedTensors expected = numbered(eager), actual = numbered(compiled);
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (compareTensors(expected[i].first, expected[i].second, actual[i].second, {noise}).difference)
            return u"%1 is [%2], compiled [%3]"_s.arg(eager.numbers[i].first,
                                                      q(c10::str(expected[i].second)).simplified(),
                                                      q(c10::str(actual[i].second)).simplified());
    return {};
}

/// A way to compile a program.
struct Setting {
    QString name;
    PartitionAlgorithm partition;
    bool keepInputMutations;
    std::string decompositions = "none", compiler = "interpreter";
};

/// All partitions, each with decompositions and a compiler that `random` draws.
std::vector<Setting> settingsOf(bool inference, std::mt19937_64& random) {
    std::vector<Setting> settings;
    if (inference)
        settings = {{"inference", PartitionAlgorithm::minCut, false},
                    {"inference, mutations kept in the graph", PartitionAlgorithm::minCut, true}};
    else
        settings = {{"default", PartitionAlgorithm::defaultPartition, false},
                    {"min-cut", PartitionAlgorithm::minCut, false},
                    {"min-cut, mutations kept in the graph", PartitionAlgorithm::minCut, true}};
    const std::array<const char*, 3> compilers = {"interpreter", "torchscript", "fused"};
    const auto& tables = DecompositionTable::names();
    for (Setting& setting : settings) {
        setting.decompositions = tables[random() % 2 ? 0 : random() % tables.size()];
        setting.compiler = compilers[random() % compilers.size()];
        setting.name += q(", " + setting.decompositions + ", " + setting.compiler);
    }
    return settings;
}

/// The results of one program under all settings.
struct Verdict {
    int same = 0, refusedByEager = 0, refusedByBoth = 0, unsupported = 0;
    QStringList differences;
};

class Examination {
public:
    /// `seed` draws the settings.
    Examination(const RandomProgram& program, std::uint64_t seed)
        : program_(program), module_(moduleFrom(program.text())) {
        std::mt19937_64 random(seed);
        for (const bool inference : {false, true}) settings_[inference] = settingsOf(inference, random);
    }

    Verdict run() {
        for (const bool inference : {false, true}) underGradMode(inference);
        return verdict_;
    }

private:
    static bool isUnsupported(const QString& error) {
        return std::any_of(kUnsupported.begin(), kUnsupported.end(),
                           [&](const char* text) { return error.contains(QLatin1String(text)); });
    }

    void underGradMode(bool inference) {
        Options options{.inputs = program_.inputs, .inference = inference, .seed = kSeed};
        const ModelRun modelRun = modelRunOf(module_, {}, options);
        const Callable eager = [&](const Values& v) { return modelRun.function()(v).leaves; };
        std::vector<Observation> expected;
        try {
            for (const Writes writes : {Writes::afterBackward, Writes::beforeBackward})
                expected.push_back(Observer(modelRun, inference, writes).observe(eager, nullptr));
        } catch (const std::exception&) {
            return eagerRefuses(modelRun, options);  // the forward
        }
        if (!expected[0].error.isEmpty()) return eagerRefuses(modelRun, options);
        for (const Setting& setting : settings_[inference]) {
            options.partition.algorithm = setting.partition;
            options.decompositions = DecompositionTable::load(setting.decompositions);
            options.compilers.forward = setting.compiler;
            options.keepInputMutations = setting.keepInputMutations;
            const QString found = compiledDiffers(modelRun, options, expected);
            if (found.isEmpty()) ++verdict_.same;
            else if (isUnsupported(found)) ++verdict_.unsupported;
            else verdict_.differences << setting.name + u": "_s + found;
        }
    }

    /// Functional graphs may accept or refuse what eager refuses.
    void eagerRefuses(const ModelRun& modelRun, const Options& options) {
        ++verdict_.refusedByEager;
        const Compiled compiled = compile(module_, {}, options);
        try {
            if (!compiled.compilation.function) throw Error(compiled.record().error);
            const Callable function = [&](const Values& v) { return compiled.function()(v); };
            const QString error =
                Observer(modelRun, options.inference, Writes::afterBackward).observe(function, nullptr).error;
            verdict_.refusedByBoth += error.isEmpty() ? 0 : 1;
        } catch (const std::exception&) {
            ++verdict_.refusedByBoth;
        }
    }

    QString compiledDiffers(const ModelRun& modelRun, const Options& options,
                            const std::vector<Observation>& expected) const {
        const Compiled compiled = compile(module_, {}, options);
        if (!compiled.record().error.empty()) return q(compiled.record().error);
        const Callable function = [&](const Values& v) { return compiled.function()(v); };
        try {
            const CheckResult result = check(compiled);
            if (!result.ok) return q(result.details.front());
            for (const Writes writes : {Writes::afterBackward, Writes::beforeBackward}) {
                const Observation& eager = expected[writes == Writes::afterBackward ? 0 : 1];
                const Observation actual = Observer(modelRun, options.inference, writes).observe(function, &eager);
                const QString when =
                    writes == Writes::afterBackward ? u"outputs written: "_s : u"outputs written at once: "_s;
                // Overwriting a saved tensor is an error; which tensors are saved may differ.
                const bool told = actual.error.contains("modified by an inplace operation"_L1);
                if (!eager.error.isEmpty() || (told && writes == Writes::beforeBackward)) continue;
                if (!actual.error.isEmpty()) return when + u"backward: "_s + actual.error;
                if (const QString found = differentWords(eager, actual); !found.isEmpty()) return when + found;
                if (differentNumbers(eager, actual, nullptr).isEmpty()) continue;
                const NoiseEstimate noise = noiseOf(modelRun, options, writes, eager, compiled);
                if (const QString found = differentNumbers(eager, actual, &noise); !found.isEmpty())
                    return when + found;
            }
        } catch (const std::exception& e) {
            return u"throws: "_s + q(firstSentence(e.what()));
        }
        return {};
    }

    static NoiseEstimate noiseOf(const ModelRun& modelRun, const Options& options, Writes writes,
                                 const Observation& eager, const Compiled& compiled) {
        NoiseEstimate noise;
        const auto observed = [&](const Callable& function, const Arithmetic& as) {
            return numbered(Observer(modelRun, options.inference, writes).observe(function, &eager, as));
        };
        const Callable program = [&](const Values& v) { return modelRun.function()(v).leaves; };
        measureNoise(
            noise, observed, program, [&] { return numbered(eager); }, compiled.function());
        return noise;
    }

    const RandomProgram& program_;
    ScriptModule module_;
    std::array<std::vector<Setting>, 2> settings_;  ///< with gradients, and for inference
    Verdict verdict_;
};

/// A difference without its numbers and names, which is equal for programs that fail in the same way.
QString kindOf(const QString& difference) {
    static const QRegularExpression detail(u"\\[.*\\]|[0-9.e+-]+|'[^']*'"_s);
    return QString(difference).replace(detail, u"#"_s);
}

bool failsLike(const RandomProgram& program, std::uint64_t seed, const QString& kind) {
    try {
        const QStringList differences = Examination(program, seed).run().differences;
        return std::any_of(differences.begin(), differences.end(),
                           [&](const QString& difference) { return kindOf(difference) == kind; });
    } catch (const std::exception&) {
        return false;  // no longer a program
    }
}

QString describe(const RandomProgram& program, const QStringList& differences) {
    return q(program.text()) + u"\ninputs: "_s + QString::fromStdString(printInputSpec(program.inputs)).simplified() +
           u'\n' + differences.join(u'\n');
}

/// The counts of the verdict, then its differences.
QString examine(std::uint64_t seed) {
    at::set_num_threads(1);
    const RandomProgram program = randomProgram(seed);
    const Verdict verdict = Examination(program, seed).run();
    QString report = u"%1 %2 %3 %4"_s.arg(verdict.same)
                         .arg(verdict.refusedByEager)
                         .arg(verdict.refusedByBoth)
                         .arg(verdict.unsupported);
    if (verdict.differences.isEmpty()) return report;
    const QString kind = kindOf(verdict.differences.front());
    const RandomProgram small = shrunk(program, [&](const RandomProgram& p) { return failsLike(p, seed, kind); });
    return report + u"\nseed %1, shrunk:\n"_s.arg(seed) + describe(small, Examination(small, seed).run().differences);
}

}  // namespace

class TestRandomPrograms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsDecide() {
        QCOMPARE(q(randomProgram(3).text()), q(randomProgram(3).text()));
        QVERIFY(randomProgram(3).text() != randomProgram(4).text());
    }

    /// The programs contain everything that they are meant to try.
    void variety() {
        QStringList all;
        int duplicates = 0;
        for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
            const RandomProgram program = randomProgram(seed);
            all << q(program.text()) + QString::fromStdString(printInputSpec(program.inputs)).remove(u' ');
            std::set<std::size_t> given;
            for (const InputItem& item : program.inputs.inputs)
                if (const auto* tensor = std::get_if<InputItem::TensorRef>(&item.data))
                    duplicates += given.insert(tensor->value).second ? 0 : 1;
        }
        QVERIFY(duplicates > 20);
        for (const char* part : {"as_strided(x",
                                 "as_strided(v",
                                 "\"as_strided\"",
                                 "unbind",
                                 "split",
                                 "chunk",
                                 ".t_()",
                                 "unsqueeze_",
                                 "squeeze_",
                                 "detach()",
                                 "expand",
                                 "diagonal",
                                 "view_as_complex",
                                 "set_grad_enabled(False)",
                                 "copy_",
                                 "[0] = ",
                                 "out=",
                                 "int64",
                                 "float64",
                                 "List[Tensor]",
                                 ": int",
                                 "\"slice\"",
                                 ".dim()"}) {
            const auto found = all.filter(QLatin1String(part)).size();
            QVERIFY2(found >= 5, part);
        }
    }

    /// A program that fails because of one statement shrinks to that statement.
    void failuresShrink() {
        const auto fails = [](const RandomProgram& program) {
            try {
                moduleFrom(program.text());
            } catch (const std::exception&) {
                return false;
            }
            return program.text().find(".neg_()") != std::string::npos;
        };
        int shrinking = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const RandomProgram program = randomProgram(seed);
            if (!fails(program)) continue;
            const RandomProgram small = shrunk(program, fails);
            ++shrinking;
            QCOMPARE(small.statements.size(), std::size_t(1));
            QCOMPARE(small.outputs.size(), std::size_t(1));
            QVERIFY2(small.inputs.inputs.size() <= 2, small.text().c_str());
        }
        QVERIFY(shrinking > 3);
    }

    void sameAsEager() {
        const int times = std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_FUZZ"));
        const bool one = qEnvironmentVariableIsSet("AOTSCOPE_SEED") && !qEnvironmentVariableIsSet("AOTSCOPE_FUZZ");
        const int first = qEnvironmentVariableIntValue("AOTSCOPE_SEED"), count = one ? 1 : kPrograms * times;
        if (one) qInfo("%s", qPrintable(describe(randomProgram(static_cast<std::uint64_t>(first)), {})));
        // A child's answer is one line, so its line breaks are replaced.
        const QChar lineBreak(0x1e);
        const QStringList outcomes =
            runInChildren(count,
                          [&](int i) {
                              return examine(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i))
                                  .replace(u'\n', lineBreak);
                          },
                          {120});
        int same = 0, refused = 0, refusedByBoth = 0, unsupported = 0, bad = 0;
        for (int i = 0; i < count; ++i) {
            const QStringList lines = outcomes[i].split(lineBreak);
            const QStringList counts = lines[0].split(u' ');
            same += counts.value(0).toInt();
            refused += counts.value(1).toInt();
            refusedByBoth += counts.value(2).toInt();
            unsupported += counts.value(3).toInt();
            if (lines.size() == 1 && counts.size() == 4) continue;
            if (++bad <= 20)
                qWarning("%s\n", qPrintable(lines.size() == 1 ? u"seed %1: "_s.arg(first + i) + lines[0]
                                                              : lines.mid(1).join(u'\n')));
        }
        qInfo(
            "%d runs as in eager, %d refused by eager (%d of them by both), %d not supported; %d of %d programs differ",
            same, refused, refusedByBoth, unsupported, bad, count);
        QCOMPARE(bad, 0);
        QVERIFY(one || refused * 5 < same);
    }
};

AOTSCOPE_TEST(TestRandomPrograms)

}  // namespace aotscope::test::random_programs_test

#include "test_random_programs.moc"
