// Operators of other libraries: schemas say what they write to, whatever their names.

#include "aten/functional_form.h"
#include "ops/functional_graph.h"
#include "ops/op_table.h"
#include "ops/operator_policy.h"
#include "session/session.h"
#include "support/long_tests.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>

namespace aotscope::test::custom_operators_test {

namespace {

/// The results of a synthetic operator: a new tensor, an argument that it writes to, or a view of its first argument.
struct Result {
    enum class Kind : std::uint8_t { made, written, view } kind = Kind::made;
    std::size_t argument = 0;
};

struct Invented {
    std::string name, schema;
    std::vector<bool> written;  ///< for each argument
    std::vector<Result> results;
};

class Kernel final : public c10::OperatorKernel {
public:
    explicit Kernel(Invented op) : op_(std::move(op)) {}

    void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) const {
        const at::AutoDispatchBelowADInplaceOrView below;
        const std::size_t count = op_.written.size();
        std::vector<at::Tensor> given, results;
        for (const c10::IValue& value : torch::jit::last(*stack, count)) given.push_back(value.toTensor());
        torch::jit::drop(*stack, count);
        at::Tensor sum = given[0].mean();
        for (std::size_t i = 1; i < count; ++i) sum = sum + given[i].mean() * static_cast<double>(i + 1);
        for (std::size_t i = 0; i < op_.results.size(); ++i) {
            const auto& [kind, argument] = op_.results[i];
            if (kind == Result::Kind::written) results.push_back(given[argument]);
            else if (kind == Result::Kind::view) results.push_back(given[0].slice(0, 0, 1));
            else results.push_back(given[i % count] * static_cast<double>(i + 2) + sum);
        }
        for (std::size_t i = 0; i < count; ++i)
            if (op_.written[i]) given[i].mul_(0.5).add_(sum, static_cast<double>(i + 1));
        for (const at::Tensor& result : results) stack->emplace_back(result);
    }

private:
    Invented op_;
};

c10::OperatorHandle registered(const Invented& op) {
    static auto* handles = new std::vector<c10::RegistrationHandleRAII>;  // as long as the process
    auto& dispatcher = c10::Dispatcher::singleton();
    c10::FunctionSchema schema = torch::jit::parseSchema(op.schema);
    schema.setAliasAnalysis(c10::AliasAnalysisKind::FROM_SCHEMA);
    handles->push_back(dispatcher.registerDef(schema, "test"));
    handles->push_back(dispatcher.registerImpl(schema.operator_name(), c10::DispatchKey::CompositeExplicitAutograd,
                                               c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<Kernel>(op)),
                                               std::nullopt, nullptr, "test"));
    return dispatcher.findSchemaOrThrow(schema.name().c_str(), "");
}

class Inventor {
public:
    explicit Inventor(std::uint64_t seed) : seed_(seed), random_(seed) {}

    Invented invent() {
        constexpr std::array names = {"plain", "act_", "proj_out", "copy_", "rand", "view"};
        Invented op;
        op.name = "n" + std::to_string(seed_) + "_" + std::to_string(made_++) + "_" + names.at(below(names.size()));
        const std::size_t count = 1 + below(3);
        for (std::size_t i = 0; i < count; ++i) op.written.push_back(below(2) == 0);
        const bool view = !op.written[0] && below(8) == 0;
        if (view) op.results.push_back({Result::Kind::view, 0});
        for (std::size_t i = 0; i < count; ++i)
            if (op.written[i] && below(3) == 0) op.results.push_back({Result::Kind::written, i});
        while (op.results.empty() || (op.results.size() < 3 && below(2) == 0)) {
            if (op.results.empty() && below(3) == 0 && std::ranges::find(op.written, true) != op.written.end()) break;
            op.results.push_back({});
        }
        op.schema = "lab::" + op.name + "(" + argumentsOf(op, view) + ") -> (" + returnsOf(op) + ")";
        return op;
    }

    /// Two operators before and after a product with a weight.
    std::string program(const std::vector<Invented>& ops) {
        std::vector<std::string> whole = {"x", "y", "b"}, values = whole;
        std::string body;
        const std::size_t steps = 5, linear = below(steps);
        for (std::size_t step = 0; step < steps; ++step) {
            const std::string made = "v" + std::to_string(step);
            if (step == linear) {
                body += "    h = torch.matmul(x, w)\n";
                whole.emplace_back("h"), values.emplace_back("h");
            }
            const std::size_t kind = below(4);
            if (kind == 0) {
                constexpr std::array views = {".t()", "[1:3]", ".unsqueeze(0)", ".view([2, 8])"};
                const std::string& base = one(whole);
                body += "    " + made + " = " + base + views.at(below(views.size())) + "\n";
                memory_[made] = memoryOf(base);
                values.push_back(made);
            } else if (kind == 1) {
                body += "    " + made + " = " + one(values) + " * 1.5 + 1.0\n";
                values.push_back(made);
            } else {
                body += call(ops[below(ops.size())], made, values);
            }
        }
        return "def f(x, y, w, b):\n" + body + "    return [h.sum() + y.sum(), " + values.back() +
               ", b * 2.0, torch.matmul(y, w)]\n";
    }

