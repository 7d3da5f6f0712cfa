#include "ops/prim_definitions.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_permuted.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/scalar_tensor.h>

#include <limits>

namespace aotscope {

namespace {

namespace creation_prims {

using at::Device;
using at::IntArrayRef;
using at::Scalar;
using at::ScalarType;
using at::Tensor;
using Generator = std::optional<at::Generator>;

at::TensorOptions optionsOf(ScalarType type, Device device) { return at::TensorOptions(type).device(device); }

Tensor emptyOf(IntArrayRef sizes, ScalarType type, Device device, bool) {
    return at::empty(sizes, optionsOf(type, device));
}
Tensor emptyWithStrides(IntArrayRef sizes, IntArrayRef strides, ScalarType type, Device device, bool) {
    return at::empty_strided(sizes, strides, optionsOf(type, device));
}
Tensor emptyInOrder(IntArrayRef sizes, IntArrayRef order, ScalarType type, Device device, bool) {
    return at::empty_permuted(sizes, order, optionsOf(type, device));
}
Tensor filled(IntArrayRef sizes, const Scalar& value, ScalarType type, Device device, bool) {
    return at::full(sizes, value, optionsOf(type, device));
}
Tensor filledLike(const Tensor& a, const Scalar& value, ScalarType type, Device device, bool) {
    return at::full_like(a, value, optionsOf(type, device));
}
Tensor filledAs(const Tensor& a, const Scalar& value) { return at::full_like(a, value); }
Tensor scalarTensor(const Scalar& value, std::optional<ScalarType> type, std::optional<Device> device) {
    return at::scalar_tensor(value, at::TensorOptions().dtype(type).device(device));
}
Tensor normal(IntArrayRef sizes, const Scalar& mean, const Scalar& deviation, ScalarType type, Device device, bool,
              Generator generator) {
    return at::empty(sizes, optionsOf(type, device)).normal_(mean.toDouble(), deviation.toDouble(), generator);
}
Tensor uniform(IntArrayRef sizes, const Scalar& low, const Scalar& high, ScalarType type, Device device,
               IntArrayRef strides, Generator generator) {
    return at::empty_strided(sizes, strides, optionsOf(type, device))
        .uniform_(low.toDouble(), high.toDouble(), generator);
}

// Inductor draws seeds, from which its kernels compute numbers: equal seeds give equal numbers, as needed by a backward
// that recomputes them. The numbers depend on the kernel; here they come from the CPU's generator.

constexpr int64_t kSeeds = std::numeric_limits<int64_t>::max();

Tensor newSeed(Device device) { return at::randint(kSeeds, IntArrayRef(), optionsOf(at::kLong, device)); }
Tensor newSeeds(int64_t count, Device device) {
    return at::randint(kSeeds, IntArrayRef(count), optionsOf(at::kLong, device));
}
Tensor seedAt(const Tensor& seeds, int64_t index) { return seeds.select(0, index).clone(); }

/// `sizes` numbers of `type` that `draw` generates with a generator seeded by `seed`.
template <typename Draw>
Tensor drawn(IntArrayRef sizes, const Tensor& seed, ScalarType type, Draw&& draw) {
    const Tensor made = at::empty(sizes, seed.options().dtype(type));
    if (made.is_meta()) return made;
    const Tensor numbers = at::empty(sizes, type);
    draw(numbers, at::detail::createCPUGenerator(static_cast<uint64_t>(seed.item<int64_t>())));
    return made.copy_(numbers);
}

Tensor random(IntArrayRef sizes, const Tensor& seed, std::string_view mode, std::optional<ScalarType>) {
    TORCH_CHECK(mode == "rand" || mode == "randn", "inductor_random: expected the mode rand or randn, found ", mode);
    return drawn(sizes, seed, at::kFloat, [&](const Tensor& numbers, const at::Generator& generator) {
        if (mode == "rand") numbers.uniform_(0, 1, generator);
        else numbers.normal_(0, 1, generator);
    });
}
Tensor randomIntegers(int64_t low, int64_t high, IntArrayRef sizes, const Tensor& seed) {
    return drawn(sizes, seed, at::kLong,
                 [&](const Tensor& numbers, const at::Generator& generator) { numbers.random_(low, high, generator); });
}

}  // namespace creation_prims

}  // namespace

void definePrimsOfCreation(PrimDefinitions& all) {
    all.add("empty(int[] shape, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor",
            &creation_prims::emptyOf);
    all.add(
        "empty_strided(int[] shape, int[] strides, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor",
        &creation_prims::emptyWithStrides);
    all.add(
        "empty_permuted(int[] shape, int[] physical_layout, *, ScalarType dtype, Device device, bool requires_grad) -> "
        "Tensor",
        &creation_prims::emptyInOrder);
    all.add("full(int[] shape, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor",
            &creation_prims::filled);
    all.add("full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor",
            &creation_prims::filledLike);
    all.add("fill(Tensor self, Scalar value) -> Tensor", &creation_prims::filledAs);
    all.add("scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor",
            &creation_prims::scalarTensor);
    all.add(
        "normal(int[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device device, bool requires_grad, "
        "Generator? generator=None) -> Tensor",
        &creation_prims::normal);
    all.add(
        "uniform(int[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device device, int[] stride, Generator? "
        "generator=None) -> Tensor",
        &creation_prims::uniform);
    all.add("inductor_seed(Device device) -> Tensor", &creation_prims::newSeed);
    all.add("inductor_seeds(int count, Device device) -> Tensor", &creation_prims::newSeeds);
    all.add("inductor_lookup_seed(Tensor seeds, int index) -> Tensor", &creation_prims::seedAt);
    all.add("inductor_random(int[] size, Tensor seed, str mode, *, ScalarType? align_dtype=None) -> Tensor",
            &creation_prims::random);
    all.add("inductor_randint(int low, int high, int[] size, Tensor seed) -> Tensor", &creation_prims::randomIntegers);
}

}  // namespace aotscope
