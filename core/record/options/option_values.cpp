#include "record/options/option_values.h"

#include "support/enumerators.h"
#include "support/error.h"
#include "support/joined.h"
#include "support/names.h"
#include "support/token_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>

namespace aotscope {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// --- the choices on the command line; a run may be of other kinds ----

std::vector<ModuleMode> choices(const ModuleMode*) {
    return {ModuleMode::asSaved, ModuleMode::train, ModuleMode::eval};
}
std::vector<PartitionAlgorithm> choices(const PartitionAlgorithm*) {
    return {PartitionAlgorithm::defaultPartition, PartitionAlgorithm::minCut, PartitionAlgorithm::planned};
}

template <typename T>
concept Choice = std::is_enum_v<T>;

template <Choice E>
const auto& choices(const E*) {
    return kEnumerators<E>;
}

// --- from text ---

std::string given(const OptionEntry& entry, const std::string& text) { return std::string(entry.name()) + " " + text; }

std::string shortNumber(double value) {
    std::ostringstream text;
    text.precision(12);
    text << value;
    return text.str();
}

[[noreturn]] void refuseNumber(const OptionEntry& entry, const std::string& text, const char* what) {
    const bool bounded = entry.most <= 1e12;
    throw UsageError(given(entry, text) + ": expected " + what +
                     (bounded ? " from " + shortNumber(entry.least) + " to " + shortNumber(entry.most) : ""));
}

/// Assigns `values` to their member. The command line never passes an empty list.
struct FromText {
    const OptionEntry& entry;
    const std::vector<std::string>& values;

    void operator()(bool* field) const { *field = values.back() != "false" && values.back() != "off"; }
    void operator()(std::uint64_t* field) const {
        const auto number = asNumber<std::uint64_t>(values.back());
        if (!number || static_cast<double>(*number) < entry.least || static_cast<double>(*number) > entry.most)
            refuseNumber(entry, values.back(), "a whole number");
        *field = *number;
    }
    void operator()(double* field) const { *field = parseNumber(entry, values.back()); }
    void operator()(std::string* field) const { *field = values.back(); }
    void operator()(fs::path* field) const { *field = values.back(); }
    void operator()(std::vector<std::string>* field) const { *field = values; }
    void operator()(std::vector<fs::path>* field) const { field->assign(values.begin(), values.end()); }
    void operator()(std::vector<DynamicRange>* field) const {
        field->clear();
        for (const std::string& text : values) field->push_back(parseDynamicRange(text));
    }
    void operator()(std::vector<SymbolValues>* field) const {
        field->clear();
        for (const std::string& text : values) field->push_back(parseSizes(text));
    }
    void operator()(Choice auto* field) const {
        for (const auto choice : choices(field))
            if (name(choice) == values.back()) {
                *field = choice;
                return;
            }
        throw UsageError(given(entry, values.back()) + ": expected one of " + quotedNames(optionChoices(entry)));
    }
    void operator()(auto*) const { check(false, "an option of this type is set by a function of its own"); }
};

// --- to JSON ---

struct ToJson {
    json operator()(const fs::path* field) const { return field->string(); }
    json operator()(const std::vector<fs::path>* field) const {
        json list = json::array();
        for (const fs::path& path : *field) list.push_back(path.string());
        return list;
    }
    json operator()(const std::vector<DynamicRange>* field) const {
        json list = json::array();
        for (const DynamicRange& range : *field)
            list.push_back({{"name", range.name},
                            {"min", range.min},
                            {"max", range.max == Symbol::kNoMax ? json() : json(range.max)}});
        return list;
    }
    json operator()(const Choice auto* field) const { return name(*field); }
    json operator()(const auto* field) const { return *field; }
};

// --- to a line of text ---

std::string rangeText(const DynamicRange& range) {
    if (range.isAll()) return range.name;
    return range.name + "=" + std::to_string(range.min) + ".." +
           (range.max == Symbol::kNoMax ? "" : std::to_string(range.max));
}

std::string sizesText(const SymbolValues& sizes) {
    std::string text;
    for (const auto& [name, size] : sizes) text += (text.empty() ? "" : ",") + name + "=" + std::to_string(size);
    return text;
}

struct ToText {
    std::string operator()(const bool* field) const { return *field ? "on" : "off"; }
    std::string operator()(const std::uint64_t* field) const { return std::to_string(*field); }
    std::string operator()(const double* field) const { return shortNumber(*field); }
    std::string operator()(const std::string* field) const { return *field; }
    std::string operator()(const fs::path* field) const { return field->string(); }
    std::string operator()(const std::vector<std::string>* field) const { return joined(*field, " "); }
    std::string operator()(const std::vector<fs::path>* field) const {
        return joined(*field, " ", [](const fs::path& path) { return path.string(); });
    }
    std::string operator()(const std::map<std::string, std::string>* field) const {
        return joined(*field, " ", [](const auto& pair) { return pair.first + "=" + pair.second; });
    }
    std::string operator()(const std::vector<DynamicRange>* field) const { return joined(*field, " ", rangeText); }
    std::string operator()(const std::vector<SymbolValues>* field) const { return joined(*field, " ", sizesText); }
    std::string operator()(const std::set<NodeId>* field) const {
        return joined(*field, " ", [](NodeId node) { return std::to_string(node); });
    }
    std::string operator()(const Choice auto* field) const { return std::string(name(*field)); }
};

/// Of an option without a member: names, or a list of them.
std::string textOf(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) return joined(value, " ", textOf);
    return value.is_null() ? std::string() : value.dump();
}

