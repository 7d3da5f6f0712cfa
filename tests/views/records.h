#pragma once

#include "session/session.h"

#include <map>
#include <memory>
#include <string>

namespace aotscope::test {

/// The record of a built-in model; compiled once for all tests of an executable.
inline std::shared_ptr<const CompileRecord> recordOf(const std::string& sample, bool inference = false) {
    static std::map<std::pair<std::string, bool>, std::shared_ptr<const CompileRecord>> known;
    auto& record = known[{sample, inference}];
    if (!record) {
        record = Session::open({.model = "sample:" + sample, .inference = inference}, {})->record();
    }
    return record;
}

}  // namespace aotscope::test
