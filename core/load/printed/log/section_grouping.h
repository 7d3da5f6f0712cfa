#pragma once

#include "load/printed/log/log_index.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace aotscope {

/// The compilation that a section belongs to.
struct SectionOrigin {
    std::string id;         ///< empty if the file has none
    std::string process;    ///< several may write to one file
    std::string number;     ///< of the AOTAutograd call ("Joint graph 3"), or the attempt of a trace
    bool replaces = false;  ///< a later attempt replaces an earlier one
};

/// Assigns the sections of a file to compilations.
class SectionGrouping {
public:
    explicit SectionGrouping(LogIndex& index) : index_(index) {}

    void add(PrintedSection section, const SectionOrigin& origin);
    /// Records the value of a symbol for compilations that follow.
    void hint(const SectionOrigin& origin, std::string_view symbol, std::string_view value);

private:
    struct Latest {
        std::size_t compile = 0;
        std::string number;
    };

    PrintedCompile& placeFor(PrintedKind kind, const SectionOrigin& origin);
    PrintedCompile& start(const SectionOrigin& origin);

    LogIndex& index_;
    std::unordered_map<std::string, Latest> latest_;  ///< by process and id
    std::unordered_map<std::string, int> counts_;
    std::unordered_map<std::string, SymbolHints> hints_;
};

}  // namespace aotscope
