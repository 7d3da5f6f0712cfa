#include "session/session_limits.h"

#include "record/model_kind.h"
#include "support/budget.h"

#include <algorithm>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

// Enough for code without weights; and for weights that are read, converted and combined, and for running layers on the
// inputs if control flow depends on data.
constexpr double kBaseSeconds = 3, kSecondsOfAByte = 1e-7;
constexpr double kBaseBytes = 256e6, kBytesOfAByte = 8, kBytesOfAnInputByte = 64;

double sizeOf(const fs::path& path) {
    std::error_code failure;
    const auto size = fs::file_size(path, failure);
    return failure ? 0 : static_cast<double>(size);
}

double sizeOf(const InputSpec& spec) {
    double bytes = 0;
    for (const auto& value : spec.values) {
        const auto* leaf = std::get_if<LeafSpec>(&value);
        if (!leaf) continue;
        double elements = 1;
        for (const std::int64_t extent : leaf->shape) elements *= static_cast<double>(extent);
        bytes += elements * static_cast<double>(itemSize(leaf->dtype));
    }
    return bytes;
}

double sizeOf(const InputSource& inputs) {
    if (const auto* spec = std::get_if<InputSpec>(&inputs)) return sizeOf(*spec);
    if (const auto* file = std::get_if<fs::path>(&inputs)) return sizeOf(*file);
    return 0;
}

}  // namespace

Limits limitsFor(const Options& options) {
    const double files = sizeOf(fs::path(options.model)) + sizeOf(options.weights), inputs = sizeOf(options.inputs);
    Limits limits = options.limits;
    if (limits.seconds <= 0) limits.seconds = kBaseSeconds + (files + inputs) * kSecondsOfAByte;
    if (limits.bytes <= 0 && !isSample(options.model))
        limits.bytes = static_cast<std::int64_t>(
            std::min(kBaseBytes + files * kBytesOfAByte + inputs * kBytesOfAnInputByte, 1e18));
    return limits;
}

}  // namespace aotscope
