#include "io/partition_text.h"
#include "io/report.h"
#include "partition_command.h"
#include "session.h"
#include "support/file.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestReport = std::uintmax_t{1} << 30;

RunSummary summaryOfFile(const std::filesystem::path& path) {
    const auto report = nlohmann::json::parse(readFile(path, kLargestReport), nullptr, false);
    return summaryOf(report, path.string());
}

/// A report by its name's ending, else a model, compiled with the options of the command line.
RunSummary summaryOfOperand(const std::string& operand, Options options) {
    if (std::filesystem::path(operand).extension() == ".json") return summaryOfFile(operand);
    options.model = operand;
    const auto record = Session::open(options, {})->record();
    if (!record->error.empty()) throw Error("'" + operand + "': " + record->error);
    return summaryOf(*record);
}

}  // namespace

int showDifference(const Command& command) {
    const RunDifference difference = compare(summaryOfOperand(command.options.model, command.options),
                                             summaryOfOperand(command.other, command.options), command.onlyGraph);
    std::cout << (command.json ? jsonText(differenceJson(difference)) : differenceText(difference));
    return command.failOnChange && !difference.empty() ? kDifference : kFine;
}

}  // namespace aotscope
