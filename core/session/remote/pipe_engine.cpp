#include "session/remote/pipe_engine.h"

#include "io/session/packed.h"
#include "remote/engine_program.h"
#include "session/remote/engine_fields.h"
#include "session/remote/remote_host.h"
#include "session/remote/remote_ranks.h"
#include "session/remote/session_remote.h"
#include "support/file.h"

#include <thread>

namespace aotscope {

namespace {

using nlohmann::json;
using session_format::AskedGraph;
using session_format::packed;
using session_format::unpacked;

template <typename T>
T asked(RemoteHost& host, const char* what, json with) {
    const auto reply = host.connection({})->call(what, std::move(with), {});
    return readAnswer(host.there(), [&] { return unpacked<T>(bytesOf(reply.result, "value")); });
}

/// What there is to choose from; without an engine, only `few`: whatever runs then says why.
template <typename T, typename Ask>
std::vector<T> orWithout(std::vector<T> few, const Ask& ask) {
    try {
        return ask();
    } catch (const UsageError&) {
        throw;
    } catch (const Error&) {
        return few;
    }
}

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
        return isRemote(options.model) ? openRemote(options, progress, previous, observer)
                                       : openOn(host_, options, progress, previous, observer);
    }

    std::shared_ptr<const Ranks> compileRanks(const Options& options, std::size_t count, const Progress& progress,
                                              const RankSource& source) const override {
        return isRemote(options.model) ? compileRanksThere(options, count, progress, source)
                                       : compileRanksOn(host_, options, count, progress, source);
    }

    std::string torchVersion() const override { return host_->connection({})->torchVersion(); }
    std::vector<DeviceChoice> devices() const override {
        return orWithout<DeviceChoice>(
            {{"cpu", {}}}, [&] { return asked<std::vector<DeviceChoice>>(*host_, "devices", json::object()); });
    }
    std::string whyDeviceCannotRun(const std::string& device) const override {
        const auto reply = host_->connection({})->call("whyDeviceCannotRun", {{"device", device}}, {});
        return readAnswer(host_->there(), [&] { return textOf(reply.result, "why"); });
    }
    std::vector<CompilerInfo> compilers(const std::vector<std::filesystem::path>& plugins) const override {
        const std::vector<std::string> paths(plugins.begin(), plugins.end());
        return orWithout<CompilerInfo>({{"interpreter", {}, {}}}, [&] {
            return asked<std::vector<CompilerInfo>>(*host_, "compilerList", {{"plugins", paths}});
        });
    }
    MachineModel machine(const std::string& device) const override { return host_->machineOf(device)(); }
    Recalibration calibrate(const std::string& device) const override {
        return asked<Recalibration>(*host_, "calibrate", {{"device", device}});
    }
    std::vector<std::string> planByFunction(const std::filesystem::path& function, const Graph& joint) const override {
        const std::shared_ptr<const Graph> borrowed(std::shared_ptr<const void>(), &joint);
        const auto bytes = bytesJson(packed(AskedGraph{borrowed, GraphKind::joint}));
        const auto reply = host_->connection({})->call("plan", {{"function", function.string()}, {"graph", bytes}}, {});
        return readAnswer(host_->there(), [&] { return textsOf(reply.result, "names"); });
    }
    std::vector<DecompositionRule> decompositionRules() const override {
        return orWithout<DecompositionRule>(
            {}, [&] { return asked<std::vector<DecompositionRule>>(*host_, "decompositionRules", json::object()); });
    }
    std::vector<IrLevel> irLevels(const std::shared_ptr<const Graph>& graph) const override {
        const auto bytes = bytesJson(packed(AskedGraph{graph, GraphKind::joint}));
        auto levels = asked<std::vector<IrLevel>>(*host_, "irLevels", {{"graph", bytes}});
        if (levels.empty()) throw Error("the answer of the engine is damaged: the graph has no levels");
        levels.front().lowered.graph = graph;
        return levels;
    }
    void saveScript(const std::string& model, const std::filesystem::path& file) const override {
        const auto reply = host_->connection({})->call("script", {{"model", model}}, {});
        writeFileAtomically(file, bytesOf(reply.result, "file"));
    }

private:
    std::shared_ptr<RemoteHost> host_;
};

}  // namespace

MachineSource RemoteHost::machineOf(std::string device) {
    return [host = shared_from_this(), device = std::move(device)] {
        return asked<MachineModel>(*host, "machine", {{"device", device}});
    };
}

std::shared_ptr<const Engine> engineIn(const std::filesystem::path& program) {
    return std::make_shared<const PipeEngine>(program);
}

}  // namespace aotscope
