#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aotscope {

/// A value of a pickle as data: calls are recorded, not executed.
struct PickleValue {
    enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, tuple, dict, global, call, persistent };
    using Ref = const PickleValue*;

    Kind kind = Kind::none;
    std::int64_t integer = 0;  ///< integer and boolean
    double real = 0;
    std::string text;                          ///< text; "module.name" of a global
    std::vector<Ref> items;                    ///< list, tuple; arguments of a call; the id of a persistent value
    std::vector<std::pair<Ref, Ref>> entries;  ///< dict; also items set on the result of a call
    std::vector<Ref> appended;                 ///< call: elements appended to its result
    Ref function = nullptr;                    ///< call
    Ref state = nullptr;                       ///< call: the state set on its result, or null
    bool creates = false;                      ///< call: creates an object of class `function` without __init__

    bool is(Kind k) const { return kind == k; }
    /// Whether this is a call of the global `name`.
    bool calls(std::string_view name) const {
        return kind == Kind::call && function->kind == Kind::global && function->text == name;
    }
};

/// Reads the pickles that torch.save and torch::jit::pickle_save write (protocols 2 to 4). Values may be shared and
/// cyclic; code that traverses them must limit the depth.
class PickleDocument {
public:
    /// Throws Error (a clause without the file's name) for anything else.
    explicit PickleDocument(std::string_view bytes);

    const PickleValue& root() const { return *root_; }

private:
    std::deque<PickleValue> values_;
    const PickleValue* root_ = nullptr;
};

}  // namespace aotscope
