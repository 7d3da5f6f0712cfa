#include "load/pickle/pickle_tags.h"

#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>
#include <utility>

namespace aotscope {

namespace {

using PickledKind = PickledValue::Kind;

constexpr std::uint64_t kMostComparisons = 50'000'000;

bool isOneOf(PickledKind kind, std::initializer_list<PickledKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Types without arguments whose values always have the same kind.
constexpr std::array<std::pair<std::string_view, PickledKind>, 11> kPlain = {{{"int", PickledKind::integer},
                                                                              {"float", PickledKind::real},
                                                                              {"bool", PickledKind::boolean},
                                                                              {"complex", PickledKind::complex},
                                                                              {"str", PickledKind::text},
                                                                              {"Tensor", PickledKind::tensor},
                                                                              {"Device", PickledKind::device},
                                                                              {"torch.device", PickledKind::device},
                                                                              {"None", PickledKind::none},
                                                                              {"NoneType", PickledKind::none},
                                                                              {"Layout", PickledKind::integer}}};

}  // namespace

const TypeText& PickleTags::parsed(std::string_view text) {
    const auto known = types_.find(text);
    return known != types_.end() ? known->second : types_.emplace(text, parseTypeText(text)).first->second;
}

void PickleTags::tag(PickledValue::Index container, std::string_view text) {
    const TypeText& type = parsed(text);
    const PickledKind kind = values_[container].kind;
    const bool isList = kind == PickledKind::list && type.name == "List" && type.arguments.size() == 1;
    const bool isDict = kind == PickledKind::dict && type.name == "Dict" && type.arguments.size() == 2;
    if ((!isList && !isDict) || !values_[container].text.empty())
        throw Error("gives a value the type " + inQuotes(text) + ", which it cannot have");
    const auto& items = values_[container].items;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!fits(items[i], type.arguments[isDict ? i % 2 : 0]))
            throw Error("holds a value that is not of type " + shortened(type.arguments[isDict ? i % 2 : 0].text));
    values_[container].text = text;
}

bool PickleTags::fits(PickledValue::Index index, const TypeText& type) {
    if (++comparisons_ > kMostComparisons) throw Error("gives types to too many values");
    const PickledValue& value = values_[index];
    for (const auto& [name, kind] : kPlain)
        if (type.name == name) return value.kind == kind;
    if (type.name == "Any") return true;
    if (type.name == "number" || type.name == "Scalar")
        return isOneOf(value.kind,
                       {PickledKind::integer, PickledKind::real, PickledKind::complex, PickledKind::boolean});
    if (type.name == "Optional" && value.kind == PickledKind::none) return true;
    if (type.name == "Optional" || type.name == "Union")
        return std::any_of(type.arguments.begin(), type.arguments.end(),
                           [&](const TypeText& choice) { return fits(index, choice); });
    if (type.name == "List" || type.name == "Dict")
        return isOneOf(value.kind, {PickledKind::list, PickledKind::dict}) && value.text == type.text;
    if (type.name == "Tuple") {
        if (value.kind != PickledKind::tuple || value.items.size() != type.arguments.size()) return false;
        for (std::size_t i = 0; i < value.items.size(); ++i)
            if (!fits(value.items[i], type.arguments[i])) return false;
        return true;
    }
    // A class, an enumeration, or a named tuple, of which the pickle only has the values.
    return type.name.starts_with("__torch__.") &&
           isOneOf(value.kind, {PickledKind::object, PickledKind::enumeration, PickledKind::tuple});
}

}  // namespace aotscope
