#include "cost/profile/fused_kernels.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::string_view kFused = "_fused_";
constexpr std::size_t kLongestOperator = 10;  ///< words

/// "add", "", "unsafe", "view" in "add__unsafe_view_3".
std::vector<std::string_view> wordsIn(std::string_view name) {
    std::vector<std::string_view> words;
    while (true) {
        const auto end = name.find('_');
        words.push_back(name.substr(0, end));
        if (end == std::string_view::npos) break;
        name.remove_prefix(end + 1);
    }
    const auto isNumber = [](std::string_view word) {
        return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    };
    if (words.size() > 1 && isNumber(words.back())) words.pop_back();
    return words;
}

/// The key of the words from `first` to before `last` as one operator, or -1.
int keyOf(const std::vector<std::string_view>& words, std::size_t first, std::size_t last, const OperatorKeys& keys) {
    std::string name = "aten::";
    for (std::size_t i = first; i < last; ++i) {
        if (i > first) name += '_';
        name += words[i];
    }
    return keys.find(name);
}

}  // namespace

bool isFusedKernel(std::string_view name) {
    const auto at = name.find(kFused);
    if (at == std::string_view::npos) return false;
    return name.starts_with("triton_") || name.substr(0, at).ends_with("cpp");
}

std::vector<int> operatorsInName(std::string_view kernel, const OperatorKeys& keys) {
    if (!isFusedKernel(kernel)) return {};
    const auto words = wordsIn(kernel.substr(kernel.find(kFused) + kFused.size()));
    constexpr std::size_t kImpossible = SIZE_MAX;
    // The fewest operators that the words up to each place are, and where the last of them begins.
    std::vector<std::size_t> fewest(words.size() + 1, kImpossible), begin(words.size() + 1);
    fewest[0] = 0;
    for (std::size_t last = 1; last <= words.size(); ++last)
        for (std::size_t first = last - std::min(last, kLongestOperator); first < last; ++first)
            if (fewest[first] != kImpossible && fewest[first] + 1 < fewest[last] &&
                keyOf(words, first, last, keys) >= 0)
                fewest[last] = fewest[first] + 1, begin[last] = first;
    std::vector<int> found;
    if (fewest.back() == kImpossible) return found;
    for (std::size_t last = words.size(); last > 0; last = begin[last])
        found.push_back(keyOf(words, begin[last], last, keys));
    return found;
}

}  // namespace aotscope
