// Saved values are freed, and nothing leaks.

#include "runs.h"
#include "test_runtime.h"

#include "support/programs.h"
#include "verify/check.h"
#include "verify/memory_meter.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/autograd.h>

using namespace aotscope;
using namespace aotscope::test;

void TestRuntime::savedValuesAreFreed() {
    const Compiled compiled = compile(
        moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    y = x.cumsum(0)\n    return (y * y).cumsum(0)"),
        R"([{"shape":[1000],"requires_grad":true}])");
    QCOMPARE(compiled.record().partition->saved.size(), std::size_t(1));
    const MemoryMeter meter;
    at::Tensor x = leafOf(at::ones({1000}));
    const auto alone = meter.bytes();
    at::Tensor y = only(compiled.function()(arguments({x})));
    QCOMPARE(meter.bytes() - alone, 2 * 4000);  // the result and the saved sum
    y.sum().backward();
    QCOMPARE(meter.bytes() - alone, 2 * 4000);  // the result and the gradient of x
    y.reset();
    x.mutable_grad().reset();
    QCOMPARE(meter.bytes(), alone);
}

void TestRuntime::abandonedRunsAreFreed() {
    const Compiled compiled = compiledProgram("mlp");
    const MemoryMeter meter;
    const RunArguments a = compiled.modelRun.arguments(true);
    const auto before = meter.bytes();
    compiled.function()(a.leaves);
    QCOMPARE(meter.bytes(), before);
}

void TestRuntime::noLeakOverManyRuns_data() { programs(false); }
void TestRuntime::noLeakOverManyRuns() {
    QFETCH(QString, name);
    const Compiled compiled = compiledProgram(name.toStdString());
    QVERIFY(compiled.compilation.function);
    const MemoryMeter meter;
    const auto once = [&] {
        try {
            run(
                compiled.modelRun, [&](const Values& v) { return compiled.function()(v); }, false);
        } catch (const std::exception&) {
            // Other tests check the results.
        }
    };
    once();
    const auto before = meter.bytes();
    for (int i = 0; i < 50; ++i) once();
    QCOMPARE(meter.bytes(), before);
}