    std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

private:
    const std::string& one(const std::vector<std::string>& values) { return values[below(values.size())]; }

    static std::string setOf(std::size_t argument) { return std::string(1, static_cast<char>('a' + argument)); }

    static std::string argumentsOf(const Invented& op, bool view) {
        std::string text;
        for (std::size_t i = 0; i < op.written.size(); ++i) {
            text += i > 0 ? ", Tensor" : "Tensor";
            if (op.written[i]) text += "(" + setOf(i) + "!)";
            else if (view && i == 0) text += "(" + setOf(i) + ")";
            text += " x" + std::to_string(i);
        }
        return text;
    }

    static std::string returnsOf(const Invented& op) {
        std::string text;
        for (const auto& [kind, argument] : op.results) {
            text += text.empty() ? "Tensor" : ", Tensor";
            if (kind == Result::Kind::written) text += "(" + setOf(argument) + "!)";
            if (kind == Result::Kind::view) text += "(" + setOf(0) + ")";
        }
        return text;
    }

    /// The value whose memory `name` shows.
    const std::string& memoryOf(const std::string& name) const {
        const auto known = memory_.find(name);
        return known == memory_.end() ? name : known->second;
    }

    /// Arguments that share memory would be refused.
    std::vector<std::string> apart(std::vector<std::string> values, std::size_t count) {
        std::ranges::shuffle(values, random_);
        std::set<std::string> memory;
        std::erase_if(values, [&](const std::string& value) { return !memory.insert(memoryOf(value)).second; });
        values.resize(std::min(count, values.size()));
        return values;
    }

    std::string call(const Invented& op, const std::string& made, std::vector<std::string>& values) {
        std::string text = "ops.lab." + op.name + "(", results;
        const auto given = apart(values, op.written.size());
        for (std::size_t i = 0; i < given.size(); ++i) text += (i > 0 ? ", " : "") + given[i];
        for (std::size_t i = 0; i < op.results.size(); ++i) {
            const auto& [kind, argument] = op.results[i];
            values.push_back(made + "_" + std::to_string(i));
            if (kind != Result::Kind::made) memory_[values.back()] = memoryOf(given[argument]);
            results += (i > 0 ? ", " : "") + values.back();
        }
        return "    " + results + (results.empty() ? "" : " = ") + text + ")\n";
    }

    std::uint64_t seed_;
    std::mt19937_64 random_;
    std::map<std::string, std::string> memory_;  ///< of views
    int made_ = 0;
};

/// A run of `function`, which takes a weight, too.
std::shared_ptr<const Session> opened(const std::string& function, bool trains) {
    Options options;
    options.model = "script:" + function;
    options.verify = true;
    options.inputs = parseInputSpec(R"([{"shape":[4,4]},{"shape":[4,4]},{"shape":[4,4],"requires_grad":)" +
                                        std::string(trains ? "true" : "false") + R"(},{"shape":[4,4]}])",
                                    "spec");
    auto session = Session::open(options, {});
    if (!session->record()->error.empty()) throw Error(session->record()->error);
    return session;
}

struct Outcome {
    QString refusal, difference;  ///< empty: none
};

/// `function` against eager.
Outcome outcomeOf(const std::string& function, bool trains) {
    Outcome outcome;
    const QString error = errorOf([&] {
        const CheckResult result = opened(function, trains)->check({});
        if (!result.ok) outcome.difference = q(result.details.empty() ? "differs" : result.details.front());
    });
    outcome.refusal = error;
    if (error.startsWith("not an Error"_L1) || error.contains("internal error"_L1)) outcome.difference = error;
    return outcome;
}

Outcome outcomeOf(std::uint64_t seed) {
    Inventor inventor(seed);
    const std::vector<Invented> ops = {inventor.invent(), inventor.invent()};
    for (const Invented& op : ops) registered(op);
    const std::string function = inventor.program(ops);
    Outcome outcome = outcomeOf(function, inventor.below(2) == 0);
    if (!outcome.difference.isEmpty())
        outcome.difference += u"\nseed %1\n%2\n%3\n%4"_s.arg(seed).arg(q(ops[0].schema), q(ops[1].schema), q(function));
    return outcome;
}

std::string behindLinear(const std::string& statements, const std::string& result) {
    return "def f(x, y, w, b):\n    h = torch.matmul(x, w)\n" + statements + "    return [" + result + "]\n";
}

}  // namespace

