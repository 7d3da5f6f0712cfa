#include "program/input_spec.h"

#include "support/bounded_json.h"
#include "support/error.h"
#include "support/file.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> kInformative = {"name",    "category", "input_summary", "leaves",
                                                          "options", "program",  "entry",         "is_module"};
constexpr std::array<std::string_view, 14> kDerivations = {
    "add_scalar", "mul_scalar", "view",   "view_dtype", "select",        "slice", "transpose",
    "as_strided", "expand",     "detach", "clone",      "channels_last", "conj",  "imag"};
constexpr int kDeepestSpec = 64;
constexpr std::int64_t kLargestDimension = NamedDimension::kLargest;

/// Reads one JSON document; `where` grows into "spec.json: values[2].leaf.dtype" for messages.
class InputSpecReader {
public:
    explicit InputSpecReader(std::string where) : where_(std::move(where)) {}

    InputSpec read(const json& document) {
        InputSpec& spec = spec_;
        if (document.is_array()) {
            for (std::size_t i = 0; i < document.size(); ++i) {
                spec.values.emplace_back(leaf(document[i], at("", i)));
                spec.inputs.push_back({InputItem::TensorRef{i}});
            }
            return spec;
        }
        requireObject(document, "");
        requireKeys(document, "", {"values", "inputs", "dims"}, true);
        if (document.contains("dims")) readDimensions(document["dims"]);
        const json& values = member(document, "values", "");
        requireArray(values, "values");
        for (std::size_t i = 0; i < values.size(); ++i) spec.values.push_back(value(values[i], i));
        const json& inputs = member(document, "inputs", "");
        requireArray(inputs, "inputs");
        for (std::size_t i = 0; i < inputs.size(); ++i)
            spec.inputs.push_back(item(inputs[i], at("inputs", i), spec.values.size()));
        return spec;
    }

private:
    static std::string at(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }
    static std::string under(const std::string& path, const std::string& key) {
        return path.empty() ? key : path + "." + key;
    }

    [[noreturn]] void fail(const std::string& path, const std::string& expected, const json& found) const {
        std::string text = found.dump();
        if (text.size() > 60) text = text.substr(0, 57) + "...";
        throw Error(where_ + (path.empty() ? "" : ", " + path) + ": expected " + expected + ", found " + text);
    }
    void requireObject(const json& j, const std::string& path) const {
        if (!j.is_object())
            fail(path, path.empty() ? "a list of leaves or an object with 'values' and 'inputs'" : "an object", j);
    }
    void requireArray(const json& j, const std::string& path) const {
        if (!j.is_array()) fail(path, "a list", j);
    }
    const json& member(const json& j, const std::string& key, const std::string& path) const {
        const auto it = j.find(key);
        if (it == j.end())
            throw Error(where_ + (path.empty() ? "" : ", " + path) + ": the key " + inQuotes(key) + " is missing");
        return *it;
    }
    void requireKeys(const json& j, const std::string& path, std::initializer_list<std::string_view> known,
                     bool informative = false) const {
        for (const auto& [key, unused] : j.items()) {
            (void)unused;
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            if (informative && std::find(kInformative.begin(), kInformative.end(), key) != kInformative.end()) continue;
            std::string names;
            for (auto k : known) names += (names.empty() ? "" : ", ") + std::string(k);
            throw Error(where_ + (path.empty() ? "" : ", " + path) + ": unknown key " + inQuotes(key) +
                        "; known keys are " + names);
        }
    }

    std::int64_t integer(const json& j, const std::string& path) const {
        if (!j.is_number_integer()) fail(path, "an integer", j);
        return j.get<std::int64_t>();
    }
    double number(const json& j, const std::string& path) const {
        if (!j.is_number()) fail(path, "a number", j);
        return j.get<double>();
    }
    bool boolean(const json& j, const std::string& path) const {
        if (!j.is_boolean()) fail(path, "true or false", j);
        return j.get<bool>();
    }
    std::string text(const json& j, const std::string& path) const {
        if (!j.is_string()) fail(path, "a string", j);
        return j.get<std::string>();
    }
    DType dtype(const json& j, const std::string& path) const {
        const auto known = dtypeFromName(text(j, path));
        if (!known) fail(path, "a dtype such as float32 or int64", j);
        return *known;
    }

