#pragma once

#include "program/program.h"

#include <vector>

namespace aotscope {

/// `values` converted to the model's declared types: a list to a tuple, an untyped dict to a typed one, an integer to a
/// float. Throws Error naming an input that does not match.
std::vector<c10::IValue> asDeclared(std::vector<c10::IValue> values, const std::vector<InputDeclaration>& declared);

/// `key` in a form that LibTorch's dicts support: tuples and None become Python's text for them, "(0, 'a')".
c10::IValue dictKey(const c10::IValue& key);

/// The key of a dict in an input spec; asDeclared() reads it.
std::string dictKeyText(const c10::IValue& key);

}  // namespace aotscope
