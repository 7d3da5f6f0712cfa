#pragma once

#include "io/session/graph_table.h"
#include "support/enumerators.h"
#include "support/error.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Conversion of structs to JSON and back. Every struct lists its fields once, in `fields(io, value)`, for both
/// directions. Missing fields keep their defaults, unknown ones are skipped: new fields do not need a new schema.
namespace aotscope::session_format {

template <typename T, typename... U>
concept Is = (std::same_as<std::remove_const_t<T>, U> || ...);

/// The names of an enumeration in files, in its order. They must not change.
template <typename E>
inline constexpr auto kNamesOf = kEnumeratorNames<E>;
/// What the numbers in files of schema 1 mean.
template <typename E>
inline constexpr auto kNumbered = kEnumerators<E>;
/// Whether a struct is written as an array without field names, because there are thousands of them.
template <typename T>
inline constexpr bool kAsRow = false;
/// Structs that several pointers may share, by the name of their list.
template <typename T>
inline constexpr const char* kSharedIn = nullptr;

/// fields(io, v) for a struct whose members are written under their own names.
#define AOTSCOPE_FIELDS(Struct, ...)                 \
    template <typename Io, Is<Struct> T>             \
    void fields(Io& io, T& v) {                      \
        AOTSCOPE_REPEAT(AOTSCOPE_FIELD(__VA_ARGS__)) \
    }
#define AOTSCOPE_FIELD(member, ...) \
    io(#member, v.member);          \
    __VA_OPT__(AOTSCOPE_NEXT_FIELD AOTSCOPE_NOTHING()()(__VA_ARGS__))
#define AOTSCOPE_NEXT_FIELD() AOTSCOPE_FIELD
#define AOTSCOPE_NOTHING()
// A macro does not expand within itself: each of the 85 passes adds a member.
#define AOTSCOPE_REPEAT(...) AOTSCOPE_REPEAT64(AOTSCOPE_REPEAT64(AOTSCOPE_REPEAT64(AOTSCOPE_REPEAT64(__VA_ARGS__))))
#define AOTSCOPE_REPEAT64(...) AOTSCOPE_REPEAT16(AOTSCOPE_REPEAT16(AOTSCOPE_REPEAT16(AOTSCOPE_REPEAT16(__VA_ARGS__))))
#define AOTSCOPE_REPEAT16(...) AOTSCOPE_REPEAT4(AOTSCOPE_REPEAT4(AOTSCOPE_REPEAT4(AOTSCOPE_REPEAT4(__VA_ARGS__))))
#define AOTSCOPE_REPEAT4(...) __VA_ARGS__

[[noreturn]] inline void failAt(const char* what) {
    throw Error(std::string("it has no ") + what + " where one is expected");
}

template <typename T, template <typename...> typename Of>
inline constexpr bool kIsA = false;
template <template <typename...> typename Of, typename... Arguments>
inline constexpr bool kIsA<Of<Arguments...>, Of> = true;

/// Written once, in the table of graphs, and referred to by number.
template <typename T>
inline constexpr bool kInGraphs =
    std::is_same_v<T, std::shared_ptr<const Graph>> || std::is_same_v<T, std::shared_ptr<const SourceInfo>>;

/// Lists of shared structs.
using SharedLists = std::map<std::string, json>;

class Encoder {
public:
    Encoder(GraphEncoder& graphs, SharedLists& shared) : graphs_(graphs), shared_(shared) {}

    template <typename T>
    json operator()(const T& value) {
        if constexpr (std::is_enum_v<T>) return kNamesOf<T>.at(static_cast<std::size_t>(value));
        else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) return value;
        else if constexpr (std::is_same_v<T, std::filesystem::path>) return value.string();
        else if constexpr (std::is_same_v<T, TensorType>) return graphs_.add(ValueType{value});
        else if constexpr (kInGraphs<T>) return graphs_.add(value);
        else if constexpr (kIsA<T, std::shared_ptr>) return shared(value);
        else if constexpr (kIsA<T, std::optional>) return value ? (*this)(*value) : json();
        else if constexpr (kIsA<T, std::pair>) return json::array({(*this)(value.first), (*this)(value.second)});
        else if constexpr (kIsA<T, std::vector> || kIsA<T, std::set> || kIsA<T, std::map>) {
            json list = json::array();
            for (const auto& element : value) list.push_back((*this)(element));
            return list;
        } else return fieldsOf(value);
    }

private:
    template <typename T>
    json fieldsOf(const T& value) {
        json content = kAsRow<T> ? json::array() : json::object();
        auto io = [&]([[maybe_unused]] const char* key, const auto& field) {
            if constexpr (kAsRow<T>) content.push_back((*this)(field));
            else content[key] = (*this)(field);
        };
        fields(io, value);
        return content;
    }

    template <typename T>
    json shared(const std::shared_ptr<T>& value) {
        using Content = std::remove_const_t<T>;
        if (!value) return nullptr;
        if (const auto known = places_.find(value.get()); known != places_.end()) return known->second;
        json content = fieldsOf<Content>(*value);
        json& list = shared_[kSharedIn<Content>];
        places_[value.get()] = list.size();
        list.push_back(std::move(content));
        return list.size() - 1;
    }

    GraphEncoder& graphs_;
    SharedLists& shared_;
    std::map<const void*, std::size_t> places_;
};

class Decoder {
public:
    Decoder(const GraphDecoder& graphs, const json& shared) : graphs_(graphs), shared_(shared) {}

