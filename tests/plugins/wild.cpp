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

/// Before it does so, it writes the file `mark`, if it is named.
void misbehave(const std::string& how, const std::string& mark = {}) {
    if (!mark.empty()) std::ofstream(mark) << how;
    if (how == "crash") std::raise(SIGSEGV);
    if (how == "abort") std::abort();
    if (how == "exit") ::_exit(3);
    if (how == "memory") eatMemory();
    while (how == "loop") std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

class Wild final : public CompiledGraph {
public:
    Wild(std::string how, std::string mark, std::shared_ptr<const CompiledGraph> inner)
        : how_(std::move(how)), mark_(std::move(mark)), inner_(std::move(inner)) {}
    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        misbehave(how_, mark_);
        return inner_->run(args, observer);
    }
    const std::vector<NodeId>& steps() const override { return inner_->steps(); }

private:
    std::string how_, mark_;
    std::shared_ptr<const CompiledGraph> inner_;
};

class WildCompiler final : public Compiler {
public:
    explicit WildCompiler(const CompilerSettings& settings)
        : how_(settings.at("how")), mark_(settings.at("mark")), compiling_(settings.at("when") == "compile") {}
    std::string name() const override { return "wild"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        if (compiling_) misbehave(how_, mark_);
        return std::make_shared<Wild>(how_, mark_, makeInterpreter()->compile(graph, constants));
    }

private:
    std::string how_, mark_;
    bool compiling_;
};

const CompilerPlugin kPlugin = {{"wild",
                                 "harms its process",
                                 {{"how", "crash", "what it does", {"crash", "abort", "exit", "loop", "memory"}},
                                  {"when", "run", "when it does so", {"run", "compile"}},
                                  {"mark", "", "the file that it writes then; empty: none"}}},
                                [](const CompilerSettings& settings) -> std::unique_ptr<Compiler> {
                                    return std::make_unique<WildCompiler>(settings);
                                }};

/// In a process with this variable, even loading does harm: "loop" and the like.
__attribute__((constructor)) void load() {
    if (const char* how = std::getenv("AOTSCOPE_WILD_PLUGIN")) misbehave(how);
}

}  // namespace

AOTSCOPE_COMPILER_PLUGIN(kPlugin)
