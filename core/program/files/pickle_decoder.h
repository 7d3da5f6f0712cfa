#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aotscope {

/// Each value takes about a hundred bytes, here and in LibTorch, but only one byte in the file.
constexpr std::size_t kMostPickleValues = 1'000'000;

/// The opcodes that a pickle may use.
enum class PickleDialect : std::uint8_t {
    python,       ///< what torch.save and torch::jit::pickle_save write: protocols 2 to 4
    torchScript,  ///< what the pickler of torch::jit.save writes: a subset of protocol 2
};

/// Creates the values of a pickle. Values are numbers assigned by the visitor. Any function may throw Error (a clause
/// that continues "the pickle").
class PickleVisitor {
public:
    using Value = std::uint32_t;
    using Values = std::span<const Value>;

    virtual ~PickleVisitor() = default;

    virtual Value none() = 0;
    virtual Value boolean(bool value) = 0;
    virtual Value integer(std::int64_t value) = 0;
    virtual Value real(double value) = 0;
    virtual Value text(std::string_view value) = 0;

    virtual Value list(Values elements) = 0;
    virtual Value tuple(Values elements) = 0;
    virtual Value dict() = 0;
    virtual void append(Value list, Values elements) = 0;
    /// `items` are keys, each followed by its value.
    virtual void setItems(Value dict, Values items) = 0;

    virtual Value global(std::string_view module, std::string_view name) = 0;
    virtual Value call(Value function, Value arguments) = 0;
    virtual Value newObject(Value type, Value arguments) = 0;
    /// Sets the state of `object`; returns the value that replaces it.
    virtual Value build(Value object, Value state) = 0;
    /// The value behind a persistent id.
    virtual Value persistent(Value id) = 0;

    /// The contents of a string; empty for any other value.
    virtual std::string_view textOf(Value value) const = 0;

    /// Called now and then: so many bytes of the pickle have been read. Long pickles can be cancelled here.
    virtual void reached(std::size_t /*offset*/) {}
};

/// Whether the file that begins so is a pickle of one of these protocols.
constexpr bool looksLikePickle(std::string_view beginning) {
    return beginning.size() > 2 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
}

/// Executes `pickle`, with `visitor` creating the values, and returns the last one. All pickles are decoded here. Time
/// and memory are bounded by the size of the pickle. Throws Error (a clause that continues "the pickle") for opcodes of
/// another dialect, and if operands are missing from the stack or the memo.
PickleVisitor::Value decodePickle(std::string_view pickle, PickleDialect dialect, PickleVisitor& visitor);

}  // namespace aotscope
