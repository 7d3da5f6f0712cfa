#include "cli/report_errors.h"

#include "cli/exit_code.h"
#include "support/error.h"
#include "support/quoted.h"

#include <iostream>

namespace aotscope {

void sayError(std::string_view sentence) {
    std::cout.exceptions(std::ios::goodbit);  // only the first error is reported
    std::cout.flush();                        // flush earlier output first
    std::cerr.tie(nullptr);
    constexpr std::size_t most = 2000;  // names in a file have no length limit
    const std::string line = oneLine(sentence.substr(0, most));
    std::cerr << "aotscope: " << line << (sentence.size() > most ? "..." : "") << "\n";
}

int reportErrors(const std::function<int()>& job) {
    try {
        const int code = job();
        std::cout.flush();
        return code;
    } catch (const UsageError& e) {
        sayError(e.what());
        return kWrongUsage;
    } catch (const Error& e) {
        sayError(e.what());
    } catch (const std::bad_alloc&) {
        sayError("out of memory; choose smaller inputs or a smaller model");
    } catch (const std::exception& e) {
        sayError(firstSentence(e.what()));
    }
    return kFailed;
}

}  // namespace aotscope
