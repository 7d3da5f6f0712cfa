#include "cli/exit_code.h"
#include "cli/graph_names.h"
#include "cli/picture_flags.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "export/export_graph.h"
#include "passes/pass_names.h"
#include "record/options/option_table.h"
#include "record/options/option_use.h"
#include "record/pass_graphs.h"
#include "session/engine.h"
#include "support/error.h"
#include "support/names.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace aotscope {

namespace {

class ExportCommand final : public Subcommand {
public:
    explicit ExportCommand(CLI::App& parent)
        : Subcommand(parent, "export", "write a picture, text or Python program of one graph",
                     "aotscope export sample:resnet50 --graph joint -o joint.svg\n  aotscope export sample:mlp --graph "
                     "backward -o repro.py --values repro.pt",
                     Takes::model) {
        app_.add_option("--graph", graph_, "graph to export; default: " + graph_)->type_name(graphNames("|"));
        app_.add_option("--pass", pass_,
                        "the graph as this pass left it (see 'aotscope passes'); default: the last pass")
            ->type_name("PASS");
        app_.add_option("--format", format_,
                        "format of FILE; default: by its extension; py: a Python program that creates inputs and calls "
                        "the graph, pt: a module for torch.jit.load, jit: its TorchScript code")
            ->check(CLI::IsMember(exportFormats()));
        app_.add_option("--values", values_,
                        "with py: also write the values of inputs and results to this file; the program loads these "
                        "inputs and compares its results")
            ->type_name("FILE.pt");
        addColours(app_, picture_);
        addPalette(app_, picture_);
        addDepth(app_, picture_);
        app_.add_option("-o,--output", output_, "file to write; -: standard output")->type_name("FILE")->required();
    }

    void check(Options& options) override {
        if (!values_.empty() || format_ == "py" || output_.extension() == ".py")
            options.given->plan(GivenOptions::Purpose::run);
        if (picture_.colour == "kernel") options.given->plan(GivenOptions::Purpose::kernels);
        requireGraphName(graph_);
        if (!pass_.empty() && !enumeratorNamed<PassId>(pass_))
            throw UsageError("--pass " + pass_ + ": there is no such pass; passes are " + quotedNames(passNames()));
    }
    std::vector<NamedFile> otherFilesRead() const override { return {{"--overlay", picture_.overlay}}; }
    std::vector<NamedFile> filesWritten() const override {
        std::vector<NamedFile> files = {{"--output", output_}, {"--values", values_}};
        const bool python = format_.empty() ? output_.extension() == ".py" : format_ == "py";
        if (python && values_.empty()) files.push_back({"--output", keptValuesFile(output_)});
        return files;
    }

    int run(const Options& options) override {
        const auto session = open(options, {"--graph", "--pass", "--format", "--values", "--output", "--colour",
                                            "--overlay", "--colour-blind", "--depth"});
        const CompileRecord& record = *session->record();
        const PassGraph chosen = choose(record);
        requireEffect(options, chosen.kind);
        std::cout << exportGraph({*chosen.graph, chosen.kind, record, session.get(),
                                  machineOf(engine(), session->options().device)},
                                 format_, output_, picture_, values_)
                  << "\n";
        return kFine;
    }

private:
    /// Only colours distinguish what later partitions make of a graph.
    void requireEffect(const Options& options, GraphKind kind) const {
        const std::string format = format_.empty() ? output_.extension().string() : "." + format_;
        const bool picture = format == ".svg" || format == ".png" || format == ".pdf" || format == ".html";
        if (!dependsOnPartition(kind) && !picture)
            refusePartition(options, "the " + std::string(name(kind)) +
                                         " graph is the same for every partition; export the forward or backward "
                                         "graph");
    }

    PassGraph choose(const CompileRecord& record) const {
        const GraphKind kind = *graphKindFromName(graph_);
        if (!pass_.empty()) return ofPass(record, kind);
        const auto graph = record.graph(kind);
        if (!graph) refuseGraph(record);
        return {record.passes.size(), kind, graph};
    }

    /// A pass has one kind of graph; partitioning and later passes have two, of which --graph selects one.
    PassGraph ofPass(const CompileRecord& record, GraphKind kind) const {
        const auto pass = std::ranges::find(record.passes, enumeratorNamed<PassId>(pass_), &PassRecord::id);
        if (pass == record.passes.end() || pass->graphs.empty()) {
            requireCompiled(record);
            throw Error("--pass " + pass_ + ": this run has no graph of that pass; 'aotscope passes' lists its passes");
        }
        const auto wanted = std::ranges::find(pass->graphs, kind, [](const auto& each) { return each.first; });
        const auto& [found, graph] = wanted == pass->graphs.end() ? pass->graphs.front() : *wanted;
        return {static_cast<std::size_t>(pass - record.passes.begin()), found, graph};
    }

    [[noreturn]] void refuseGraph(const CompileRecord& record) const {
        requireCompiled(record);
        std::string available;
        for (const auto& [kind, unused] : record.graphs)
            available += (available.empty() ? "" : ", ") + std::string(name(kind));
        throw Error("this run has no " + graph_ + " graph" + whyTheseGraphs(record) + "; it has " + available);
    }

    std::string graph_ = "joint";
    std::string format_;  ///< empty: from the output's extension
    PictureStyle picture_;
    std::string pass_;  ///< empty: the last one
    std::filesystem::path output_, values_;
};

}  // namespace

std::unique_ptr<Subcommand> makeExportCommand(CLI::App& parent) { return std::make_unique<ExportCommand>(parent); }

}  // namespace aotscope
