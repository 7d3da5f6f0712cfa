#include "cli/exit_code.h"
#include "cli/graph_names.h"
#include "cli/subcommand.h"
#include "export/export_minified.h"
#include "io/minify_text.h"
#include "ir/printer.h"
#include "session/session.h"
#include "support/error.h"
#include "support/json/json_text.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class MinifyCommand final : public Subcommand {
public:
    explicit MinifyCommand(CLI::App& parent)
        : Subcommand(parent, "minify", "reduce a graph to the smallest one that still shows a fault",
                     "aotscope minify model.pt2 --compiler fused --while 'check fails' -o repro.py\n  aotscope minify "
                     "model.pt2 --while 'nan | op:exp and has_inf' --graph joint",
                     Takes::model) {
        app_.add_option("--while", wanted_.condition,
                        "fault that the graph must still show; separate alternatives with |: check fails (compiler and "
                        "interpreter return different values), compile fails, run fails, nan (an operation returns "
                        "NaN), or a query that matches an operation and may test values")
            ->type_name("FAULT")
            ->capture_default_str();
        app_.add_option("--graph", graph_,
                        "graph to reduce; default: the first of inference, forward and backward that shows the fault")
            ->type_name(graphNames("|"));
        app_.add_option("-o,--output", output_,
                        "write a Python program that calls the graph and, next to it, the values of its inputs (.pt) "
                        "and the graph as text (.txt)")
            ->type_name("FILE.py");
        app_.add_flag("--json", json_, "print JSON");
    }

    void check(Options& options) override {
        options.given->plan(GivenOptions::Purpose::run);
        if (usesCompiler(wanted_)) options.given->plan(GivenOptions::Purpose::kernels);
        if (!graph_.empty()) requireGraphName(graph_), wanted_.graph = graphKindFromName(graph_);
        if (!output_.empty() && output_.extension() != ".py")
            throw UsageError("--output " + output_.string() + ": expected a name that ends in .py");
    }
    std::vector<NamedFile> filesWritten() const override {
        std::vector<NamedFile> files;
        for (const auto& file : minifiedFiles(output_)) files.push_back({"--output", file});
        return files;
    }

    int run(const Options& options) override {
        const auto session = openToRun(options, {"--while", "--graph", "--output", "--json"}, "minify");
        const CompileRecord& record = *session->record();
        const MinifyResult result = session->minify(wanted_, {});
        if (json_) std::cout << jsonText(minifyJson(result));
        else std::cout << minifyText(result) << "\n" << printGraph(*result.graph);
        const std::string written = output_.empty() ? "" : exportMinified(result, record, output_);
        if (!json_ && !written.empty()) std::cout << "\n" << written << "\n";
        return kFine;
    }

private:
    MinifyOptions wanted_;
    std::string graph_;  ///< empty: the first that shows the fault
    std::filesystem::path output_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Subcommand> makeMinifyCommand(CLI::App& parent) { return std::make_unique<MinifyCommand>(parent); }

}  // namespace aotscope
