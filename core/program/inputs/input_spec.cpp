#include "program/inputs/input_spec.h"

#include "support/enumerators.h"
#include "support/error.h"
#include "support/file.h"
#include "support/joined.h"
#include "support/json/bounded_json.h"
#include "support/json/json_value.h"
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

class InputSpecReader {
public:
    InputSpec read(const JsonValue& document) {
        if (document.isList()) {
            document.forEachElement([&](const JsonValue& given) {
                spec_.inputs.push_back({InputItem::TensorRef{spec_.values.size()}});
                spec_.values.emplace_back(leaf(given));
            });
            return std::move(spec_);
        }
        if (!document.isObject()) document.fail("a list of leaves or an object with 'values' and 'inputs'");
        document.requireKeys({"values", "inputs", "dims"}, kInformative);
        if (const auto dims = document.find("dims")) readDimensions(*dims);
        document["values"].forEachElement([&](const JsonValue& given) { spec_.values.push_back(value(given)); });
        document["inputs"].forEachElement([&](const JsonValue& given) { spec_.inputs.push_back(item(given)); });
        return std::move(spec_);
    }

private:
    static DType dtype(const JsonValue& given) {
        const auto known = dtypeFromName(given.text());
        if (!known) given.fail("a dtype such as float32 or int64");
        return *known;
    }

    void readDimensions(const JsonValue& dims) {
        dims.forEachMember([&](const std::string& name, const JsonValue& given) {
            NamedDimension dimension;
            dimension.name = name;
            if (given.isObject()) {
                given.requireKeys({"hint", "min", "max"});
                dimension.hint = given["hint"].integer();
                if (const auto min = given.find("min")) dimension.min = min->integer();
                if (const auto max = given.find("max")) dimension.max = max->integer();
            } else {
                dimension.hint = given.integer();
            }
            if (const std::string fault = faultOf(dimension); !fault.empty()) given.refuse(fault);
            spec_.dims.push_back(std::move(dimension));
        });
    }

    /// The hint of the dimension that `given` names; puts the name into `names`, which becomes parallel to the sizes.
    std::int64_t namedSize(const JsonValue& given, std::size_t i, std::size_t count,
                           std::vector<std::string>& names) const {
        const NamedDimension* dimension = findDimension(spec_, given.text());
        if (!dimension) {
            const std::string known = joined(spec_.dims, ", ", &NamedDimension::name);
            given.refuse("the dimension " + inQuotes(given.text()) + " is not in 'dims'" +
                         (known.empty() ? "" : "; known dimensions are " + known));
        }
        names.resize(count);
        names[i] = given.text();
        return dimension->hint;
    }

    /// A list of numbers or of names of dimensions.
    std::vector<std::int64_t> sizes(const JsonValue& list, std::vector<std::string>& names) const {
        std::vector<std::int64_t> sizes;
        list.forEachElement([&](const JsonValue& given) {
            sizes.push_back(given.isText() ? namedSize(given, sizes.size(), list.size(), names) : given.integer());
        });
        return sizes;
    }

