#include "record/options/peak_limit.h"

#include "record/options/option_values.h"
#include "support/error.h"
#include "support/token_reader.h"

namespace aotscope {

PeakLimit PeakLimit::of(const std::string& text) {
    const bool percent = text.ends_with('%');
    const auto number = asNumber<double>(percent ? text.substr(0, text.size() - 1) : text);
    if (!number) {
        try {
            return {parseMemory(text, "--peak", 1), 0};
        } catch (const UsageError&) {
            throw UsageError("--peak " + text +
                             ": expected a size in kB, MB, GB, TB, KiB, MiB or GiB, as in 4GB, or a share of the peak "
                             "if everything is kept, as in 0.7 or 70%");
        }
    }
    const double share = percent ? *number / 100 : *number;
    if (!(share > 0 && share <= 1))
        throw UsageError("--peak " + text +
                         ": expected a share above 0 and at most 1 (100%), or a size with its unit, as in 4GB");
    return {0, share};
}

}  // namespace aotscope
