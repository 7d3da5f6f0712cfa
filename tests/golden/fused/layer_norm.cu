typedef unsigned Index;
constexpr int kThreads = 512;

__device__ float fromBf16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }

// Rounds to nearest, half to even.
__device__ unsigned short toBf16(float value) {
    const unsigned bits = __float_as_uint(value);
    return value != value ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

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
    const unsigned short* in0, Index in0_k0, Index in0_r0,
    const unsigned short* in1, Index in1_k0, Index in1_r0,
    const float* in2, Index in2_k0, Index in2_r0,
    unsigned short* out0, Index out0_k0, Index out0_r0,
    unsigned short* out1, Index out1_k0, Index out1_r0,
    float* out2, Index out2_k0,
    float* out3, Index out3_k0,
    long long n0,
    Index kept,
    Index reduced) {
    const Index k0 = (Index)blockIdx.x * blockDim.y + threadIdx.y;
    const Index end = k0 < kept ? reduced : 0;  // all threads take part in the reductions
    const float v3 = (float)n0;
    const float v11 = 1e-05f;
    float part6 = 0.0f;
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = fromBf16(in0[k0 * in0_k0 + r0 * in0_r0]);
        const float v1 = fromBf16(in1[k0 * in1_k0 + r0 * in1_r0]);
        const float v4 = v0 + v1;
        const float v5 = fromBf16(toBf16(v4));
        part6 = Sum()(part6, v5);
        out0[k0 * out0_k0 + r0 * out0_r0] = toBf16(v5);
    }
    const float v6 = reduceRow(part6, Sum());
    const float v7 = v6 / v3;
    float part10 = 0.0f;
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = fromBf16(in0[k0 * in0_k0 + r0 * in0_r0]);
        const float v1 = fromBf16(in1[k0 * in1_k0 + r0 * in1_r0]);
        const float v4 = v0 + v1;
        const float v5 = fromBf16(toBf16(v4));
        const float v8 = v5 - v7;
        const float v9 = v8 * v8;
        part10 = Sum()(part10, v9);
    }
    const float v10 = reduceRow(part10, Sum());
    const float v12 = v10 / v3;
    const float v13 = v12 + v11;
    const float v14 = rsqrtf(v13);
    for (Index r0 = threadIdx.x; r0 < end; r0 += blockDim.x) {
        const float v0 = fromBf16(in0[k0 * in0_k0 + r0 * in0_r0]);
        const float v1 = fromBf16(in1[k0 * in1_k0 + r0 * in1_r0]);
        const float v2 = in2[k0 * in2_k0 + r0 * in2_r0];
        const float v4 = v0 + v1;
        const float v5 = fromBf16(toBf16(v4));
        const float v8 = v5 - v7;
        const float v15 = v8 * v14;
        const float v16 = v15 * v2;
        out1[k0 * out1_k0 + r0 * out1_r0] = toBf16(v16);
    }
    if (k0 < kept && threadIdx.x == 0) out2[k0 * out2_k0] = v7;
    if (k0 < kept && threadIdx.x == 0) out3[k0 * out3_k0] = v14;
}
