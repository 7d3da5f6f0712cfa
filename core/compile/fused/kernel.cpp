#include "compile/fused/kernel.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace aotscope {

namespace {

struct Entry {
    std::string_view name;
    int operands;
};

/// In the order of Opcode.
constexpr Entry kEntries[] = {
    {"load", 0},         {"gather", 3},      {"offset", 1},   {"position", 0},  {"number", 0},     {"constant", 0},
    {"convert", 1},      {"narrow", 1},      {"add", 2},      {"sub", 2},       {"mul", 2},        {"div", 2},
    {"floorDivide", 2},  {"truncDivide", 2}, {"fmod", 2},     {"remainder", 2}, {"pow", 2},        {"atan2", 2},
    {"hypot", 2},        {"copysign", 2},    {"minimum", 2},  {"maximum", 2},   {"bitAnd", 2},     {"bitOr", 2},
    {"bitXor", 2},       {"equal", 2},       {"notEqual", 2}, {"less", 2},      {"lessEqual", 2},  {"greater", 2},
    {"greaterEqual", 2}, {"bitNot", 1},      {"neg", 1},      {"abs", 1},       {"sign", 1},       {"reciprocal", 1},
    {"sqrt", 1},         {"rsqrt", 1},       {"exp", 1},      {"exp2", 1},      {"expm1", 1},      {"log", 1},
    {"log2", 1},         {"log10", 1},       {"log1p", 1},    {"sin", 1},       {"cos", 1},        {"tan", 1},
    {"asin", 1},         {"acos", 1},        {"atan", 1},     {"sinh", 1},      {"cosh", 1},       {"tanh", 1},
    {"asinh", 1},        {"acosh", 1},       {"atanh", 1},    {"erf", 1},       {"erfc", 1},       {"gelu", 1},
    {"geluSlope", 1},    {"sigmoid", 1},     {"floor", 1},    {"ceil", 1},      {"round", 1},      {"trunc", 1},
    {"isNan", 1},        {"isInf", 1},       {"where", 3},    {"reduceSum", 1}, {"reduceProd", 1}, {"reduceMin", 1},
    {"reduceMax", 1},
};
static_assert(std::size(kEntries) == static_cast<std::size_t>(Opcode::reduceMax) + 1);

const Entry& entryOf(Opcode op) { return kEntries[static_cast<std::size_t>(op)]; }

}  // namespace

std::optional<ComputeType> computeTypeOf(DType dtype) {
    switch (dtype) {
        case DType::f16:
        case DType::bf16:
        case DType::f32: return ComputeType::f32;
        case DType::f64: return ComputeType::f64;
        case DType::b8: return ComputeType::boolean;
        case DType::u8:
        case DType::i8:
        case DType::i16:
        case DType::i32:
        case DType::i64:
        case DType::u16:
        case DType::u32:
        case DType::u64: return ComputeType::i64;
        default: return std::nullopt;
    }
}

std::string_view name(Opcode op) { return entryOf(op).name; }

int operandCount(Opcode op) { return entryOf(op).operands; }

std::vector<bool> keptOnly(const Kernel& kernel) {
    std::vector<bool> kept;
    for (const Instruction& instruction : kernel.code) {
        const auto follows = [&](std::int32_t operand) {
            return operand < 0 || kept[static_cast<std::size_t>(operand)];
        };
        kept.push_back(isReduction(instruction.op) ||
                       (!readsInput(instruction.op) && instruction.op != Opcode::position &&
                        std::all_of(instruction.operands.begin(), instruction.operands.end(), follows)));
    }
    return kept;
}

int indexedDimensions(const Kernel& kernel, std::int32_t tensor) {
    int count = 0;
    for (const Instruction& instruction : kernel.code)
        if (instruction.op == Opcode::offset && instruction.index == tensor)
            count = std::max(count, instruction.indexed + 1);
    return count;
}

std::vector<int> countedDimensions(const Kernel& kernel) {
    std::set<int> dimensions;
    for (const Instruction& instruction : kernel.code)
        if (instruction.op == Opcode::position) dimensions.insert(instruction.dimension);
    return {dimensions.begin(), dimensions.end()};
}

std::vector<int> stagesOf(const Kernel& kernel) {
    std::vector<int> stages;
    for (const Instruction& instruction : kernel.code) {
        int stage = 0;
        for (const std::int32_t operand : instruction.operands)
            if (operand >= 0) stage = std::max(stage, stages[static_cast<std::size_t>(operand)]);
        stages.push_back(stage + (isReduction(instruction.op) ? 1 : 0));
    }
    return stages;
}

}  // namespace aotscope
