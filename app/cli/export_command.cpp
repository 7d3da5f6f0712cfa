#include "cli/exit_code.h"
#include "cli/graph_names.h"
#include "cli/picture_flags.h"
#include "cli/require_compiled.h"
#include "cli/subcommand.h"
#include "export/export_graph.h"
#include "session/session.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace aotscope {

namespace {

class ExportCommand final : public Subcommand {
public:
    explicit ExportCommand(CLI::App& parent)
        : Subcommand(parent, "export", "write a picture or text of one graph",
                     "aotscope export sample:resnet50 --graph joint -o joint.svg", Takes::model) {
        app_.add_option("--graph", graph_, "one of " + graphNames())->capture_default_str();
        app_.add_option("--format", format_,
                        "default: by the extension of FILE; pt: a module for torch.jit.load, jit: its text")
            ->check(CLI::IsMember(exportFormats()));
        addColours(app_, picture_);
        addPalette(app_, picture_);
        addDepth(app_, picture_);
        app_.add_option("-o,--output", output_, "the file to write")->type_name("FILE")->required();
    }

    void check(Options& /*options*/) override { requireGraphName(graph_); }
    std::vector<NamedFile> otherFilesRead() const override { return {{"--overlay", picture_.overlay}}; }
    std::vector<NamedFile> filesWritten() const override { return {{"--output", output_}}; }

    int run(const Options& options) override {
        const auto session = Session::open(options, {});
        const CompileRecord& record = *session->record();
        const GraphKind kind = *graphKindFromName(graph_);
        const auto graph = record.graph(kind);
        if (!graph) refuseGraph(record);
        std::cout << exportGraph(*graph, kind, record, session.get(), format_, output_, picture_) << "\n";
        return kFine;
    }

private:
    [[noreturn]] void refuseGraph(const CompileRecord& record) const {
        requireCompiled(record);
        std::string available;
        for (const auto& [kind, unused] : record.graphs)
            available += (available.empty() ? "" : ", ") + std::string(name(kind));
        const std::string why = record.metadata ? " (" + record.metadata->whyAutograd + ")" : std::string();
        throw Error("this run has no " + graph_ + " graph" + why + "; it has " + available);
    }

    std::string graph_ = "joint";
    std::string format_;  ///< empty: by the output's extension
    PictureStyle picture_;
    std::filesystem::path output_;
};

}  // namespace

std::unique_ptr<Subcommand> makeExportCommand(CLI::App& parent) { return std::make_unique<ExportCommand>(parent); }

}  // namespace aotscope
