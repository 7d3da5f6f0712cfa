#include "record/options/peak_limit.h"

#include "record/options/option_values.h"
#include "support/error.h"
#include "support/token_reader.h"

namespace aotscope {

namespace {

constexpr double kMostTime = 100;  ///< times the step

}  // namespace

PeakLimit PeakLimit::of(const std::string& text) {
    const bool time = text.starts_with('+'), percent = text.ends_with('%');
    const auto number = asNumber<double>(text.substr(time, text.size() - time - percent));
    if (!number && !time) {
        try {
            return {.bytes = parseMemory(text, "--peak", 1)};
        } catch (const UsageError&) {
            throw UsageError("--peak " + text +
                             ": expected a size in kB, MB, GB, TB, KiB, MiB or GiB, as in 4GB, a share of the peak "
                             "if everything is kept, as in 0.7 or 70%, or how much longer a step may take, as in +10%");
        }
    }
    const double share = number ? percent ? *number / 100 : *number : 0;
    if (time && !(share > 0 && share <= kMostTime))
        throw UsageError("--peak " + text + ": expected how much longer a step may take, as in +10%");
    if (!(share > 0 && share <= 1) && !time)
        throw UsageError("--peak " + text +
                         ": expected a share above 0 and at most 1 (100%), or a size with its unit, as in 4GB");
    return time ? PeakLimit{.moreTime = share} : PeakLimit{.share = share};
}

}  // namespace aotscope
