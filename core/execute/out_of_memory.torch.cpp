#include "execute/out_of_memory.h"

#include "support/formatted.h"
#include "support/names.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace aotscope {

namespace {

constexpr std::size_t kShown = 5;

/// "tried to allocate 2.00 GiB", from the messages of LibTorch's allocators; empty if they do not say.
std::string wanted(std::string_view message) {
    constexpr std::string_view words = "ried to allocate ";
    const auto at = message.find(words);
    if (at == std::string_view::npos) return {};
    const auto number = message.substr(at + words.size());
    return "it tried to allocate " + std::string(number.substr(0, std::min(number.find(". "), number.find('\n'))));
}

}  // namespace

bool isOutOfMemory(const std::exception& failure) {
    if (dynamic_cast<const c10::OutOfMemoryError*>(&failure) || dynamic_cast<const std::bad_alloc*>(&failure))
        return true;
    return std::string_view(failure.what()).find("DefaultCPUAllocator: can't allocate memory") !=
           std::string_view::npos;
}

std::string outOfMemoryText(const std::exception& failure, const std::string& where, std::vector<LiveTensor> live) {
    std::sort(live.begin(), live.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    std::int64_t total = 0;
    std::string list;
    for (std::size_t i = 0; i < live.size(); ++i) {
        total += live[i].bytes;
        if (i < kShown) list += (i ? ", %" : "%") + live[i].name + " " + formatBytes(live[i].bytes);
    }
    std::string text = "out of memory " + where;
    if (const std::string asked = wanted(failure.what()); !asked.empty()) text += ": " + asked;
    if (!live.empty())
        text += "; live at that point: " + counted(live.size(), "value") + " of " + formatBytes(total) +
                (live.size() > kShown ? ", the largest " : ": ") + list;
    return text + "; choose smaller inputs, or a lower memory budget";
}

}  // namespace aotscope
