#pragma once

// Reading elements at neighbouring offsets, as interpolation does: one vector is loaded and permuted, which takes a
// fraction of the time of as many loads.

#include <cstdint>

#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)
#include <immintrin.h>
#endif

namespace aotscope::CPU_CAPABILITY {

/// As many elements are read at once; 1: there are no such instructions.
template <class T>
constexpr std::int64_t kShuffled = 1;

/// to[i] = from[offsets[i]], if the first offset is the least, the last one the greatest, and both are close.
template <class T>
bool shuffle(T* /*to*/, const T* /*from*/, const std::int64_t* /*offsets*/) {
    return false;
}

/// As many neighbouring elements of a tensor, of which only those in a set are read and written.
template <class T>
class Lanes;

#if defined(CPU_CAPABILITY_AVX512)

template <>
inline constexpr std::int64_t kShuffled<float> = 16;
template <>
inline constexpr std::int64_t kShuffled<double> = 8;

template <>
inline bool shuffle(float* to, const float* from, const std::int64_t* offsets) {
    constexpr std::int64_t lanes = kShuffled<float>;
    const std::int64_t least = offsets[0], last = offsets[lanes - 1] - least;
    if (static_cast<std::uint64_t>(last) >= 2 * lanes) return false;
    const __m512i first = _mm512_set1_epi64(least), most = _mm512_set1_epi64(last);
    const __m512i a = _mm512_sub_epi64(_mm512_loadu_si512(offsets), first);
    const __m512i b = _mm512_sub_epi64(_mm512_loadu_si512(offsets + lanes / 2), first);
    if ((_mm512_cmpgt_epu64_mask(a, most) | _mm512_cmpgt_epu64_mask(b, most)) != 0) return false;
    const __m512i places =
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(a)), _mm512_cvtepi64_epi32(b), 1);
    // Nothing beyond the last one is read.
    const std::uint64_t read = (std::uint64_t{2} << last) - 1;
    const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(read), from + least);
    if (last < lanes) {
        _mm512_storeu_ps(to, _mm512_permutexvar_ps(places, low));
    } else {
        const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(read >> lanes), from + least + lanes);
        _mm512_storeu_ps(to, _mm512_permutex2var_ps(low, places, high));
    }
    return true;
}

template <>
inline bool shuffle(double* to, const double* from, const std::int64_t* offsets) {
    constexpr std::int64_t lanes = kShuffled<double>;
    const std::int64_t least = offsets[0], last = offsets[lanes - 1] - least;
    if (static_cast<std::uint64_t>(last) >= 2 * lanes) return false;
    const __m512i places = _mm512_sub_epi64(_mm512_loadu_si512(offsets), _mm512_set1_epi64(least));
    if (_mm512_cmpgt_epu64_mask(places, _mm512_set1_epi64(last)) != 0) return false;
    const std::uint32_t read = (std::uint32_t{2} << last) - 1;
    const __m512d low = _mm512_maskz_loadu_pd(static_cast<__mmask8>(read), from + least);
    const __m512d high = _mm512_maskz_loadu_pd(static_cast<__mmask8>(read >> lanes), from + least + lanes);
    _mm512_storeu_pd(to, _mm512_permutex2var_pd(low, places, high));
    return true;
}

template <>
class Lanes<float> {
public:
    Lanes(const float* from, std::uint32_t set) : all_(_mm512_maskz_loadu_ps(static_cast<__mmask16>(set), from)) {}
    void add(const float* other, std::uint32_t set) {
        all_ = _mm512_mask_add_ps(all_, static_cast<__mmask16>(set), all_, _mm512_loadu_ps(other));
    }
    void store(float* to, std::uint32_t set) const { _mm512_mask_storeu_ps(to, static_cast<__mmask16>(set), all_); }

private:
    __m512 all_;
};

template <>
class Lanes<double> {
public:
    Lanes(const double* from, std::uint32_t set) : all_(_mm512_maskz_loadu_pd(static_cast<__mmask8>(set), from)) {}
    void add(const double* other, std::uint32_t set) {
        all_ = _mm512_mask_add_pd(all_, static_cast<__mmask8>(set), all_, _mm512_loadu_pd(other));
    }
    void store(double* to, std::uint32_t set) const { _mm512_mask_storeu_pd(to, static_cast<__mmask8>(set), all_); }

private:
    __m512d all_;
};

#elif defined(CPU_CAPABILITY_AVX2)

template <>
inline constexpr std::int64_t kShuffled<float> = 8;

template <>
inline bool shuffle(float* to, const float* from, const std::int64_t* offsets) {
    constexpr std::int64_t lanes = kShuffled<float>;
    const std::int64_t least = offsets[0], last = offsets[lanes - 1] - least;
    if (static_cast<std::uint64_t>(last) >= lanes) return false;
    const __m256i first = _mm256_set1_epi64x(least), most = _mm256_set1_epi64x(last);
    const auto at = [&](std::int64_t i) {
        return _mm256_sub_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets + i)), first);
    };
    const __m256i a = at(0), b = at(lanes / 2);
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

template <>
class Lanes<float> {
public:
    Lanes(const float* from, std::uint32_t set) : all_(_mm256_maskload_ps(from, maskOf(set))) {}
    void add(const float* other, std::uint32_t set) {
        const __m256 mask = _mm256_castsi256_ps(maskOf(set));
        all_ = _mm256_blendv_ps(all_, _mm256_add_ps(all_, _mm256_loadu_ps(other)), mask);
    }
    void store(float* to, std::uint32_t set) const { _mm256_maskstore_ps(to, maskOf(set), all_); }

private:
    static __m256i maskOf(std::uint32_t set) {
        const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(set)), bits), bits);
    }

    __m256 all_;
};

#endif

}  // namespace aotscope::CPU_CAPABILITY
