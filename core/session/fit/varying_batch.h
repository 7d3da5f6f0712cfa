#pragma once

#include "ir/symbolic.h"
#include "support/progress.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

class Engine;
class Session;

/// A session whose batch is dynamic.
struct VaryingBatch {
    std::shared_ptr<const Session> session;
    std::vector<Symbol> sizes;  ///< of the session's record; empty: the batch cannot vary
    std::string note;           ///< why not, as a sentence
};

/// Compiles the model of `session` again with a dynamic batch, unless it is dynamic. `name`: of the size that is the
/// batch, as for --dynamic; empty: the first dimension that all tensor inputs share. Throws UsageError if there is no
/// such size, and Error if the model cannot be compiled.
VaryingBatch varyBatch(const Engine& engine, const std::shared_ptr<const Session>& session, const std::string& name,
                       const Progress& progress);

}  // namespace aotscope
