#pragma once

#include "support/error.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What an operator can do besides computing.
enum class OperatorKind : std::uint8_t {
    // harmless: always allowed
    computes,  ///< only reads and writes its arguments
    random,    ///< draws random numbers, or seeds the process's generators
    prints,    ///< writes text to the terminal
    // may be allowed by the user, individually
    readsFiles,
    writesFiles,  ///< also by writing to a tensor whose memory is a file
    loadsCode,    ///< compiles or loads native code from the file
    network,
    collectives,  ///< exchanges tensors with other ranks
    rawMemory,    ///< creates tensors from unchecked addresses, sizes or types, or reveals addresses
    runsAtLoad,   ///< in __setstate__, which LibTorch runs while it loads a file: anything beyond creating tensors
    // never allowed
    internal  ///< only for programs created by aotscope or LibTorch itself
};

/// A set of kinds.
class OperatorKinds {
public:
    OperatorKinds() = default;
    OperatorKinds(std::initializer_list<OperatorKind> kinds) {
        for (const OperatorKind kind : kinds) add(kind);
    }
    void add(OperatorKind kind) { bits_ |= bit(kind); }
    bool contains(OperatorKind kind) const { return (bits_ & bit(kind)) != 0; }
    bool empty() const { return bits_ == 0; }
    bool operator==(const OperatorKinds&) const = default;

private:
    static std::uint32_t bit(OperatorKind kind) { return std::uint32_t{1} << static_cast<std::uint32_t>(kind); }
    std::uint32_t bits_ = 0;
};

/// A kind that --allow accepts.
struct AllowableKind {
    OperatorKind kind;
    std::string_view name;  ///< "reads-files"
    std::string_view does;  ///< completes "an operator that": "reads files"
    std::string_view help;  ///< for --help and the question in the window
};
const std::array<AllowableKind, 7>& allowableKinds();

/// The kind called `name`, if it exists.
std::optional<OperatorKind> allowableKind(std::string_view name);

/// A file calls operators that the user has not allowed. No part of it has run.
class OperatorsRefused : public Error {
public:
    OperatorsRefused(const std::string& what, OperatorKinds needed, std::vector<std::string> refused)
        : Error(what), kinds(needed), operators(std::move(refused)) {}
    OperatorKinds kinds;                 ///< the kinds to allow; empty: it cannot be allowed
    std::vector<std::string> operators;  ///< the first one of each kind, "aten::from_file"
};

}  // namespace aotscope
