#include "aten/random_state.h"
#include "checks.h"

#include <ATen/ATen.h>

namespace aotscope::test {

namespace {

at::Tensor drawn(c10::DeviceType type) { return at::rand({1000}, at::TensorOptions(at::kFloat).device(type)).cpu(); }

void expectStateOf(c10::DeviceType type) {
    const std::string where = " on " + c10::DeviceTypeName(type, true);
    seedRandom(3);
    const at::Tensor first = drawn(type);
    const RandomState kept;
    const at::Tensor second = drawn(type);
    kept.restore();
    expect(at::equal(drawn(type), second), "restored state draws other numbers" + where);
    seedRandom(3);
    expect(at::equal(drawn(type), first), "the same seed draws other numbers" + where);
    seedRandom(4);
    expect(!at::equal(drawn(type), first), "another seed draws the same numbers" + where);
    {
        const RandomStateGuard guard;
        drawn(type);
    }
    const RandomState after;
    const at::Tensor next = drawn(type);
    seedRandom(4);
    drawn(type);
    expect(at::equal(drawn(type), next), "a guard does not put the state back" + where);
}

}  // namespace

std::string randomState() {
    const c10::DeviceType checked = checkedDevice().type();
    drawn(checked);  // a device that has run nothing has no state
    for (const c10::DeviceType type : {at::kCPU, checked}) expectStateOf(type);
    return "seeds, restored state, guards";
}

}  // namespace aotscope::test
