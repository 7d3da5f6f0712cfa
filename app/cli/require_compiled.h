#pragma once

#include "record/compile_record.h"
#include "support/error.h"

namespace aotscope {

/// Throws the error that stopped the pipeline, if one did.
inline void requireCompiled(const CompileRecord& record) {
    if (!record.error.empty()) throw Error(record.error);
}

}  // namespace aotscope
