#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace aotscope {

/// A value that LibTorch's unpickler would create, with the properties needed for the checks. Texts refer to the
/// pickle.
struct PickledValue {
    enum class Kind : std::uint8_t {
        none,
        boolean,
        integer,
        real,
        complex,
        text,
        list,
        tuple,
        dict,
        function,     ///< a callable global
        unbuilt,      ///< an object whose state has not been set yet
        storageType,  ///< LibTorch uses plain integers for this and the next one
        quantizerScheme,
        storage,
        tensor,
        device,
        object,
        enumeration
    };
    /// Index of a value among all values of its pickle.
    using Index = std::uint32_t;

    Kind kind = Kind::none;
    bool held = false;         ///< contained in another value: it can no longer change
    std::int8_t dtype = 0;     ///< storageType, storage, tensor: a c10::ScalarType
    std::uint16_t depth = 1;   ///< nesting of its contents
    std::uint32_t weight = 1;  ///< number of contained values; shared ones count for each path
    std::int64_t number = 0;   ///< boolean, integer; function: which; storage: bytes; quantizerScheme
    double real = 0;
    std::string_view text;     ///< text; module of a global; declared type of a list or dict
    std::string_view name;     ///< for globals
    std::vector<Index> items;  ///< list, tuple; keys and values of a dict; sizes of a tensor
};

/// The values of one pickle. They are acyclic: contained values no longer change.
class PickledValues {
public:
    using Index = PickledValue::Index;
    using Kind = PickledValue::Kind;

    const PickledValue& operator[](Index i) const { return values_[i]; }
    PickledValue& operator[](Index i) { return values_[i]; }
    std::size_t size() const { return values_.size(); }

    /// Throws Error (a clause) if there are too many.
    Index add(PickledValue value);
    /// Adds `item` to `container`; throws Error if that nests too deeply or `item` cannot be an element.
    void hold(Index container, Index item);

private:
    std::vector<PickledValue> values_;
};

}  // namespace aotscope
