#pragma once

#include "load/trace_log/trace_indexer.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// Reports what is added to a trace, or to the traces in a folder, while they are written.
class TraceFollower {
public:
    explicit TraceFollower(std::filesystem::path place);

    /// Events since the last call, a line each: compilations, recompilations, graph breaks, caches, errors. Throws
    /// Error if a log cannot be read, Cancelled.
    std::vector<std::string> poll(const Progress& progress);

private:
    struct Followed {
        TraceIndexer indexer;
        std::uint64_t bytes = 0;
        std::map<std::string, std::size_t> records;         ///< by compilation: the number of records at the last call
        std::map<std::string, std::set<std::string>> told;  ///< by compilation
    };

    void poll(Followed& log, const std::string& name, std::vector<std::string>& lines, const Progress& progress);

    std::filesystem::path place_;
    std::map<std::filesystem::path, Followed> logs_;
};

}  // namespace aotscope
