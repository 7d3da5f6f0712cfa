#include "load/printed/log/pass_name.h"

#include "load/printed/syntax/log_line.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace aotscope {

namespace {

using When = PassName::When;

constexpr std::string_view kSeparators = "._- ";

bool isSeparator(char c) { return kSeparators.find(c) != std::string_view::npos; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// "before_pre_grad" for "BEFORE PRE-GRAD".
std::string plainForm(std::string_view name) {
    std::string plain;
    for (const char c : name) plain += isSeparator(c) ? '_' : lower(c);
    return plain;
}

struct NamedStage {
    std::string_view word;
    int stage;
};

/// Without the prefixes "aot_" and "inductor_", and the suffix "_graph".
constexpr std::array kStages = {
    NamedStage{"make_fx_graph_traced", 0},
    NamedStage{"captured", 0},
    NamedStage{"dynamo_output", 0},
    NamedStage{"before_split", 1},
    NamedStage{"after_split", 2},
    NamedStage{"before_pre_grad", 3},
    NamedStage{"pre_grad", 4},
    NamedStage{"after_pre_grad", 4},
    NamedStage{"before_joint", 5},
    NamedStage{"joint", 5},
    NamedStage{"after_joint", 6},
    NamedStage{"forward", 7},
    NamedStage{"backward", 7},
    NamedStage{"inference", 7},
    NamedStage{"before_post_grad", 8},
    NamedStage{"fx_graph_readable", 8},
    NamedStage{"post_grad", 10},
    NamedStage{"after_post_grad", 10},
    NamedStage{"fx_graph_transformed", 10},
};
constexpr int kStageOfPasses = 9;

int stageIn(std::string_view plain) {
    for (const std::string_view maker : {"aot_", "inductor_"})
        if (plain.starts_with(maker)) plain.remove_prefix(maker.size());
    if (constexpr std::string_view graph = "_graph"; plain.ends_with(graph)) plain.remove_suffix(graph.size());
    const auto known = std::ranges::find(kStages, plain, &NamedStage::word);
    return known == kStages.end() ? kStageOfPasses : known->stage;
}

/// Removes a number after a separator from the end of `name`.
std::optional<std::uint64_t> takeNumber(std::string_view& name) {
    std::size_t start = name.size();
    while (start > 0 && isDigit(name[start - 1])) --start;
    if (start == name.size() || start < 2 || !isSeparator(name[start - 1])) return std::nullopt;
    std::uint64_t number = 0;
    if (std::from_chars(name.data() + start, name.data() + name.size(), number).ec != std::errc{}) return std::nullopt;
    name = name.substr(0, start - 1);
    return number;
}

/// Removes "__compiled_fn_5_", and the UUID digits that newer versions append to it.
std::string takeFunction(std::string_view& name) {
    constexpr std::string_view word = "__compiled_fn_";
    if (!name.starts_with(word)) return {};
    std::size_t end = word.size();
    while (end < name.size() && isDigit(name[end])) ++end;
    const auto isHex = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); };
    constexpr std::array<std::size_t, 5> uuid = {8, 4, 4, 4, 12};
    std::size_t at = end;
    const bool whole = std::ranges::all_of(uuid, [&](std::size_t digits) {
        const auto part = name.substr(std::min(at + 1, name.size()), digits);
        at += 1 + digits;
        return part.size() == digits && std::ranges::all_of(part, isHex);
    });
    if (whole) end = at;
    if (end >= name.size() || !isSeparator(name[end])) return {};
    std::string function(name.substr(0, end));
    name.remove_prefix(end + 1);
    return function;
}

/// Removes "before" or "after" from either end of `name`.
When takeWhen(std::string_view& name) {
    for (const auto& [word, when] : {std::pair{std::string_view("before"), When::before}, {"after", When::after}}) {
        const auto length = word.size() + 1;
        if (name.size() <= length) continue;
        if (plainForm(name.substr(0, length)) == std::string(word) + '_') {
            name.remove_prefix(length);
            return when;
        }
        if (plainForm(name.substr(name.size() - length)) == '_' + std::string(word)) {
            name.remove_suffix(length);
            return when;
        }
    }
    return When::alone;
}

}  // namespace

PassName readPassName(std::string_view name) {
    PassName result;
    result.function = takeFunction(name);
    result.number = takeNumber(name);
    result.stage = stageIn(plainForm(name));
    if (result.stage == kStageOfPasses) result.when = takeWhen(name);
    if (constexpr std::string_view list = "post_grad."; name.starts_with(list) && name.size() > list.size())
        name.remove_prefix(list.size());
    result.title = std::string(name);
    return result;
}

bool naturallyLess(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    const auto digitsAt = [](std::string_view text, std::size_t at) {
        std::size_t end = at;
        while (end < text.size() && isDigit(text[end])) ++end;
        return text.substr(at, end - at);
    };
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            auto x = digitsAt(a, i), y = digitsAt(b, j);
            i += x.size(), j += y.size();
            x.remove_prefix(std::min(x.find_first_not_of('0'), x.size()));
            y.remove_prefix(std::min(y.find_first_not_of('0'), y.size()));
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
        } else {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i, ++j;
        }
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;  // "1" and "01"
}

}  // namespace aotscope
