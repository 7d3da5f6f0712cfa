#include "compile/fused/cuda/functions.h"

#include <cctype>
#include <iterator>
#include <string_view>

namespace aotscope {

namespace {

/// A function or type of ours, and its definition, which may use earlier ones.
struct Definition {
    std::string_view name, text;
};
constexpr Definition kDefinitions[] = {
    {"fromF16", R"(__device__ float fromF16(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}
)"},
    {"toF16", R"(__device__ unsigned short toF16(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
)"},
    {"fromBf16", R"(__device__ float fromBf16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }
)"},
    {"toBf16", R"(// Rounds to nearest, half to even.
__device__ unsigned short toBf16(float value) {
    const unsigned bits = __float_as_uint(value);
    return value != value ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
)"},
    {"offsetOf", R"(// Of a valid index; negative ones count from the end where the dimension is wrapped.
__device__ Index offsetOf(long long index, Index size, Index stride, bool wraps) {
    if (index < 0 && wraps) index += size;
    if (index < 0 || index >= (long long)size) __trap();
    return (Index)index * stride;
}
)"},
    {"floorDivide", R"(__device__ long long floorDivide(long long a, long long b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
template <typename T>
__device__ T floorDivide(T a, T b) {
    if (b == 0) return a / b;
    const T rest = fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return copysign(T(0), a / b);
    const T whole = floor(quotient);
    return quotient - whole > T(0.5) ? whole + 1 : whole;
}
)"},
    {"floorRemainder", R"(__device__ long long floorRemainder(long long a, long long b) {
    const long long rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
template <typename T>
__device__ T floorRemainder(T a, T b) {
    const T rest = fmod(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
)"},
    {"integerPower", R"(__device__ long long integerPower(long long base, long long exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    long long result = 1;
    for (; exponent; exponent /= 2, base *= base)
        if (exponent % 2) result *= base;
    return result;
}
)"},
    {"minimum", R"(template <typename T>
__device__ T minimum(T a, T b) { return a != a || a < b ? a : b; }
)"},
    {"maximum", R"(template <typename T>
__device__ T maximum(T a, T b) { return a != a || a > b ? a : b; }
)"},
    {"Sum", R"(struct Sum {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a + b; }
};
)"},
    {"Product", R"(struct Product {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a * b; }
};
)"},
    {"Least", R"(struct Least {
    template <typename T>
    __device__ T operator()(T a, T b) const { return minimum(a, b); }
};
)"},
    {"Greatest", R"(struct Greatest {
    template <typename T>
    __device__ T operator()(T a, T b) const { return maximum(a, b); }
};
)"},
    {"reduceRow", R"(// One value of the threads that have the same y: a warp, or all warps of a block with one row.
template <typename T, typename Combine>
__device__ T reduceRow(T value, Combine combine) {
    for (int distance = 16; distance > 0; distance /= 2)
        value = combine(value, (T)__shfl_xor_sync(0xffffffffu, value, distance));
    if (blockDim.x == 32) return value;
    __shared__ T ofWarp[32];
    __syncthreads();  // an earlier call may still be reading
    if (threadIdx.x % 32 == 0) ofWarp[threadIdx.x / 32] = value;
    __syncthreads();
    value = ofWarp[0];
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = combine(value, ofWarp[warp]);
    return value;
}
)"},
    {"reduceColumn", R"(// One value of the threads that have the same x.
template <typename T, typename Combine>
__device__ T reduceColumn(T value, Combine combine) {
    __shared__ T ofThread[kThreads];
    __syncthreads();  // an earlier call may still be reading
    ofThread[threadIdx.y * 32 + threadIdx.x] = value;
    __syncthreads();
    value = ofThread[threadIdx.x];
    for (unsigned y = 1; y < blockDim.y; ++y) value = combine(value, ofThread[y * 32 + threadIdx.x]);
    return value;
}
)"},
    {"Pack", R"(template <typename T, int count>
struct alignas(sizeof(T) * count) Pack {
    T of[count];
};
)"},
};

/// Whether `text` contains `word` as a whole word.
bool hasWord(std::string_view text, std::string_view word) {
    const auto isPart = [&](std::size_t i) { return i < text.size() && (std::isalnum(text[i]) || text[i] == '_'); };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (!(at > 0 && isPart(at - 1)) && !isPart(at + word.size())) return true;
    return false;
}

}  // namespace

std::string cudaFunctions(const std::string& body) {
    std::string text;
    for (auto entry = std::rbegin(kDefinitions); entry != std::rend(kDefinitions); ++entry)
        if (hasWord(body, entry->name) || hasWord(text, entry->name)) text = std::string(entry->text) + "\n" + text;
    return text;
}

}  // namespace aotscope
