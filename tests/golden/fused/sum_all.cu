typedef unsigned Index;
constexpr int kThreads = 512;

struct Sum {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a + b; }
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
    const float* in0, Index in0_r0,
    float* out0,
    Index kept,
    Index reduced) {
    const Index k0 = (Index)blockIdx.x * blockDim.y + threadIdx.y;
    const Index end = k0 < kept ? reduced : 0;  // all threads take part in the reductions
    float part1 = 0.0f;
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = in0[r0 * in0_r0];
        part1 = Sum()(part1, v0);
    }
    const float v1 = reduceRow(part1, Sum());
    if (k0 < kept && threadIdx.x == 0) out0[0] = v1;
}
