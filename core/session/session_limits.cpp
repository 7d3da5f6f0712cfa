#include "session/session_limits.h"

#include "record/model_kind.h"
#include "support/budget.h"

#include <algorithm>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

// Enough for code without weights; and for weights that are read, converted and combined, and for running layers on the
// inputs if control flow depends on data.
constexpr double kBaseSeconds = 3, kSecondsOfAByte = 3e-7;
constexpr double kSecondsOfAReadByte = 3e-6, kBytesOfAReadByte = 512;  // six times what a session file takes
constexpr double kBaseBytes = 256e6, kBytesOfAByte = 8, kBytesOfAnInputByte = 64;

double sizeOf(const fs::path& path) {
    std::error_code failure;
    const auto size = fs::file_size(path, failure);
    return failure ? 0 : static_cast<double>(size);
}

/// Of a file, or of the files in a folder, unless there are too many.
double sizeOfAll(const fs::path& place) {
    constexpr int most = 10'000;
    std::error_code failure;
    double size = sizeOf(place);
    auto entry = fs::recursive_directory_iterator(place, fs::directory_options::skip_permission_denied, failure);
    for (int i = 0; i < most && !failure && entry != fs::recursive_directory_iterator(); ++i, entry.increment(failure))
        size += sizeOf(entry->path());
    return size;
}

Budget budgetOfReading(const Options& options) {
    const fs::path place = options.model;
    const bool mayBePattern = options.model.find_first_of("*?") != std::string::npos;
    const double size = sizeOfAll(mayBePattern ? place.parent_path() : place);
    Limits limits = options.limits;
    if (limits.seconds <= 0) limits.seconds = kBaseSeconds + size * kSecondsOfAReadByte;
    if (limits.bytes <= 0)
        limits.bytes = static_cast<std::int64_t>(std::min(kBaseBytes + size * kBytesOfAReadByte, 1e18));
    return Budget(Progress(), limits);
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

WatchedReading::WatchedReading(const Options& options)
    : Watched("reading '" + options.model + "'", budgetOfReading(options)) {}

ModelSource recogniseModel(const Options& options) {
    const WatchedReading reading(options);
    return recognise(options.model);
}

}  // namespace aotscope
