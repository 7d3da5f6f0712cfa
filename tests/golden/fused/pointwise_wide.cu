typedef unsigned long long Index;

__device__ float fromF16(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

extern "C" __global__ void __launch_bounds__(512) fused(
    const float* in0, Index in0_k0, Index in0_k1, Index in0_k2,
    const unsigned short* in1, Index in1_k0, Index in1_k1, Index in1_k2,
    float* out0, Index out0_k0, Index out0_k1, Index out0_k2,
    double n0,
    Index kept, Index size_k1, Index size_k2) {
    for (Index k = (Index)blockIdx.x * blockDim.x + threadIdx.x; k < kept; k += (Index)gridDim.x * blockDim.x) {
        const Index k2 = k % size_k2;
        const Index k1 = k / size_k2 % size_k1;
        const Index k0 = k / size_k2 / size_k1;
        const float v0 = in0[k0 * in0_k0 + k1 * in0_k1 + k2 * in0_k2];
        const float v1 = fromF16(in1[k0 * in1_k0 + k1 * in1_k1 + k2 * in1_k2]);
        const float v2 = (float)n0;
        const float v3 = v0 * v2;
        const float v4 = v3 + v1;
        const float v5 = 0.70710677f;
        const float v6 = v4 * v5;
        const float v7 = erff(v6);
        const float v8 = 0.5f;
        const float v9 = v4 * v8;
        const float v10 = 1.0f;
        const float v11 = v7 + v10;
        const float v12 = v9 * v11;
        out0[k0 * out0_k0 + k1 * out0_k1 + k2 * out0_k2] = v12;
    }
}
