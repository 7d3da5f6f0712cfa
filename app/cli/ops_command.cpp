#include "cli/exit_code.h"
#include "cli/option_flags.h"
#include "cli/subcommand.h"
#include "io/coverage_text.h"
#include "session/session.h"
#include "support/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

namespace {

class OpsCommand final : public Subcommand {
public:
    explicit OpsCommand(CLI::App& parent)
        : Subcommand(parent, "ops", "list the operators: family, tags, how each one is traced", "aotscope ops pool2d",
                     Takes::noModel) {
        app_.add_option("PATTERN", pattern_, "only operators whose names contain this");
        addOption(app_, optionNamed("--decompose"))
            ->description("list what this table decomposes instead, and by which rule");
        app_.add_flag("--before-autograd", beforeAutograd_,
                      "list what PyTorch takes apart in Python before autograd instead, and what becomes of it here");
        app_.add_flag("--json", json_, "print JSON");
        app_.add_flag("--uncovered", uncovered_, "only operators without a shape rule, which run a real kernel");
    }

    int run(const Options& options) override {
        if (beforeAutograd_) {
            std::cout << (json_ ? pythonKernelJson(pattern_).dump(1) + "\n" : pythonKernelText(pattern_));
            return kFine;
        }
        if (const auto& table = options.decompositions) {
            std::cout << (json_ ? decompositionJson(*table, pattern_).dump(1) + "\n"
                                : decompositionText(*table, pattern_));
            return kFine;
        }
        const auto operators = selectOperators(operatorCoverage(), pattern_, uncovered_);
        if (operators.empty() && !pattern_.empty())
            throw Error("no operator" + std::string(uncovered_ ? " without a shape rule" : "") +
                        " has a name that contains '" + pattern_ + "'; see 'aotscope ops'");
        std::cout << (json_ ? coverageJson(operators).dump(1) + "\n" : coverageText(operators));
        return kFine;
    }

private:
    std::string pattern_;
    bool json_ = false, uncovered_ = false, beforeAutograd_ = false;
};

}  // namespace

std::unique_ptr<Subcommand> makeOpsCommand(CLI::App& parent) { return std::make_unique<OpsCommand>(parent); }

}  // namespace aotscope
