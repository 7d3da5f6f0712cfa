#pragma once

#include "query/facts.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A string that a query can test: "module:layer1".
struct TextField {
    std::string_view name, help, example;
    std::string_view (*read)(const QueryFacts& facts);
    /// All possible strings; null: any.
    std::vector<std::string> (*values)() = nullptr;
};

enum class Unit : std::uint8_t { none, bytes, time };

/// A number that a query can compare: "users>3". Nodes without it never match.
struct NumberField {
    std::string_view name, help, example;
    Unit unit;
    std::optional<double> (*read)(const QueryFacts& facts);
};

/// A boolean property: "saved".
struct Flag {
    std::string_view name, help;
    bool (*holds)(const QueryFacts& facts);
};

const std::vector<TextField>& textFields();
const std::vector<NumberField>& numberFields();
const std::vector<Flag>& queryFlags();
/// Properties of values in a run.
const std::vector<NumberField>& valueNumbers();
const std::vector<Flag>& valueFlags();

/// Whether `visit` is true for any tensor in the value.
bool anyTensor(const ValueType& type, const std::function<bool(const TensorType&)>& visit);

/// "f32", "torch.float32", or a class of dtypes: "float", "int", "complex". Nothing for any other text.
std::optional<std::function<bool(DType)>> dtypeTest(std::string_view text);

/// "8x512", "[8, 512]"; '*' or '_' matches one size, "..." any number of sizes. Nothing if it is not a shape.
std::optional<std::function<bool(const TensorType&)>> shapeTest(std::string_view text);

/// "3", "1.5M", "2MB", "4KiB"; times in microseconds: "10", "10us", "2ms", "1s". Nothing if it is not a number.
std::optional<double> quantity(std::string_view text, Unit unit);

}  // namespace aotscope
