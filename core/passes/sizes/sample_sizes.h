#pragma once

#include "ir/symbolic.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// The distance between the sizes of a symbol that are in use, starting from its hint.
using SizeSteps = std::map<std::string, std::int64_t>;

/// How far an unbounded size is explored.
std::int64_t farFrom(std::int64_t hint);

/// Sizes within the ranges of `symbols` that distinguish expressions, starting with `hints`: neighbours, which have
/// every remainder of small divisors, distinguish roundings; the others are enough for polynomials of degree two, and
/// two more to confirm them. Symbols not listed keep their hints.
std::vector<SymbolValues> distinguishingSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                              const SymbolValues& hints);

/// Sizes next to `hints`, all of them moved at the same time: the remainders of small divisors, by few samples.
std::vector<SymbolValues> neighbouringSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                            const SymbolValues& hints);

/// Sizes that have nothing in common with each other nor with the hints: a program that does the same there cannot
/// depend on a remainder of one, or on equality of two. Unbounded symbols are far from their hints. Nothing if the
/// ranges are too small.
std::optional<SymbolValues> unrelatedSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                           const SymbolValues& hints);

/// The same, but where a range is too small, any size except the hint; nothing if there is none.
std::optional<SymbolValues> differentSizes(const std::vector<Symbol>& symbols, const SizeSteps& steps,
                                           const SymbolValues& hints);

}  // namespace aotscope
