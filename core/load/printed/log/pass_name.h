#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// What the name of a printed graph (of its file, or of an artifact) says about it.
struct PassName {
    /// When it was printed. `alone`: the name does not say.
    enum class When : std::uint8_t { alone, before, after } when = When::alone;
    std::string title;                    ///< the pass: "remove_detach" of "after_remove_detach_7"
    std::string function;                 ///< "__compiled_fn_1" in front of the name; empty: none
    int stage = 0;                        ///< graphs of PyTorch's stack, in the order in which they are made
    std::optional<std::uint64_t> number;  ///< at its end: tlparse counts all files, depyf those of the same name
};

/// `name`: without folder and ending.
PassName readPassName(std::string_view name);

/// Names as people count: "pass_2" comes before "pass_10".
bool naturallyLess(std::string_view a, std::string_view b);

}  // namespace aotscope
