#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// What the name of a printed graph (of its file or artifact) says about it.
struct PassName {
    /// When it was printed. `alone`: unknown.
    enum class When : std::uint8_t { alone, before, after } when = When::alone;
    std::string title;                    ///< the pass: "remove_detach" in "after_remove_detach_7"
    std::string function;                 ///< "__compiled_fn_1" before the name, or empty
    int stage = 0;                        ///< position among the graphs of PyTorch's stack
    std::optional<std::uint64_t> number;  ///< at its end: tlparse numbers all files, depyf those with equal names
};

/// `name`: without folder and extension.
PassName readPassName(std::string_view name);

/// Natural order: "pass_2" comes before "pass_10".
bool naturallyLess(std::string_view a, std::string_view b);

}  // namespace aotscope