/// The member itself, regardless of `get`.
json fieldJson(const OptionEntry& entry, const Options& options) {
    Options copy = options;
    return std::visit([](const auto* field) { return ToJson{}(field); }, entry.field(copy));
}

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr Unit kUnits[] = {{"", 1},
                           {"B", 1},
                           {"kB", 1e3},
                           {"MB", 1e6},
                           {"GB", 1e9},
                           {"TB", 1e12},
                           {"KiB", 1024},
                           {"MiB", 1024 * 1024},
                           {"GiB", 1024.0 * 1024 * 1024}};

}  // namespace

void setOption(const OptionEntry& entry, Options& options, const std::vector<std::string>& values) {
    if (entry.set) entry.set(options, values);
    else std::visit(FromText{entry, values}, entry.field(options));
}

json optionJson(const OptionEntry& entry, const Options& options) {
    return entry.get ? entry.get(options) : fieldJson(entry, options);
}

json optionsJson(const Options& options) {
    json report = json::object();
    for (const OptionEntry& entry : optionTable()) {
        const json value = entry.report.empty() ? json() : optionJson(entry, options);
        std::istringstream keys{std::string(entry.report)};
        for (std::string key; keys >> key;) {
            if (value.is_null()) continue;
            std::ranges::replace(key, '.', '/');
            report[json::json_pointer("/" + key)] = value;
        }
    }
    return report;
}

std::vector<std::string> optionChoices(const OptionEntry& entry) {
    std::vector<std::string> names;
    if (!entry.field) return names;
    Options options;
    const auto addNames = [&]<typename T>(const T* field) {
        if constexpr (Choice<T>)
            for (const T choice : choices(field)) names.emplace_back(name(choice));
    };
    std::visit(addNames, entry.field(options));
    return names;
}

