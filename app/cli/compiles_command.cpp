#include "cli/exit_code.h"
#include "cli/subcommand.h"
#include "io/text_report.h"
#include "session/session_printed.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class CompilesCommand final : public Subcommand {
public:
    explicit CompilesCommand(CLI::App& parent)
        : Subcommand(parent, "compiles", "list the compilations in a log of printed graphs",
                     "aotscope compiles dedicated_log_torch_trace_rank_0.log", Takes::noModel) {
        app_.add_option("LOG", log_, "a file written with TORCH_LOGS, TORCH_TRACE or print_readable")->required();
    }

    int run(const Options& /*options*/) override {
        std::vector<std::vector<std::string>> rows = {{"compile", "graph", "operations", ""}};
        for (const auto& compile : summarizePrinted(log_, {})) {
            std::string id = compile.id;
            for (const auto& [graph, calls] : compile.graphs) {
                rows.push_back({id, graph, std::to_string(calls), ""});
                id.clear();
            }
            if (!compile.error.empty()) rows.push_back({id, "", "", compile.error});
        }
        std::cout << textTable(rows);
        return kFine;
    }

private:
    std::string log_;
};

}  // namespace

std::unique_ptr<Subcommand> makeCompilesCommand(CLI::App& parent) { return std::make_unique<CompilesCommand>(parent); }

}  // namespace aotscope