    std::vector<std::int64_t> shape(const JsonValue& given, std::vector<std::string>& names) const {
        std::vector<std::int64_t> shape = sizes(given, names);
        double elements = 1;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i] < 0 || shape[i] > kLargestDimension) given[i].fail("a size from 0 to 2^40");
            elements *= static_cast<double>(std::max<std::int64_t>(shape[i], 1));
        }
        if (elements > static_cast<double>(kLargestDimension)) given.fail("a tensor of at most 2^40 elements");
        return shape;
    }

    LeafSpec leaf(const JsonValue& given) const {
        if (!given.isObject()) given.fail("an object");
        given.requireKeys({"shape", "dtype", "requires_grad", "device", "fill", "pattern", "file"});
        LeafSpec spec;
        const bool fromFile = given.find("file").has_value();
        const auto dtypeGiven = given.find("dtype");
        spec.shapeOfFile = fromFile && !given.find("shape");
        spec.dtypeOfFile = fromFile && !dtypeGiven;
        if (!spec.shapeOfFile) spec.shape = shape(given["shape"], spec.dimNames);
        if (dtypeGiven) spec.dtype = dtype(*dtypeGiven);
        if (const auto gradient = given.find("requires_grad")) spec.requiresGrad = gradient->boolean();
        if (const auto device = given.find("device")) spec.device = device->text();
        spec.fill = fill(given);
        return spec;
    }

    static Fill fill(const JsonValue& given) {
        const auto file = given.find("file"), pattern = given.find("pattern"), fill = given.find("fill");
        if (file.has_value() + pattern.has_value() + fill.has_value() > 1)
            given.fail("only one of fill, pattern and file");
        if (file) return {Fill::File{file->text()}};
        if (pattern) return patterned(*pattern);
        return fill ? filled(*fill) : Fill{};
    }

    static Fill patterned(const JsonValue& given) {
        if (!given.isList() || given.size() != 4) given.fail("[mul, mod, off, scale]");
        const Fill::Pattern pattern{given[0].number(), given[1].number(), given[2].number(), given[3].number()};
        if (pattern.mod < 1) given[1].fail("a modulus of at least 1");
        return {pattern};
    }

    static Fill filled(const JsonValue& given) {
        if (given.isObject()) {
            given.requireKeys({"randint"});
            const JsonValue range = given["randint"];
            if (!range.isList() || range.size() != 2) range.fail("[low, high]");
            const Fill::Randint bounds{range[0].integer(), range[1].integer()};
            if (bounds.high <= bounds.low) range.fail("[low, high] with low < high");
            return {bounds};
        }
        if (const auto plain = given.isText() ? enumeratorSpelled<Fill::Plain>(given.text()) : std::nullopt)
            return {*plain};
        given.fail(R"("zeros", "ones", "randn", "rand" or {"randint": [low, high]})");
    }

    ValueSpec value(const JsonValue& given) const {
        if (!given.isObject()) given.fail("an object");
        if (const auto described = given.find("leaf")) {
            given.requireKeys({"leaf"});
            return leaf(*described);
        }
        given.requireKeys({"op", "of", "args"});
        DerivedSpec derived;
        derived.op = given["op"].text();
        if (std::ranges::find(kDerivations, derived.op) == kDerivations.end())
            given["op"].fail("one of " + joined(kDerivations, ", "));
        derived.of = index(given["of"], "the index of an earlier value");
        if (const auto args = given.find("args"))
            args->forEachElement([&](const JsonValue& element) {
                std::vector<std::string> names;
                derived.args.push_back(argument(element, names));
                if (names.empty()) return;
                derived.argNames.resize(args->size());
                derived.argNames[derived.args.size() - 1] = std::move(names);
            });
        return derived;
    }

    /// The index of one of the values read so far.
    std::size_t index(const JsonValue& given, const char* expected) const {
        const auto index = given.integer();
        if (index < 0 || static_cast<std::size_t>(index) >= spec_.values.size()) given.fail(expected);
        return static_cast<std::size_t>(index);
    }

    DerivedArgument argument(const JsonValue& given, std::vector<std::string>& names) const {
        if (given.isNumber()) return given.number();
        if (given.isText()) return given.text();
        return sizes(given, names);
    }

    InputItem item(const JsonValue& given) const {
        if (given.isList()) {
            InputItem::List list;
            given.forEachElement([&](const JsonValue& element) { list.push_back(item(element)); });
            return {list};
        }
        if (!given.isObject()) given.fail("an object");
        if (given.size() == 1) {
            const auto [key, v] = given.alternative();
            if (key == "tensor") return {InputItem::TensorRef{index(v, "the index of a value")}};
            if (key == "int") return {v.integer()};
            if (key == "float") return {v.number()};
            if (key == "bool") return {v.boolean()};
            if (key == "none") return {InputItem::None{}};
        }
        InputItem::Dict dict;
        given.forEachMember([&](const std::string& key, const JsonValue& v) {
            if (!v.isObject() && !v.isList())
                given.fail(
                    R"({"tensor": index}, {"int": n}, {"float": x}, {"bool": b}, {"none": true}, a list or a dict of these)");
            dict.push_back({key, item(v)});
        });
        return {dict};
    }

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
        throw Error(where + ": it is not valid JSON (" + invalidJson(e) + ")");
    }
    return InputSpecReader().read(JsonValue(document, where + ","));
}

InputSpec readInputSpec(const std::filesystem::path& path) {
    constexpr std::uintmax_t limit = 64u << 20;
    return parseInputSpec(readInput(path, limit), "input spec '" + path.string() + "'");
}

}  // namespace aotscope
