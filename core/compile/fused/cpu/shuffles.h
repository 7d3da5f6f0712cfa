#pragma once

// Reading elements at neighbouring offsets, as interpolation does: one vector is loaded and permuted, which takes a
// fraction of the time of as many loads.

#include <cstdint>

#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)
#include <immintrin.h>
#endif

namespace aotscope::CPU_CAPABILITY {

#if defined(CPU_CAPABILITY_AVX512)

/// As many elements are read at once.
constexpr std::int64_t kShuffled = 16;

/// to[i] = from[offsets[i]], if the first offset is the least, the last one the greatest, and both are close.
inline bool shuffle(float* to, const float* from, const std::int64_t* offsets) {
    const std::int64_t least = offsets[0], last = offsets[kShuffled - 1] - least;
    if (static_cast<std::uint64_t>(last) >= 2 * kShuffled) return false;
    const __m512i first = _mm512_set1_epi64(least), most = _mm512_set1_epi64(last);
    const __m512i a = _mm512_sub_epi64(_mm512_loadu_si512(offsets), first);
    const __m512i b = _mm512_sub_epi64(_mm512_loadu_si512(offsets + kShuffled / 2), first);
    if ((_mm512_cmpgt_epu64_mask(a, most) | _mm512_cmpgt_epu64_mask(b, most)) != 0) return false;
    const __m512i places =
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(a)), _mm512_cvtepi64_epi32(b), 1);
    // Nothing beyond the last one is read.
    const std::uint64_t read = (std::uint64_t{2} << last) - 1;
    const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(read), from + least);
    if (last < kShuffled) {
        _mm512_storeu_ps(to, _mm512_permutexvar_ps(places, low));
    } else {
        const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(read >> 16), from + least + kShuffled);
        _mm512_storeu_ps(to, _mm512_permutex2var_ps(low, places, high));
    }
    return true;
}

#elif defined(CPU_CAPABILITY_AVX2)

constexpr std::int64_t kShuffled = 8;

inline bool shuffle(float* to, const float* from, const std::int64_t* offsets) {
    const std::int64_t least = offsets[0], last = offsets[kShuffled - 1] - least;
    if (static_cast<std::uint64_t>(last) >= kShuffled) return false;
    const __m256i first = _mm256_set1_epi64x(least), most = _mm256_set1_epi64x(last);
    const auto at = [&](std::int64_t i) {
        return _mm256_sub_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets + i)), first);
    };
    const __m256i a = at(0), b = at(kShuffled / 2);
    const __m256i above = _mm256_or_si256(_mm256_cmpgt_epi64(a, most), _mm256_cmpgt_epi64(b, most));
    const __m256i outside = _mm256_or_si256(above, _mm256_or_si256(a, b));  // or negative
    if (_mm256_movemask_pd(_mm256_castsi256_pd(outside)) != 0) return false;
    const __m256i halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    const __m256i places =
        _mm256_blend_epi32(_mm256_permutevar8x32_epi32(a, halves), _mm256_permutevar8x32_epi32(b, halves), 0xf0);
    const __m256i read =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(last) + 1), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(_mm256_maskload_ps(from + least, read), places));
    return true;
}

#else

constexpr std::int64_t kShuffled = 1;

inline bool shuffle(float* to, const float* from, const std::int64_t* offsets) {
    *to = from[*offsets];
    return true;
}

#endif

}  // namespace aotscope::CPU_CAPABILITY