    void readDimensions(const json& j) {
        requireObject(j, "dims");
        for (const auto& [name, description] : j.items()) {
            const std::string path = under("dims", name);
            NamedDimension dimension;
            dimension.name = name;
            if (description.is_object()) {
                requireKeys(description, path, {"hint", "min", "max"});
                dimension.hint = integer(member(description, "hint", path), under(path, "hint"));
                if (description.contains("min")) dimension.min = integer(description["min"], under(path, "min"));
                if (description.contains("max")) dimension.max = integer(description["max"], under(path, "max"));
            } else {
                dimension.hint = integer(description, path);
            }
            if (const std::string fault = faultOf(dimension); !fault.empty())
                throw Error(where_ + ", " + path + ": " + fault);
            spec_.dims.push_back(std::move(dimension));
        }
    }

    /// The hint of the dimension that `j` names, and the name in `names`, which becomes parallel to the sizes.
    std::int64_t namedSize(const json& j, const std::string& path, std::size_t i, std::size_t count,
                           std::vector<std::string>& names) const {
        const auto name = j.get<std::string>();
        const NamedDimension* dimension = findDimension(spec_, name);
        if (!dimension) {
            std::string known;
            for (const auto& d : spec_.dims) known += (known.empty() ? "" : ", ") + d.name;
            throw Error(where_ + ", " + path + ": the dimension " + inQuotes(name) + " is not in 'dims'" +
                        (known.empty() ? "" : "; known dimensions are " + known));
        }
        names.resize(count);
        names[i] = name;
        return dimension->hint;
    }

    std::vector<std::int64_t> shape(const json& j, const std::string& path, std::vector<std::string>& names) const {
        requireArray(j, path);
        std::vector<std::int64_t> sizes;
        double elements = 1;
        for (std::size_t i = 0; i < j.size(); ++i) {
            const auto size =
                j[i].is_string() ? namedSize(j[i], at(path, i), i, j.size(), names) : integer(j[i], at(path, i));
            if (size < 0 || size > kLargestDimension) fail(at(path, i), "a size from 0 to 2^40", j[i]);
            elements *= static_cast<double>(std::max<std::int64_t>(size, 1));
            sizes.push_back(size);
        }
        if (elements > static_cast<double>(kLargestDimension)) fail(path, "a tensor of at most 2^40 elements", j);
        return sizes;
    }

    LeafSpec leaf(const json& j, const std::string& path) const {
        requireObject(j, path);
        requireKeys(j, path, {"shape", "dtype", "requires_grad", "device", "fill", "pattern", "file"});
        LeafSpec spec;
        const bool fromFile = j.contains("file");
        spec.shapeOfFile = fromFile && !j.contains("shape");
        spec.dtypeOfFile = fromFile && !j.contains("dtype");
        if (!spec.shapeOfFile) spec.shape = shape(member(j, "shape", path), under(path, "shape"), spec.dimNames);
        if (j.contains("dtype")) spec.dtype = dtype(j["dtype"], under(path, "dtype"));
        if (j.contains("requires_grad")) spec.requiresGrad = boolean(j["requires_grad"], under(path, "requires_grad"));
        if (j.contains("device")) spec.device = text(j["device"], under(path, "device"));
        spec.fill = fill(j, path);
        return spec;
    }

    Fill fill(const json& j, const std::string& path) const {
        if (j.contains("fill") + j.contains("pattern") + j.contains("file") > 1)
            fail(path, "only one of fill, pattern and file", j);
        if (j.contains("file")) return {Fill::File{text(j["file"], under(path, "file"))}};
        if (j.contains("pattern")) {
            const json& p = j["pattern"];
            const std::string where = under(path, "pattern");
            if (!p.is_array() || p.size() != 4) fail(where, "[mul, mod, off, scale]", p);
            Fill::Pattern pattern{number(p[0], at(where, 0)), number(p[1], at(where, 1)), number(p[2], at(where, 2)),
                                  number(p[3], at(where, 3))};
            if (pattern.mod < 1) fail(at(where, 1), "a modulus of at least 1", p[1]);
            return {pattern};
        }
        if (!j.contains("fill")) return {};
        const json& f = j["fill"];
        const std::string where = under(path, "fill");
        if (f.is_object()) {
            requireKeys(f, where, {"randint"});
            const json& range = member(f, "randint", where);
            if (!range.is_array() || range.size() != 2) fail(under(where, "randint"), "[low, high]", range);
            Fill::Randint bounds{integer(range[0], where), integer(range[1], where)};
            if (bounds.high <= bounds.low) fail(under(where, "randint"), "[low, high] with low < high", range);
            return {bounds};
        }
        if (f == "zeros") return {Fill::Plain::zeros};
        if (f == "ones") return {Fill::Plain::ones};
        if (f == "randn") return {Fill::Plain::randn};
        if (f == "rand") return {Fill::Plain::rand};
        fail(where, R"("zeros", "ones", "randn", "rand" or {"randint": [low, high]})", f);
    }

