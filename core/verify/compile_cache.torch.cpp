#include "verify/compile_cache.h"

#include "support/error.h"
#include "support/names.h"

#include <algorithm>

namespace aotscope {

CompileCache::CompileCache(std::shared_ptr<const CompiledFunction> first, Recompile recompile, std::size_t limit)
    : entries_{std::move(first)}, recompile_(std::move(recompile)), limit_(limit) {}

std::shared_ptr<const CompiledFunction> CompileCache::find(const std::vector<c10::IValue>& leaves) {
    std::string reason;
    for (const auto& entry : entries_) {
        const auto failed = entry->failedGuard(leaves);
        if (!failed) {
            ++counts_.hits;
            return entry;
        }
        if (reason.empty()) reason = *failed;
    }
    if (entries_.size() > limit_)
        throw Error("the inputs do not fit what was compiled (" + reason + "), and " +
                    (limit_ == 0 ? std::string("recompiling is disabled")
                                 : "the limit of " + counted(limit_, "recompilation") + " is reached") +
                    "; widen the range with --dynamic or raise --recompile-limit");
    ++counts_.misses;
    Compilation compilation = recompile_(leaves);
    if (!compilation.function)
        throw Error("compilation " + std::to_string(compilation.record->compilation) + ", made because " + reason +
                    ", failed: " + compilation.record->error);
    recompilations_.push_back({compilation.record, reason});
    entries_.push_back(compilation.function);
    return entries_.back();
}

std::vector<CompilerUse> CompileCache::compilers() const {
    std::vector<CompilerUse> list = first().compilers();
    for (const auto& entry : entries_)
        for (CompilerUse& use : entry->compilers())
            if (!use.note.empty() && std::find(list.begin(), list.end(), use) == list.end())
                list.push_back(std::move(use));
    return list;
}

}  // namespace aotscope
