typedef unsigned Index;
constexpr int kThreads = 512;

struct Sum {
    template <typename T>
    __device__ T operator()(T a, T b) const { return a + b; }
};

// One value of the threads that have the same x.
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

extern "C" __global__ void __launch_bounds__(kThreads) fused(
    const float* in0, Index in0_k0, Index in0_k1, Index in0_r0, Index in0_r1,
    float* out0, Index out0_k0, Index out0_k1,
    Index kept, Index size_k1,
    Index reduced, Index size_r1) {
    const Index k = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    const Index end = k < kept ? reduced : 0;  // all threads take part in the reductions
    const Index k1 = k % size_k1;
    const Index k0 = k / size_k1;
    float part1 = 0.0f;
    for (Index r = threadIdx.y; r < end; r += blockDim.y) {
        const Index r1 = r % size_r1;
        const Index r0 = r / size_r1;
        const float v0 = in0[k0 * in0_k0 + k1 * in0_k1 + r0 * in0_r0 + r1 * in0_r1];
        part1 = Sum()(part1, v0);
    }
    const float v1 = reduceColumn(part1, Sum());
    if (k < kept && threadIdx.y == 0) out0[k0 * out0_k0 + k1 * out0_k1] = v1;
}