std::string optionDefault(const OptionEntry& entry) {
    const Options options;
    const json value = entry.field ? fieldJson(entry, options) : entry.get ? entry.get(options) : json();
    if (value.is_number()) return shortNumber(value.get<double>());
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string optionText(const OptionEntry& entry, const Options& options) {
    if (!entry.field) return textOf(entry.get(options));
    Options copy = options;
    return std::visit([](const auto* field) { return ToText{}(field); }, entry.field(copy));
}

void setOptionText(const OptionEntry& entry, Options& options, const std::string& text) {
    std::istringstream line(text);
    const std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
    if (words.empty()) return setDefault(entry, options);
    if (entry.values == OptionValues::one) setOption(entry, options, {text});
    else setOption(entry, options, words);
}

bool isDefault(const OptionEntry& entry, const Options& options) {
    return optionText(entry, options) == optionText(entry, Options());
}

void setDefault(const OptionEntry& entry, Options& options) {
    Options plain;
    if (!entry.field) return entry.set(options, {optionText(entry, plain)});
    const auto standard = entry.field(plain);
    std::visit([&]<typename T>(T* field) { *field = *std::get<T*>(standard); }, entry.field(options));
}

std::vector<const OptionEntry*> differingOptions(const Options& a, const Options& b) {
    const auto differs = [&](const OptionEntry& entry) {
        // What an option says may be the same for different choices: "as forward", and the name of that compiler.
        const bool says = entry.get && entry.get(a) != entry.get(b);
        return says || (entry.field && optionText(entry, a) != optionText(entry, b));
    };
    std::vector<const OptionEntry*> differing;
    for (const OptionEntry& entry : optionTable())
        if (differs(entry)) differing.push_back(&entry);
    return differing;
}

double parseNumber(const OptionEntry& entry, const std::string& text) {
    const auto number = asNumber<double>(text);
    if (!number || !(*number >= entry.least && *number <= entry.most)) refuseNumber(entry, text, "a number");
    return *number;
}

DynamicRange parseDynamicRange(const std::string& text) {
    DynamicRange range;
    const auto equals = text.find('='), dots = text.find("..", equals == std::string::npos ? text.size() : equals);
    range.name = text.substr(0, equals);
    const auto fail = [&] {
        throw UsageError("--dynamic " + text + ": expected NAME=MIN..MAX, for example batch=2..64");
    };
    if (range.name.empty() || (equals != std::string::npos && dots == std::string::npos)) fail();
    if (equals == std::string::npos) return range;
    if (range.isAll())
        throw UsageError("--dynamic " + text +
                         ": 'all' takes no range; give one by name as well, for example --dynamic x.0=2..64");
    const auto min = asNumber<std::int64_t>(std::string_view(text).substr(equals + 1, dots - equals - 1));
    const std::string_view end = std::string_view(text).substr(dots + 2);
    const auto max = end.empty() ? std::optional(Symbol::kNoMax) : asNumber<std::int64_t>(end);
    if (!min || !max || *min < 0 || *max < *min) fail();
    range.min = *min;
    range.max = *max;
    return range;
}

std::int64_t parseMemory(const std::string& text, const std::string& option, std::int64_t least) {
    constexpr double most = 1e15;
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    const Unit* known = std::ranges::find(kUnits, unit, &Unit::name);
    if (failure != std::errc{} || known == std::end(kUnits) || !(number * known->bytes >= static_cast<double>(least)) ||
        number * known->bytes > most)
        throw UsageError(option + " " + text + ": expected a size " +
                         (least > 1 ? "of at least " + std::to_string(least / 1'000'000) + " MB " : std::string()) +
                         "in kB, MB, GB, TB, KiB, MiB or GiB, for example 2GB");
    return static_cast<std::int64_t>(number * known->bytes);
}

SymbolValues parseSizes(const std::string& text) {
    const auto fail = [&] {
        throw UsageError("--at " + text + ": expected NAME=SIZE[,NAME=SIZE...], for example batch=4,length=7");
    };
    SymbolValues sizes;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto equals = part.find('=');
        const auto value = equals == std::string::npos
                               ? std::nullopt
                               : asNumber<std::int64_t>(std::string_view(part).substr(equals + 1));
        if (equals == 0 || !value || *value < 0) fail();
        if (!sizes.emplace(part.substr(0, equals), *value).second)
            throw UsageError("--at " + text + ": two sizes for '" + part.substr(0, equals) + "'; give one");
    }
    if (sizes.empty()) fail();
    return sizes;
}

}  // namespace aotscope
