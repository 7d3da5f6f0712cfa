typedef unsigned Index;
constexpr int kThreads = 512;

template <typename T>
__device__ T maximum(T a, T b) { return a != a || a > b ? a : b; }

struct Sum {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a + b; }
};

struct Greatest {
    template <typename T>
    __device__ T operator()(T a, T b) const { return maximum(a, b); }
};

// One value of the threads that have the same y: a warp, or all warps of a block with one row.
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

extern "C" __global__ void __launch_bounds__(kThreads) fused(
    const float* in0, Index in0_k0, Index in0_r0,
    float* out0, Index out0_k0, Index out0_r0,
    Index kept,
    Index reduced) {
    const Index k0 = (Index)blockIdx.x * blockDim.y + threadIdx.y;
    const Index end = k0 < kept ? reduced : 0;  // all threads take part in the reductions
    float part1 = -__int_as_float(0x7f800000);
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = in0[k0 * in0_k0 + r0 * in0_r0];
        part1 = Greatest()(part1, v0);
    }
    const float v1 = reduceRow(part1, Greatest());
    float part4 = 0.0f;
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = in0[k0 * in0_k0 + r0 * in0_r0];
        const float v2 = v0 - v1;
        const float v3 = expf(v2);
        part4 = Sum()(part4, v3);
    }
    const float v4 = reduceRow(part4, Sum());
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = in0[k0 * in0_k0 + r0 * in0_r0];
        const float v2 = v0 - v1;
        const float v3 = expf(v2);
        const float v5 = v3 / v4;
        out0[k0 * out0_k0 + r0 * out0_r0] = v5;
    }
}
