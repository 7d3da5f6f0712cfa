// Runs CUDA kernels on the CPU: their source is compiled after this text. The threads of a block take turns;
// they are switched at barriers and shuffles, and it is an error if they do not meet at the same ones.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <utility>
#include <vector>

#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(threads)

struct HostDim {
    unsigned x = 0, y = 0;
};
static HostDim gridDim, blockDim, blockIdx, threadIdx;

namespace host {

enum class Meeting { none, barrier, shuffle, end };

struct Thread {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(1 << 16);
    Meeting meeting = Meeting::none;
    char exchanged[8];
};
static std::vector<Thread> threads;
static std::size_t current;
static ucontext_t scheduler;
static void (*body)(const void* call);
static const void* bodysCall;  // <functional> would take half of the compile time

inline void meet(Meeting meeting) {
    threads[current].meeting = meeting;
    swapcontext(&threads[current].context, &scheduler);
}
static void runThread() {
    body(bodysCall);
    meet(Meeting::end);
}

/// Whether all threads of the block met at the same points until they ended.
inline bool runBlock() {
    for (Thread& thread : threads) {
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.data();
        thread.context.uc_stack.ss_size = thread.stack.size();
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, runThread, 0);
    }
    do {
        for (current = 0; current < threads.size(); ++current) {
            threadIdx = {unsigned(current) % blockDim.x, unsigned(current) / blockDim.x};
            swapcontext(&scheduler, &threads[current].context);
        }
        for (const Thread& thread : threads)
            if (thread.meeting != threads[0].meeting) return false;
    } while (threads[0].meeting != Meeting::end);
    return true;
}

template <typename... Types, std::size_t... places>
bool run(void (*kernel)(Types...), unsigned blocks, unsigned x, unsigned y, void** values,
         std::index_sequence<places...>) {
    const auto call = [=] { kernel(*static_cast<Types*>(values[places])...); };
    body = [](const void* what) { (*static_cast<decltype(call)*>(what))(); };
    bodysCall = &call;
    gridDim = {blocks, 1};
    blockDim = {x, y};
    threads = std::vector<Thread>(x * y);
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        if (!runBlock()) return false;
    return true;
}
template <typename... Types>
bool run(void (*kernel)(Types...), unsigned blocks, unsigned x, unsigned y, void** values) {
    return run(kernel, blocks, x, y, values, std::index_sequence_for<Types...>());
}

template <typename To, typename From>
To as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

/// The two instructions for half precision.
inline void convertHalf(const char* instruction, float& value, unsigned short& bits) {
    if (strstr(instruction, "cvt.f32.f16")) {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        value = exponent == 31  ? (fraction ? NAN : INFINITY)
                : exponent == 0 ? ldexpf(fraction, -24)
                                : ldexpf(fraction + 1024, exponent - 25);
        if (bits & 0x8000) value = -value;
        return;
    }
    const unsigned short sign = signbit(value) ? 0x8000 : 0;
    const float size = fabsf(value);
    int exponent = 0;
    frexpf(size, &exponent);
    if (size == 0 || exponent < -13) exponent = -13;
    bits = value != value    ? 0x7fff
           : size >= 65520.f ? sign | 0x7c00
                             : sign | (((exponent + 13) << 10) + int(nearbyintf(ldexpf(size, 11 - exponent))));
}

}  // namespace host

#define asm(...) host::convertHalf(#__VA_ARGS__, value, bits)

inline void __syncthreads() { host::meet(host::Meeting::barrier); }
template <typename T>
T __shfl_xor_sync(unsigned, T value, int distance) {
    memcpy(host::threads[host::current].exchanged, &value, sizeof value);
    host::meet(host::Meeting::shuffle);
    memcpy(&value, host::threads[host::current ^ std::size_t(distance)].exchanged, sizeof value);
    host::meet(host::Meeting::shuffle);  // all have read
    return value;
}
inline void __trap() { abort(); }
inline float __int_as_float(int bits) { return host::as<float>(bits); }
inline float __uint_as_float(unsigned bits) { return host::as<float>(bits); }
inline unsigned __float_as_uint(float value) { return host::as<unsigned>(value); }
inline double __longlong_as_double(long long bits) { return host::as<double>(bits); }
inline float rsqrtf(float value) { return 1 / sqrtf(value); }
inline double rsqrt(double value) { return 1 / sqrt(value); }
