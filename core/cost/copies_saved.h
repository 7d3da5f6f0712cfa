#pragma once

#include "record/compile_record.h"

#include <string>

namespace aotscope {

/// The copies among the saved values that nobody writes into (ops/unneeded_copies.h), with their bytes, and the option
/// that drops them: one sentence. Empty if they are small, or there are none.
std::string copiesSaved(const CompileRecord& record);

/// Adds what there is to say of copies (copiesSaved, copyAtPeak) to the warnings of a record.
void warnOfCopies(CompileRecord& record);

}  // namespace aotscope
