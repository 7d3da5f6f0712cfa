#pragma once

#include "ir/types.h"
#include "support/error.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace aotscope {

/// How the elements of a leaf tensor are created.
struct Fill {
    struct Randint {
        std::int64_t low = 0, high = 2;
    };
    struct Pattern {
        double mul = 1, mod = 1, off = 0, scale = 1;  ///< element k, row major: ((k * mul) % mod + off) * scale
    };
    struct File {
        std::string path;  ///< .npy, .safetensors[:NAME] or .pt of one tensor, relative to the spec's folder
    };
    enum class Plain : std::uint8_t { zeros, ones, randn, rand };
    std::variant<Plain, Randint, Pattern, File> how = Plain::randn;
};

struct LeafSpec {
    std::vector<std::int64_t> shape;    ///< a named dimension has its hint here
    std::vector<std::string> dimNames;  ///< empty, or parallel to `shape`: the dimension's name, "" for a static size
    DType dtype = DType::f32;
    bool shapeOfFile = false, dtypeOfFile = false;  ///< not in the spec: taken from the file
    bool requiresGrad = false;
    std::string device;  ///< empty: the run's device
    Fill fill;
};

/// An argument of a derived value: a number, a list of integers or a dtype name.
using DerivedArgument = std::variant<double, std::vector<std::int64_t>, std::string>;

/// A view or copy of an earlier value.
struct DerivedSpec {
    std::string op;
    std::size_t of = 0;
    std::vector<DerivedArgument> args;
    /// Empty, or parallel to `args`: the names in a list of integers, like LeafSpec::dimNames.
    std::vector<std::vector<std::string>> argNames;
};

using ValueSpec = std::variant<LeafSpec, DerivedSpec>;

/// One input of the model.
struct InputItem {
    struct None {};
    struct TensorRef {
        std::size_t value;
    };
    using List = std::vector<InputItem>;
    struct Entry;
    using Dict = std::vector<Entry>;
    std::variant<None, TensorRef, std::int64_t, double, bool, List, Dict> data;
};
struct InputItem::Entry {
    std::string key;
    InputItem item;
};

/// A named dimension that several shapes share: its size in this run and the range of allowed sizes.
struct NamedDimension {
    static constexpr std::int64_t kLargest = std::int64_t{1} << 40;

    std::string name;
    std::int64_t hint = 1;
    std::int64_t min = 0, max = kLargest;
};

/// The inputs of a run: the argument of --inputs, and what the form in the window edits.
struct InputSpec {
    std::vector<NamedDimension> dims;
    std::vector<ValueSpec> values;
    std::vector<InputItem> inputs;
};

/// The model has no example inputs and none were given; has a template to fill in.
class InputsNeeded : public Error {
public:
    InputsNeeded(const std::string& what, InputSpec spec, std::vector<std::string> inputNames)
        : Error(what), suggestion(std::move(spec)), names(std::move(inputNames)) {}
    InputSpec suggestion;
    std::vector<std::string> names;
};

/// Reads a spec. `where` is for errors. Throws Error with the JSON path, the expected and the found value.
///
///   SPEC    {"dims": DIMS, "values": [VALUE, ...], "inputs": [INPUT, ...]}, or short: [LEAF, ...], one for each input
///   DIMS    {NAME: {"hint": 8, "min": 2, "max": 64}, ...}, optional; NAME: 8 for a dimension without bounds.
///           A name can be a size in a shape and in a list of integers of a derivation
///   VALUE   {"leaf": LEAF} or {"op": NAME, "of": index of an earlier value, "args": [...]}; NAME: add_scalar,
///           mul_scalar, view, view_dtype, select, slice, transpose, as_strided, expand, detach, clone, channels_last,
///           conj, imag
///   LEAF    {"shape": [2, 3], "dtype": "float32", "requires_grad": false, "device": "cpu"} and one of
///           "fill": "zeros", "ones", "randn" (default), "rand" or {"randint": [low, high]};
///           "pattern": [mul, mod, off, scale]; "file": path of one tensor: .npy, .safetensors, FILE.safetensors:NAME,
///           or saved by torch.save. With a file, shape and dtype may be left out, or must be the file's
///   INPUT   {"tensor": index of a value}, {"int": n}, {"float": x}, {"bool": b}, {"none": true}, a list of inputs, or
///           an object of inputs by name
InputSpec parseInputSpec(std::string_view json, const std::string& where);
InputSpec readInputSpec(const std::filesystem::path& path);

/// JSON text for parseInputSpec, in the short form if possible.
std::string printInputSpec(const InputSpec& spec);

/// `spec` with these sizes for named dimensions. Throws Error for an unknown name, or a size outside of the dimension's
/// range.
InputSpec withSizes(const InputSpec& spec, const std::map<std::string, std::int64_t>& sizes);

/// The dimension of `spec` called `name`, or null.
const NamedDimension* findDimension(const InputSpec& spec, std::string_view name);

/// The problem with a dimension, as a clause, or empty.
std::string faultOf(const NamedDimension& dimension);

}  // namespace aotscope
