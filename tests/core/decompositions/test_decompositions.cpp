// Values of decompositions against those of the kernels.

#include "test_decompositions.h"
#include "rule_calls.h"
#include "support/test_program.h"

#include "ops/decompositions/decomposition.h"
#include "session/session.h"
#include "support/outcomes.h"
#include "support/schema_arguments.h"
#include "support/text.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/zeros_like.h>

#include <functional>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// Called only by LibTorch, or torch.nn.functional, with consistent shapes; the kernel does not check them.
bool trustsItsCaller(const std::string& op) {
    return op.find("_backward") != std::string::npos || op.starts_with("aten._") ||
           op == "aten.binary_cross_entropy.default";
}

/// `arguments` with one element in every tensor, with no dimension or one; dimensions and indices become zero.
Values shrunkToOneElement(const DecompositionRow& row, Values arguments, Random& random) {
    const auto& declared = operatorNamed(dispatcherName(row)).schema().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        c10::IValue& value = arguments[i];
        value = mapTensors(value, [&](const at::Tensor& t) {
            const at::Tensor one = t.numel() > 0 ? t.flatten()[0].clone() : t;
            const at::Tensor chosen = at::isIntegralType(t.scalar_type(), false) ? at::zeros_like(one) : one;
            return random.coin() ? chosen : chosen.reshape({-1});
        });
        if (declared[i].name().find("dim") == std::string::npos) continue;
        if (value.isInt()) value = random.coin() ? 0 : -1;
        else if (value.isIntList()) value = c10::List<std::int64_t>({0});
    }
    return arguments;
}

/// Whether result `i` of the rule is as close to the exact one as the kernel's. In bfloat16, rounding errors can be
/// amplified (statistics of two elements that are nearly equal).
bool isAsNearAsTheKernel(const DecompositionRow& row, const Values& arguments, std::size_t i, const at::Tensor& ours,
                         const at::Tensor& real) {
    Values wide;
    for (const auto& argument : arguments)
        wide.push_back(
            mapTensors(argument, [](const at::Tensor& t) { return t.is_floating_point() ? t.to(at::kDouble) : t; }));
    const auto exact = tryRow(row, wide);
    if (!exact) return false;
    const at::Tensor expected = tensorsOf(exact->real)[i];
    const auto distance = [&](const at::Tensor& t) {
        return t.to(at::kDouble).sub(expected).abs().max().item<double>();
    };
    return distance(ours) <= distance(real);
}

struct Attempts {
    unsigned tries;  ///< at most
    int wanted;      ///< that the kernel accepts
};

/// Compares results of the rule and of the kernel for arguments drawn by `make`, where `counts` allows the
/// comparison.
void compareWithKernel(const DecompositionRow& row, at::ScalarType type, Attempts attempts,
                       const std::function<Values(Random&)>& make, const std::function<bool(const Try&)>& counts,
                       int& accepted) {
    const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
    for (unsigned seed = 1; seed <= attempts.tries && accepted < attempts.wanted; ++seed) {
        Random random(seed);
        seedGenerator(seed);
        Values arguments;
        try {
            arguments = make(random);
        } catch (const std::exception&) {
            continue;
        }
        std::optional<Try> result;
        try {
            result = tryRow(row, arguments);
        } catch (const std::exception& e) {
            QFAIL(qPrintable(u"seed %1: %2; %3"_s.arg(seed).arg(q(e.what()), q(printed(arguments)))));
        }
        if (!result || !counts(*result)) continue;
        ++accepted;
        const auto ours = tensorsOf(result->ours), real = tensorsOf(result->real);
        QCOMPARE(ours.size(), real.size());
        for (std::size_t i = 0; i < real.size(); ++i) {
            const std::string difference = differenceOf(ours[i], real[i], type, isArbitrary(row.op));
            if (!difference.empty() && type == at::kBFloat16 &&
                isAsNearAsTheKernel(row, arguments, i, ours[i], real[i]))
                continue;
            QVERIFY2(difference.empty(), qPrintable(u"seed %1, result %2: %3; %4"_s.arg(seed).arg(i).arg(
                                             q(difference), q(printed(arguments)))));
        }
    }
}

}  // namespace

void TestDecompositions::values_data() {
    QTest::addColumn<QString>("name");
    for (const auto& row : decompositionRows()) QTest::newRow(qPrintable(rowName(row))) << rowName(row);
}
/// Broadcast, empty, non-contiguous and channels-last tensors come from the generators of arguments.
void TestDecompositions::values() {
    QFETCH(QString, name);
    const DecompositionRow& row = rowNamed(name);
    if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
    int accepted = 0;
    for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16}) {
        int found = 0;
        compareWithKernel(
            row, type, {600, 20}, [&](Random& random) { return argumentsFor(row, type, random); },
            [](const Try&) { return true; }, found);
        if (QTest::currentTestFailed()) return;
        accepted += found;
    }
    QVERIFY2(accepted >= 10, qPrintable(u"only %1 accepted"_s.arg(accepted)));
}

void TestDecompositions::complexNumbers_data() { values_data(); }
/// If the kernel accepts complex numbers: derivatives are conjugated, and numbers are unordered.
void TestDecompositions::complexNumbers() {
    QFETCH(QString, name);
    const DecompositionRow& row = rowNamed(name);
    if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
    int accepted = 0;
    compareWithKernel(
        row, at::kComplexDouble, {200, 10},
        [&](Random& random) { return argumentsFor(row, at::kComplexDouble, random); },
        [](const Try& result) { return isFinite(tensorsOf(result.real)); }, accepted);
    if (QTest::currentTestFailed()) return;
    for (const char* op : {"tanh_backward", "sigmoid_backward", "addcmul", "std"})
        if (std::string(row.op).starts_with(std::string("aten.") + op + ".")) QVERIFY(accepted > 0);
}

void TestDecompositions::oneElement_data() { values_data(); }
/// Kernels accept tensors without dimensions where others have one dimension.
void TestDecompositions::oneElement() {
    QFETCH(QString, name);
    const DecompositionRow& row = rowNamed(name);
    if (hasNoKernel(row.rule)) QSKIP("there is no kernel here to compare with");
    if (trustsItsCaller(row.op)) QSKIP("its kernel takes shapes that do not fit");
    int accepted = 0;
    compareWithKernel(
        row, at::kDouble, {60, 30},
        [&](Random& random) { return shrunkToOneElement(row, argumentsFor(row, at::kDouble, random), random); },
        [](const Try&) { return true; }, accepted);
    if (QTest::currentTestFailed()) return;
    for (const char* op : {"index_select", "index_copy", "index_add", "take", "roll", "logsumexp", "stack"})
        if (std::string(row.op) == std::string("aten.") + op + ".default") QVERIFY(accepted > 0);
}

AOTSCOPE_TEST(TestDecompositions)
#include "test_decompositions.moc"
