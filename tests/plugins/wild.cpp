// A compiler that harms the process that it is loaded into, as its settings say.

#include "compile/plugin.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

using namespace aotscope;

namespace {

/// Until an allocation fails, which happens soon: this process may then need little more memory than it has.
[[noreturn]] void eatMemory() {
    constexpr rlim_t more = rlim_t{512} << 20;
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit few{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more, RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &few);
    std::vector<std::unique_ptr<char[]>> eaten;
    while (true) {
        constexpr std::size_t bite = std::size_t{16} << 20;
        eaten.push_back(std::make_unique<char[]>(bite));
    }
}

void misbehave(const std::string& how) {
    if (how == "crash") std::raise(SIGSEGV);
    if (how == "abort") std::abort();
    if (how == "exit") ::_exit(3);
    if (how == "memory") eatMemory();
    while (how == "loop") std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

class Wild final : public CompiledGraph {
public:
    Wild(std::string how, std::shared_ptr<const CompiledGraph> inner)
        : how_(std::move(how)), inner_(std::move(inner)) {}
    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        misbehave(how_);
        return inner_->run(args, observer);
    }
    const std::vector<NodeId>& steps() const override { return inner_->steps(); }

private:
    std::string how_;
    std::shared_ptr<const CompiledGraph> inner_;
};

class WildCompiler final : public Compiler {
public:
    WildCompiler(std::string how, bool compiling) : how_(std::move(how)), compiling_(compiling) {}
    std::string name() const override { return "wild"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        if (compiling_) misbehave(how_);
        return std::make_shared<Wild>(how_, makeInterpreter()->compile(graph, constants));
    }

private:
    std::string how_;
    bool compiling_;
};

const CompilerPlugin kPlugin = {{"wild",
                                 "harms its process",
                                 {{"how", "crash", "what it does", {"crash", "abort", "exit", "loop", "memory"}},
                                  {"when", "run", "when it does so", {"run", "compile"}}}},
                                [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
                                    return std::make_unique<WildCompiler>(settings.at("how"),
                                                                          settings.at("when") == "compile");
                                }};

/// In a process with this variable, even loading does harm: "loop" and the like.
__attribute__((constructor)) void load() {
    if (const char* how = std::getenv("AOTSCOPE_WILD_PLUGIN")) misbehave(how);
}

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
