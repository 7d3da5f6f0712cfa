#include "session/remote/pipe_engine.h"

#include "remote/engine_program.h"
#include "session/remote/remote_host.h"
#include "session/remote/remote_ranks.h"
#include "support/file.h"

#include <thread>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::about;
using session_format::AskedGraph;
using session_format::borrowed;

class PipeEngine final : public Engine {
public:
    explicit PipeEngine(const std::filesystem::path& program)
        : host_(std::make_shared<RemoteHost>(RemoteModel{{program.string(), "serve", "--stdio"}, {}, {}})) {
        std::thread([host = host_] {
            try {
                host->connection({});
            } catch (const Error&) {  // whoever needs it first is told
            }
        }).detach();
    }

    std::shared_ptr<const Session> open(const Options& options, const Progress& progress,
                                        const std::shared_ptr<const Session>& previous,
                                        PassObserver* observer) const override {
        return openOn(hostFor(options, previous.get()), options, progress, previous, observer);
    }
    std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                              const RankSource& source) const override {
        return compileRanksOn(hostFor(options, source.beside), options, count, progress, source);
    }

    std::string torchVersion() const override { return host_->connection({})->torchVersion(); }
    std::vector<DeviceChoice> devices() const override {
        return orWithout<DeviceChoice>({{"cpu", {}}}, "devices", json::object());
    }
    std::string whyDeviceCannotRun(const std::string& device) const override {
        return host_->ask<std::string>("whyDeviceCannotRun", about(device));
    }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        return orWithout<CompilerInfo>({{"interpreter", {}, {}}}, "compilerList", about(plugins));
    }
    MachineModel machine(const std::string& device) const override {
        return host_->ask<MachineModel>("machine", about(device));
    }
    Recalibration calibrate(const std::string& device) const override {
        return host_->ask<Recalibration>("calibrate", about(device));
    }
    std::vector<std::string> planByFunction(const std::filesystem::path& function, const Graph& joint) const override {
        return host_->ask<std::vector<std::string>>("plan",
                                                    about(AskedGraph{.graph = borrowed(joint), .function = function}));
    }
    std::vector<DecompositionRule> decompositionRules() const override {
        return orWithout<DecompositionRule>({}, "decompositionRules", json::object());
    }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) const override {
        auto levels = host_->ask<std::vector<IrLevel>>("irLevels", about(AskedGraph{graph}));
        if (levels.empty()) throw Error("the answer of the engine is damaged: the graph has no levels");
        levels.front().lowered.graph = graph;
        return levels;
    }
    void saveScript(const std::string& model, const std::filesystem::path& file) const override {
        const auto reply = host_->connection({})->call("script", about(model), {});
        writeFileAtomically(file, bytesOf(reply.result, "file"));
    }

private:
    std::shared_ptr<RemoteHost> hostFor(const Options& options, const Session* beside) const {
        return isRemote(options.model) ? hostOf(options, beside) : host_;
    }
    /// What there is to choose from; without an engine, only `few`: whatever runs then says why.
    template <typename T>
    std::vector<T> orWithout(std::vector<T> few, const char* what, json with) const {
        try {
            return host_->ask<std::vector<T>>(what, std::move(with));
        } catch (const UsageError&) {
            throw;
        } catch (const Error&) {
            return few;
        }
    }

    std::shared_ptr<RemoteHost> host_;
};

}  // namespace

std::shared_ptr<const Engine> engineIn(const std::filesystem::path& program) {
    return std::make_shared<const PipeEngine>(program);
}

}  // namespace aotscope
