#pragma once

#include "program/program.h"

#include <vector>

namespace aotscope {

/// `values` converted to what the model declares: a list for a tuple, a dict of its types, a float for an integer.
/// Throws Error naming the input that does not fit.
std::vector<c10::IValue> asDeclared(std::vector<c10::IValue> values, const std::vector<InputDeclaration>& declared);

/// `key` as dicts of LibTorch can hold it: tuples and None, which they cannot, as Python shows them, "(0, 'a')".
c10::IValue dictKey(const c10::IValue& key);

/// The key of a dict as an input spec has it; asDeclared() reads it.
std::string dictKeyText(const c10::IValue& key);

}  // namespace aotscope
