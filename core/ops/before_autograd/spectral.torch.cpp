#include "ops/before_autograd/rules.h"
#include "ops/decompositions/decomposition_support.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/fft_fft.h>
#include <ATen/ops/fft_ifft.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/unfold_backward.h>
#include <ATen/ops/view_as_real.h>

namespace aotscope {

namespace {

using namespace rules;
using MaybeInt = std::optional<std::int64_t>;
using MaybeBool = std::optional<bool>;

std::optional<c10::string_view> normalization(bool normalized) {
    return normalized ? std::optional<c10::string_view>("ortho") : std::nullopt;
}

/// `window` centred in a frame.
Tensor padded(const Tensor& window, std::int64_t frame) {
    const std::int64_t left = (frame - window.size(0)) / 2;
    return at::constant_pad_nd(window, {left, frame - window.size(0) - left});
}

/// A frame every `hop` elements, multiplied by the window and transformed.
std::optional<Tensor> stft(const Tensor& self, std::int64_t frame, MaybeInt hop, MaybeInt length,
                           const MaybeTensor& window, bool center, const std::string& mode, bool normalized,
                           MaybeBool onesided, MaybeBool returnComplex, MaybeBool alignToWindow) {
    const std::int64_t step = hop.value_or(frame / 4), width = length.value_or(frame);
    const bool isComplex = self.is_complex() || (window && window->is_complex());
    const bool fits = self.dim() >= 1 && self.dim() <= 2 && (isComplex || self.is_floating_point()) && step > 0 &&
                      0 < width && width <= frame && (!window || window->sizes() == at::IntArrayRef({width})) &&
                      !(center && alignToWindow) && (returnComplex || isComplex) &&
                      !(onesided.value_or(false) && isComplex);
    if (!fits) return std::nullopt;  // LibTorch's own implementation reports the error
    Tensor signal = self.dim() == 1 ? self.unsqueeze(0) : self;
    if (center) {
        const Tensor extended = signal.view({1, signal.size(0), signal.size(1)});
        const Tensor longer = at::pad(extended, {frame / 2, frame / 2}, mode);
        signal = longer.view(longer.sizes().slice(1));
    } else if (alignToWindow.value_or(false)) {
        signal = at::pad(signal, {(frame - width) / 2, (frame - width) / 2}, mode);
    }
    MaybeTensor weights = window;
    if (width < frame) weights = padded(window ? *window : at::ones({width}, signal.options()), frame);
    signal = signal.unfold(-1, frame, step);
    if (weights) signal = times(signal, *weights);
    const bool half = onesided.value_or(!signal.is_complex());
    Tensor result = half ? at::fft_rfft(signal, std::nullopt, -1, normalization(normalized))
                         : at::fft_fft(signal, std::nullopt, -1, normalization(normalized));
    result = result.transpose(1, 2);
    if (self.dim() == 1) result = result.squeeze(0);
    return returnComplex.value_or(true) ? result : at::view_as_real(result);
}

/// The sum of overlapping frames.
Tensor overlapped(const Tensor& frames, std::int64_t length, std::int64_t step) {
    return at::unfold_backward(frames, {frames.size(0), length}, 1, frames.size(2), step);
}

std::optional<Tensor> istft(const Tensor& self, std::int64_t frame, MaybeInt hop, MaybeInt length,
                            const MaybeTensor& window, bool center, bool normalized, MaybeBool onesided,
                            MaybeInt wanted, bool returnComplex) {
    const std::int64_t step = hop.value_or(frame / 4), width = length.value_or(frame);
    if (!self.is_complex() || self.dim() < 2 || self.dim() > 3 || self.numel() == 0) return std::nullopt;
    const std::int64_t frames = self.size(-1), size = self.size(-2);
    const bool half = onesided.value_or(size != frame);
    const bool fits = size == (half ? frame / 2 + 1 : frame) && 0 < step && step <= width && width <= frame &&
                      (!window || window->sizes() == at::IntArrayRef({width})) &&
                      (returnComplex ? !half : !(window && window->is_complex()));
    if (!fits) return std::nullopt;
    const Dtype real = c10::toRealValueType(self.scalar_type());
    Tensor weights = window ? *window : at::ones({width}, self.options().dtype(real));
    if (width != frame) weights = padded(weights, frame);
    Tensor spectrum = (self.dim() == 2 ? self.unsqueeze(0) : self).transpose(1, 2);
    if (!returnComplex && !half) spectrum = spectrum.narrow(-1, 0, frame / 2 + 1);
    const Tensor signal = returnComplex ? at::fft_ifft(spectrum, std::nullopt, -1, normalization(normalized))
                                        : at::fft_irfft(spectrum, std::nullopt, -1, normalization(normalized));
    if (signal.size(2) != frame) return std::nullopt;
    const Tensor weighted = times(signal, weights.view({1, 1, frame}));
    const std::int64_t expected = frame + step * (frames - 1);
    const std::int64_t start = center ? frame / 2 : 0;
    const std::int64_t end = wanted ? start + *wanted : center ? expected - frame / 2 : expected;
    const Tensor sum = overlapped(weighted, expected, step);
    const Tensor envelope = overlapped(weights.pow(2).expand({1, frames, frame}), expected, step);
    Tensor result = over(at::slice(sum, 1, start, end, 1), at::slice(envelope, 1, start, end, 1));
    if (self.dim() == 2) result = result.squeeze(0);
    return end > expected ? at::constant_pad_nd(result, {0, end - expected}, 0) : result;
}

}  // namespace

std::vector<BeforeAutogradRow> spectralBeforeAutograd() {
    return {
        {"aten.istft.default", "istft", rule<istft>},
        {"aten.stft.center", "stft", rule<stft>},
    };
}

}  // namespace aotscope
