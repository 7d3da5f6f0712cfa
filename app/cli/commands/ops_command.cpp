#include "cli/exit_code.h"
#include "cli/option_flags.h"
#include "cli/subcommand.h"
#include "cli/table_flags.h"
#include "io/tables/operator_tables.h"
#include "session/engine.h"
#include "support/error.h"
#include "support/names.h"

#include <CLI/CLI.hpp>

namespace aotscope {

namespace {

class OpsCommand final : public Subcommand {
public:
    explicit OpsCommand(CLI::App& parent)
        : Subcommand(parent, "ops", "list the operators: family, tags, how each one is traced", "aotscope ops pool2d",
                     Takes::noModel) {
        app_.add_option("PATTERN", pattern_, "list only operators whose names contain this");
        addOption(app_, optionNamed("--decompose"))
            ->description("list instead the operators that this table decomposes, with their rules");
        app_.add_flag("--before-autograd", beforeAutograd_,
                      "list instead the operators that PyTorch decomposes in Python before autograd, and how they are "
                      "handled here");
        format_.addTo(app_);
        app_.add_flag("--uncovered", uncovered_, "list only operators without a shape rule, which run a real kernel");
    }

    int run(const Options& options) override {
        if (beforeAutograd_) {
            requireUsed(options, {"--before-autograd", "--json", "--csv"});
            format_.print(pythonKernelsTable(pattern_), {{"schema", 1}});
            return kFine;
        }
        if (const auto& table = options.decompositions) {
            requireUsed(options, {"--decompose", "--json", "--csv"});
            const auto rules = engineHere()->decompositionRules();
            table->requireFit(rules);
            format_.print(decompositionsTable(*table, rules, pattern_), {{"schema", 1}, {"table", table->name}});
            return kFine;
        }
        requireUsed(options, {"--json", "--csv", "--uncovered"});
        const auto operators = selectOperators(operatorCoverage(), pattern_, uncovered_);
        if (operators.empty() && !pattern_.empty())
            throw Error("no operator" + std::string(uncovered_ ? " without a shape rule" : "") +
                        " has a name that contains '" + pattern_ + "'; " + hint() + "see 'aotscope ops'");
        format_.print(coverageTable(operators), {{"schema", 1}, {"counts", methodCounts(operators)}});
        return kFine;
    }

private:
    std::string hint() const {
        std::vector<std::string> names;
        for (const auto& each : operatorCoverage()) {
            const auto name = each.op.find('.') + 1;  // "aten.avg_pool2d.default"
            names.push_back(each.op.substr(name, each.op.find('.', name) - name));
        }
        const auto similar = similarNames(pattern_, names);
        return similar.empty() ? "" : "did you mean " + quotedNames({similar.front()}) + "? ";
    }

    std::string pattern_;
    bool uncovered_ = false, beforeAutograd_ = false;
    TableFlags format_;
};

}  // namespace

std::unique_ptr<Subcommand> makeOpsCommand(CLI::App& parent) { return std::make_unique<OpsCommand>(parent); }

}  // namespace aotscope