    template <typename T>
    void operator()(const json& from, T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            if (!from.is_boolean()) failAt("truth value");
            value = from.get<bool>();
        } else if constexpr (std::is_enum_v<T>)
            value = from.is_string() ? named<T>(from) : numbered<T>(integerIn(from));
        else if constexpr (std::is_same_v<T, std::uint64_t>) {
            if (!from.is_number_unsigned()) failAt("count");
            value = from.get<T>();
        } else if constexpr (std::is_integral_v<T>) {
            const auto number = integerIn(from);
            if (!std::in_range<T>(number)) failAt("number of this size");
            value = static_cast<T>(number);
        } else if constexpr (std::is_floating_point_v<T>) {
            if (!from.is_number()) failAt("number");
            value = from.get<T>();
        } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>)
            value = textIn(from);
        else if constexpr (std::is_same_v<T, TensorType>) value = graphs_.tensorType(from);
        else if constexpr (std::is_same_v<T, std::shared_ptr<const Graph>>) value = graphs_.graph(from);
        else if constexpr (std::is_same_v<T, std::shared_ptr<const SourceInfo>>) value = graphs_.source(from);
        else if constexpr (kIsA<T, std::shared_ptr>) shared(from, value);
        else if constexpr (kIsA<T, std::optional>) {
            value.reset();
            if (!from.is_null()) (*this)(from, value.emplace(typename T::value_type()));
        } else if constexpr (kIsA<T, std::pair>) {
            if (listIn(from).size() != 2) failAt("pair");
            (*this)(from[0], value.first);
            (*this)(from[1], value.second);
        } else if constexpr (kIsA<T, std::vector>) list(from, value);
        else if constexpr (kIsA<T, std::set>) {
            std::vector<typename T::value_type> elements;
            list(from, elements);
            value = T(elements.begin(), elements.end());
        } else if constexpr (kIsA<T, std::map>) {
            std::vector<std::pair<typename T::key_type, typename T::mapped_type>> elements;
            list(from, elements);
            value = T(elements.begin(), elements.end());
        } else fieldsOf(from, value);
    }

private:
    template <typename E>
    static E named(const json& from) {
        const auto found = std::ranges::find(kNamesOf<E>, from.get_ref<const std::string&>());
        if (found == kNamesOf<E>.end()) failAt("known name");
        return kEnumerators<E>.at(static_cast<std::size_t>(found - kNamesOf<E>.begin()));
    }
    template <typename E>
    static E numbered(std::int64_t number) {
        if (number < 0 || number >= std::ssize(kNumbered<E>)) failAt("known kind");
        return kNumbered<E>.at(static_cast<std::size_t>(number));
    }

    template <typename T>
    void list(const json& from, std::vector<T>& value) {
        value.clear();
        value.reserve(listIn(from).size());
        for (const json& element : from) {
            T one{};
            (*this)(element, one);
            value.push_back(std::move(one));
        }
    }

    template <typename T>
    void fieldsOf(const json& from, T& value) {
        std::size_t column = 0;
        if (kAsRow<T> ? !from.is_array() : !from.is_object()) failAt("entry");
        auto io = [&]([[maybe_unused]] const char* key, auto& field) {
            if constexpr (kAsRow<T>) {
                if (column < from.size()) (*this)(from[column++], field);
            } else if (const auto found = from.find(key); found != from.end()) (*this)(*found, field);
        };
        fields(io, value);
    }

    template <typename T>
    void shared(const json& from, std::shared_ptr<T>& value) {
        using Content = std::remove_const_t<T>;
        value.reset();
        if (from.is_null()) return;
        const auto list = shared_.find(kSharedIn<Content>);
        const auto index = integerIn(from);
        if (list == shared_.end() || index < 0 || static_cast<std::size_t>(index) >= listIn(*list).size())
            failAt("entry of a list");
        auto& known = made_[{kSharedIn<Content>, index}];
        if (!known) {
            auto content = std::make_shared<Content>();
            fieldsOf((*list)[static_cast<std::size_t>(index)], *content);
            known = content;
        }
        value = std::static_pointer_cast<const Content>(known);
    }

    const GraphDecoder& graphs_;
    const json& shared_;
    std::map<std::pair<std::string, std::int64_t>, std::shared_ptr<const void>> made_;
};

}  // namespace aotscope::session_format