class TestCustomOperators : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        rememberOwnNamespaces();  // as before a library is loaded
    }

    void schemasDecideNotNames() {
        registered({"proj_out", "lab::proj_out(Tensor x) -> Tensor", {false}, {{}}});
        registered({"act_", "lab::act_(Tensor x) -> Tensor", {false}, {{}}});
        registered({"quiet", "lab::quiet(Tensor(a!) x) -> ()", {true}, {}});
        QVERIFY(!isMutating("lab.proj_out.default") && !isMutating("lab.act_.default"));
        QVERIFY(isMutating("lab.quiet.default") && !isMutating("lab.quiet.functional"));
        QVERIFY(isMutating("nobody.act_.default") && !isMutating("nobody.act_.functional"));
        for (const bool trains : {true, false}) {
            const std::string function =
                behindLinear("    h = ops.lab.proj_out(ops.lab.act_(h).sin()).cos()\n", "h, h * 2");
            const Outcome outcome = outcomeOf(function, trains);
            QVERIFY2(outcome.refusal.isEmpty() && outcome.difference.isEmpty(),
                     qPrintable(outcome.refusal + outcome.difference));
        }
    }

    void writtenArgumentsAreKnown() {
        registered({"into", "lab::into(Tensor x, Tensor(a!) y) -> ()", {false, true}, {}});
        Graph graph("g");
        Node* x = graph.addPlaceholder("x", {});
        Node* y = graph.addPlaceholder("y", {});
        const Node* call = graph.addCall("lab.into.default", {x, y}, {}, {});
        QVERIFY(writesInto(*call, *y) && !writesInto(*call, *x));
        const Node* named = graph.addCall("lab.into.default", {x}, KeywordArguments{{"y", Argument(y)}}, {});
        QCOMPARE(writtenValues(*named), std::vector<const Node*>{y});
        const Node* unknown = graph.addCall("nobody.into_.default", {x, y}, {}, {});
        QVERIFY(writesInto(*unknown, *x) && !writesInto(*unknown, *y));
    }

    /// A functional form writes to copies, whose strides are those of the arguments.
    void functionalForms() {
        const auto op = registered(
            {"halve", "lab::halve(Tensor(a!) x) -> (Tensor(a!), Tensor)", {true}, {{Result::Kind::written, 0}, {}}});
        const auto form = functionalForm(op);
        QCOMPARE(q(c10::toString(form.operator_name())), u"lab::halve.functional"_s);
        QVERIFY(!form.schema().is_mutable());
        const at::Tensor x = at::ones({4, 4}).slice(1, 0, 2);
        torch::jit::Stack stack = {x};
        form.callBoxed(stack);
        QCOMPARE(stack.size(), std::size_t(2));
        QCOMPARE(x.sum().item<double>(), 8.0);
        QCOMPARE(stack[0].toTensor().sum().item<double>(), 8.0 * 4);
        QCOMPARE(stack[1].toTensor().sum().item<double>(), 8.0 * 1.5);
        QVERIFY(stack[1].toTensor().strides() == x.strides());
    }

    void writesIntoViewsReachTheirBases() {
        registered({"half", "lab::half(Tensor(a!) x, Tensor(b!) y) -> ()", {true, true}, {}});
        for (const bool trains : {true, false}) {
            const std::string function = behindLinear(
                "    q, k = torch.split(y, 2, 1)\n    ops.lab.half(q, k)\n    ops.lab.half(b, "
                "x[1:3].t())\n",
                "h, x, y, q, k, b");
            const Outcome outcome = outcomeOf(function, trains);
            QVERIFY2(outcome.refusal.isEmpty() && outcome.difference.isEmpty(),
                     qPrintable(outcome.refusal + outcome.difference));
        }
    }

    void refusals_data() {
        registered({"part", "lab::part(Tensor(a) x) -> Tensor(a)", {false}, {{Result::Kind::view, 0}}});
        registered({"both", "lab::both(Tensor(a!) x, Tensor y) -> ()", {true, false}, {}});
        const auto row = columns<QString, QString>("statement", "message");
        row("view", "h = ops.lab.part(h)", "'lab::part' returns a view of its argument");
        row("shared", "ops.lab.both(h, h[1:3])", "that two of its arguments share");
        row("gradient", "ops.lab.both(h, y)", "into a tensor that requires a gradient");
    }
    void refusals() {
        FETCH(QString, statement, message);
        const std::string function = behindLinear("    " + statement.toStdString() + "\n", "h");
        const QString error = errorOf([&] { opened(function, true); });
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    /// Whatever operators write and return: as in eager, or refused.
    void inventedOperators() {
        const int count = longTests() ? 5000 : 100;
        int wrong = 0;
        QStringList refusals;
        for (int seed = 0; seed < count; ++seed) {
            const Outcome outcome = outcomeOf(static_cast<std::uint64_t>(seed));
            if (!outcome.refusal.isEmpty()) refusals << outcome.refusal;
            if (outcome.difference.isEmpty()) continue;
            if (++wrong <= 10) qWarning("%s", qPrintable(outcome.difference));
        }
        qInfo("%d of %d programs refused, %d wrong", static_cast<int>(refusals.size()), count, wrong);
        QCOMPARE(wrong, 0);
        QVERIFY2(refusals.size() * 2 < count, qPrintable(refusals.mid(0, 10).join(u'\n')));
    }
};

AOTSCOPE_TEST(TestCustomOperators)

}  // namespace aotscope::test::custom_operators_test

#include "test_custom_operators.moc"
