#include "cost/fit/data_sheet.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr double kGB = 1e9, kTera = 1e12;

/// From NVIDIA's data sheets: SXM modules where there are several forms, products without sparsity. Memory is in GB of
/// 10^9 bytes, as printed there: GPUs have some percent more, of which CUDA's context takes a part.
constexpr std::array<DataSheet, 12> kSheets = {{
    {"b200", "NVIDIA B200", 180 * kGB, 8000 * kGB, 75 * kTera, 1125 * kTera, 2250 * kTera},
    {"h200", "NVIDIA H200", 141 * kGB, 4800 * kGB, 67 * kTera, 494.7 * kTera, 989.4 * kTera},
    {"h100", "NVIDIA H100", 80 * kGB, 3350 * kGB, 67 * kTera, 494.7 * kTera, 989.4 * kTera},
    {"a100-40gb", "NVIDIA A100-SXM4-40GB", 40 * kGB, 1555 * kGB, 19.5 * kTera, 156 * kTera, 312 * kTera},
    {"a100", "NVIDIA A100", 80 * kGB, 2039 * kGB, 19.5 * kTera, 156 * kTera, 312 * kTera},
    {"l40s", "NVIDIA L40S", 48 * kGB, 864 * kGB, 91.6 * kTera, 183 * kTera, 362 * kTera},
    {"l4", "NVIDIA L4", 24 * kGB, 300 * kGB, 30.3 * kTera, 60 * kTera, 121 * kTera},
    {"a10", "NVIDIA A10", 24 * kGB, 600 * kGB, 31.2 * kTera, 62.5 * kTera, 125 * kTera},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 24 * kGB, 1008 * kGB, 82.6 * kTera, 82.6 * kTera, 165.2 * kTera},
    {"rtx3090", "NVIDIA GeForce RTX 3090", 24 * kGB, 936 * kGB, 35.6 * kTera, 35.6 * kTera, 71 * kTera},
    {"v100", "Tesla V100", 16 * kGB, 900 * kGB, 15.7 * kTera, 0, 125 * kTera},
    {"t4", "Tesla T4", 16 * kGB, 320 * kGB, 8.1 * kTera, 0, 65 * kTera},
}};

/// What common kernels reach of an H100's data sheet, taken for all GPUs. Caches are about twice as fast as memory.
constexpr double kOfSingle = 50.0 / 67, kOfTensorCores = 350 / 494.7, kOfBandwidth = 2.8 / 3.35, kCache = 5.5 / 2.8;
/// Elements per second of functions, by operations per second in float32.
constexpr double kTranscendentals = 0.06, kHeavyFunctions = 0.03, kRandomNumbers = 0.02;
/// Elements per second of conversions, by bytes per second.
constexpr double kConversions = 1 / 2.8;

}  // namespace

std::span<const DataSheet> dataSheets() { return kSheets; }

const DataSheet* dataSheetNamed(std::string_view name) {
    const auto sheet = std::ranges::find(kSheets, name, &DataSheet::name);
    return sheet == kSheets.end() ? nullptr : sheet;
}

const DataSheet* dataSheetOf(std::string_view gpu) {
    const auto sheet = std::ranges::find_if(kSheets, [&](const DataSheet& each) {
        return gpu.starts_with(each.title) &&
               (gpu.size() == each.title.size() || gpu[each.title.size()] == ' ' || gpu[each.title.size()] == '-');
    });
    return sheet == kSheets.end() ? nullptr : sheet;
}

std::vector<std::string> dataSheetNames() {
    std::vector<std::string> names;
    for (const DataSheet& sheet : kSheets) names.emplace_back(sheet.name);
    return names;
}

MachineModel machineBy(const DataSheet& sheet) {
    constexpr double launch = 5e-6;
    const double memory = kOfBandwidth * sheet.bandwidth, single = kOfSingle * sheet.single;
    MachineModel gpu;
    gpu.assumed = sheet.title;
    gpu.overhead = launch;
    gpu.viewOverhead = 2e-6;
    gpu.bytes = {1 << 24, kCache * memory, 1 << 28, memory};
    gpu.stridedBytes = {0, memory / 2};
    gpu.freshBytes = 1e15;  // the allocator caches memory
    // As PyTorch computes unless told otherwise: products in float32, convolutions in TF32.
    gpu.matrixFlops = gpu.batchedFlops = gpu.attentionFlops = {0, single};
    const double convolutions = sheet.tensorFloat > 0 ? kOfTensorCores * sheet.tensorFloat : single;
    gpu.convolutionFlops = gpu.convolutionBackwardFlops = {0, convolutions};
    gpu.halfProducts = {0, kOfTensorCores * sheet.half};
    gpu.transcendentals = {0, kTranscendentals * single};
    gpu.heavyFunctions = {0, kHeavyFunctions * single};
    gpu.randomNumbers = {0, kRandomNumbers * single};
    // Reductions read their operand once or twice.
    gpu.reductions = {0, memory / 4};
    gpu.batchNorms = gpu.windows = {0, memory / 8};
    gpu.conversions = {0, kConversions * memory};
    return gpu;
}

}  // namespace aotscope