    ValueSpec value(const json& j, std::size_t index) const {
        const std::string path = at("values", index);
        requireObject(j, path);
        if (j.contains("leaf")) {
            requireKeys(j, path, {"leaf"});
            return leaf(j["leaf"], under(path, "leaf"));
        }
        requireKeys(j, path, {"op", "of", "args"});
        DerivedSpec derived;
        derived.op = text(member(j, "op", path), under(path, "op"));
        if (std::find(kDerivations.begin(), kDerivations.end(), derived.op) == kDerivations.end())
            fail(under(path, "op"),
                 "one of add_scalar, mul_scalar, view, view_dtype, select, slice, transpose, as_strided, expand, "
                 "detach, clone, channels_last, conj, imag",
                 j["op"]);
        const auto of = integer(member(j, "of", path), under(path, "of"));
        if (of < 0 || static_cast<std::size_t>(of) >= index)
            fail(under(path, "of"), "the index of an earlier value", j["of"]);
        derived.of = static_cast<std::size_t>(of);
        if (j.contains("args")) {
            requireArray(j["args"], under(path, "args"));
            for (std::size_t i = 0; i < j["args"].size(); ++i) {
                std::vector<std::string> names;
                derived.args.push_back(argument(j["args"][i], at(under(path, "args"), i), names));
                if (names.empty()) continue;
                derived.argNames.resize(j["args"].size());
                derived.argNames[i] = std::move(names);
            }
        }
        return derived;
    }

    DerivedArgument argument(const json& j, const std::string& path, std::vector<std::string>& names) const {
        if (j.is_number()) return j.get<double>();
        if (j.is_string()) return j.get<std::string>();
        requireArray(j, path);
        std::vector<std::int64_t> integers;
        for (std::size_t i = 0; i < j.size(); ++i)
            integers.push_back(j[i].is_string() ? namedSize(j[i], at(path, i), i, j.size(), names)
                                                : integer(j[i], at(path, i)));
        return integers;
    }

    InputItem item(const json& j, const std::string& path, std::size_t values) const {
        if (j.is_array()) {
            InputItem::List list;
            for (std::size_t i = 0; i < j.size(); ++i) list.push_back(item(j[i], at(path, i), values));
            return {list};
        }
        requireObject(j, path);
        if (j.size() == 1) {
            const std::string key = j.begin().key();
            const json& v = j.begin().value();
            if (key == "tensor") {
                const auto index = integer(v, under(path, key));
                if (index < 0 || static_cast<std::size_t>(index) >= values)
                    fail(under(path, key), "the index of a value", v);
                return {InputItem::TensorRef{static_cast<std::size_t>(index)}};
            }
            if (key == "int") return {integer(v, under(path, key))};
            if (key == "float") return {number(v, under(path, key))};
            if (key == "bool") return {boolean(v, under(path, key))};
            if (key == "none") return {InputItem::None{}};
        }
        InputItem::Dict dict;
        for (const auto& [key, v] : j.items()) {
            if (!v.is_object() && !v.is_array())
                fail(
                    path,
                    R"({"tensor": index}, {"int": n}, {"float": x}, {"bool": b}, {"none": true}, a list or a dict of these)",
                    j);
            dict.push_back({key, item(v, under(path, key), values)});
        }
        return {dict};
    }

    std::string where_;
    InputSpec spec_;
};

}  // namespace

InputSpec parseInputSpec(std::string_view text, const std::string& where) {
    json document;
    try {
        JsonBounds bounds;
        bounds.depth = kDeepestSpec;
        document = parseBounded(text, bounds);
    } catch (const Error& e) {
        throw Error(where + ": it " + e.what());
    } catch (const json::exception& e) {
        throw Error(where + ": it is not valid JSON (" +
                    std::string(e.what()).substr(std::string(e.what()).find("] ") + 2) + ")");
    }
    return InputSpecReader(where).read(document);
}

InputSpec readInputSpec(const std::filesystem::path& path) {
    constexpr std::uintmax_t limit = 64u << 20;
    return parseInputSpec(readInput(path, limit), "input spec '" + path.string() + "'");
}

}  // namespace aotscope
