#include "session/rank_options.h"

#include "record/options/remote_model.h"
#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>
#include <variant>

namespace aotscope {

namespace {

/// Whether a number between `begin` and `end` in a name may be a rank: not in "v2" or "007".
bool mayBeRank(const std::string& name, std::size_t begin, std::size_t end) {
    const auto isAlpha = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    if (end < name.size() && isAlpha(name[end])) return false;
    if (name[begin] == '0' && end - begin > 1) return false;
    if (begin == 0 || !isAlpha(name[begin - 1])) return true;
    const std::string before = name.substr(0, begin);
    return before.ends_with("rank") || before.ends_with("stage") || before.ends_with("shard");
}

}  // namespace

Options optionsOfRank(Options options, std::size_t rank, std::size_t count) {
    if (options.world.size != 0 && options.world.size != count)
        throw UsageError("--ranks " + std::to_string(count) +
                         ": all ranks of the world run, which --world-size says are " +
                         std::to_string(options.world.size) + "; leave --world-size out");
    if (options.world.rank != 0) throw UsageError("--ranks: all ranks run; leave --rank out");
    options.world.size = count;
    options.world.rank = rank;
    options.seed += rank;
    options.model = ofRank(options.model, rank);
    options.weights = ofRank(options.weights.string(), rank);
    if (auto* file = std::get_if<std::filesystem::path>(&options.inputs)) *file = ofRank(file->string(), rank);
    return options;
}

Options withNumberedFiles(Options options, std::size_t count) {
    options.model = namedByRank(options.model, count);
    options.weights = namedByRank(options.weights.string(), count);
    if (auto* file = std::get_if<std::filesystem::path>(&options.inputs)) *file = namedByRank(file->string(), count);
    return options;
}

void requireHere(const std::string& model) {
    if (!isRemote(model)) return;
    throw UsageError(inQuotes(shownModel(model)) +
                     " is on another machine, but ranks started by a launcher run where they were started; give "
                     "--ranks N, or start the launcher there");
}

std::string ofRank(std::string text, std::size_t rank) {
    constexpr std::string_view mark = "{rank}";
    const std::string number = std::to_string(rank);
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + number.size()))
        text.replace(at, mark.size(), number);
    return text;
}

void requireOwnFiles(const std::string& option, const std::filesystem::path& file, const std::string& what) {
    if (file.empty() || file.string().find("{rank}") != std::string::npos) return;
    throw UsageError(option + " " + file.string() + ": every rank has " + what +
                     " of its own; put {rank} into the name");
}

std::string namedByRank(const std::string& file, std::size_t count) {
    constexpr std::size_t longest = 6;
    constexpr std::string_view digits = "0123456789";
    const std::string name = std::filesystem::path(file).filename().string();
    const std::string folder = file.substr(0, file.size() - name.size());
    for (std::size_t begin = 0; (begin = name.find_first_of(digits, begin)) != std::string::npos;) {
        const std::size_t end = std::min(name.find_first_not_of(digits, begin), name.size()), length = end - begin;
        if (length <= longest && mayBeRank(name, begin, end) && std::stoul(name.substr(begin, length)) < count) {
            std::string named = folder + std::string(name).replace(begin, length, "{rank}");
            std::error_code failure;
            std::size_t there = 0;
            while (there < count && std::filesystem::is_regular_file(ofRank(named, there), failure)) ++there;
            if (there == count) return named;
        }
        begin = end;
    }
    return file;
}

}  // namespace aotscope
