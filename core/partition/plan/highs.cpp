#include "partition/plan/linear_program.h"
#include "support/error.h"
#include "support/library_function.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace aotscope {

namespace {

/// The first member of what a callback may set.
struct HighsCallbackIn {
    int userInterrupt;
};

/// What is used of the C interface of HiGHS, whose HighsInt has 32 bits.
struct HighsFunctions {
    void* (*create)();
    void (*destroy)(void*);
    int (*setBool)(void*, const char*, int);
    int (*setInt)(void*, const char*, int);
    int (*setDouble)(void*, const char*, double);
    int (*passMip)(void*, int columns, int rows, int entries, int format, int sense, double offset, const double* costs,
                   const double* columnLower, const double* columnUpper, const double* rowLower, const double* rowUpper,
                   const int* starts, const int* indices, const double* values, const int* integrality);
    int (*setSolution)(void*, const double* values, const double*, const double*, const double*);
    int (*run)(void*);
    int (*getModelStatus)(const void*);
    int (*getSolution)(const void*, double* values, double*, double*, double*);
    int (*getDouble)(const void*, const char*, double*);
    int (*getInt)(const void*, const char*, int*);
    int (*sizeofInt)(const void*);
    int (*setCallback)(void*, void (*)(int, const char*, const void* out, HighsCallbackIn*, void* user), void* user);
    int (*startCallback)(void*, int);
};

/// Called often by HiGHS: whether the answer is still wanted.
void interrupt(int /*kind*/, const char* /*message*/, const void* /*out*/, HighsCallbackIn* in, void* user) {
    if (in) in->userInterrupt = static_cast<const Progress*>(user)->cancelled();
}

/// In the folder of the program, or where pip puts it if it has also put the program there.
void addPlacesBeside(std::filesystem::path folder, std::vector<std::string>& places) {
    constexpr int kLevels = 3;
    places.push_back(folder / "libhighs.so.1");
    for (int level = 0; level < kLevels; ++level, folder = folder.parent_path())
        places.push_back(folder / "highspy" / "libhighs.so.1");
}

/// Where `./dev setup` and pip put it, then where the system has it.
std::vector<std::string> placesOfHighs() {
    std::vector<std::string> places;
    if (const char* given = std::getenv("AOTSCOPE_HIGHS"); given && *given) places.emplace_back(given);
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void*>(&placesOfHighs), &here) != 0 && here.dli_fname)
        addPlacesBeside(std::filesystem::absolute(here.dli_fname).parent_path(), places);
    if (const std::string built = AOTSCOPE_HIGHS_LIBRARY; !built.empty()) places.push_back(built);
    places.emplace_back("libhighs.so.1");
    return places;
}

class HighsSolver final : public ProgramSolver {
public:
    explicit HighsSolver(void* library) {
        const bool all = findFunction(library, "Highs_create", call_.create) &&
                         findFunction(library, "Highs_destroy", call_.destroy) &&
                         findFunction(library, "Highs_setBoolOptionValue", call_.setBool) &&
                         findFunction(library, "Highs_setIntOptionValue", call_.setInt) &&
                         findFunction(library, "Highs_setDoubleOptionValue", call_.setDouble) &&
                         findFunction(library, "Highs_passMip", call_.passMip) &&
                         findFunction(library, "Highs_setSolution", call_.setSolution) &&
                         findFunction(library, "Highs_run", call_.run) &&
                         findFunction(library, "Highs_getModelStatus", call_.getModelStatus) &&
                         findFunction(library, "Highs_getSolution", call_.getSolution) &&
                         findFunction(library, "Highs_getDoubleInfoValue", call_.getDouble) &&
                         findFunction(library, "Highs_getIntInfoValue", call_.getInt) &&
                         findFunction(library, "Highs_getSizeofHighsInt", call_.sizeofInt) &&
                         findFunction(library, "Highs_setCallback", call_.setCallback) &&
                         findFunction(library, "Highs_startCallback", call_.startCallback);
        if (!all) throw Error("it lacks functions of HiGHS");
        void* probe = call_.create();
        const int bytes = call_.sizeofInt(probe);
        call_.destroy(probe);
        if (bytes != static_cast<int>(sizeof(int))) throw Error("its integers do not have 32 bits");
    }

    ProgramAnswer solve(const LinearProgram& program, const std::vector<double>& start, double seconds,
                        const Progress& progress) const override {
        const Instance highs = run(program, start, seconds, progress, false);
        ProgramAnswer answer = answerOf(program, highs.get());
        if (answer.status != ProgramAnswer::Status::infeasible)
            call_.getDouble(highs.get(), "mip_dual_bound", &answer.bound);
        return answer;
    }

    ProgramAnswer relax(const LinearProgram& program, double seconds, const Progress& progress) const override {
        const Instance highs = run(program, {}, seconds, progress, true);
        ProgramAnswer answer = answerOf(program, highs.get());
        if (answer.status != ProgramAnswer::Status::optimal) return answer;
        call_.getDouble(highs.get(), "objective_function_value", &answer.bound);
        answer.prices.resize(program.rows.size());
        call_.getSolution(highs.get(), nullptr, nullptr, nullptr, answer.prices.data());
        return answer;
    }

private:
    using Instance = std::unique_ptr<void, void (*)(void*)>;

    Instance run(const LinearProgram& program, const std::vector<double>& start, double seconds,
                 const Progress& progress, bool relaxed) const {
        Instance highs(call_.create(), call_.destroy);
        call_.setBool(highs.get(), "solve_relaxation", relaxed);
        call_.setBool(highs.get(), "output_flag", 0);
        call_.setInt(highs.get(), "threads", 1);
        call_.setDouble(highs.get(), "mip_rel_gap", kGap);
        pass(program, highs.get());
        if (start.size() == program.columns.size())
            call_.setSolution(highs.get(), start.data(), nullptr, nullptr, nullptr);
        progress.throwIfCancelled();
        call_.setDouble(highs.get(), "time_limit", std::max(seconds, kShortest));
        Progress listener = progress;
        call_.setCallback(highs.get(), interrupt, &listener);
        for (const int kind : {kSimplexInterrupt, kIpmInterrupt, kMipInterrupt}) call_.startCallback(highs.get(), kind);
        call_.run(highs.get());
        progress.throwIfCancelled();
        return highs;
    }

    static constexpr double kGap = 1e-5, kShortest = 0.05;
    static constexpr int kSimplexInterrupt = 1, kIpmInterrupt = 2, kMipInterrupt = 6;
    static constexpr int kByRow = 2, kMinimise = 1, kContinuous = 0, kInteger = 1;
    static constexpr int kOptimal = 7, kInfeasible = 8, kUnboundedOrInfeasible = 9, kFeasible = 2;

    void pass(const LinearProgram& program, void* highs) const {
        std::vector<double> costs, lower, upper, rowLower, rowUpper, values;
        std::vector<int> whole, starts, indices;
        for (const LinearProgram::Column& column : program.columns) {
            costs.push_back(column.cost);
            lower.push_back(column.lower);
            upper.push_back(column.upper);
            whole.push_back(column.whole ? kInteger : kContinuous);
        }
        for (const LinearProgram::Row& row : program.rows) {
            rowLower.push_back(row.lower);
            rowUpper.push_back(row.upper);
            starts.push_back(static_cast<int>(indices.size()));
            for (const LinearProgram::Term& term : row.terms) {
                indices.push_back(term.column);
                values.push_back(term.factor);
            }
        }
        call_.passMip(highs, static_cast<int>(costs.size()), static_cast<int>(rowLower.size()),
                      static_cast<int>(indices.size()), kByRow, kMinimise, 0, costs.data(), lower.data(), upper.data(),
                      rowLower.data(), rowUpper.data(), starts.data(), indices.data(), values.data(), whole.data());
    }

    ProgramAnswer answerOf(const LinearProgram& program, void* highs) const {
        ProgramAnswer answer;
        const int status = call_.getModelStatus(highs);
        if (status == kInfeasible || status == kUnboundedOrInfeasible) {
            answer.status = ProgramAnswer::Status::infeasible;
            return answer;
        }
        if (status == kOptimal) answer.status = ProgramAnswer::Status::optimal;
        int found = 0;
        call_.getInt(highs, "primal_solution_status", &found);
        if (found != kFeasible) return answer;
        answer.values.resize(program.columns.size());
        call_.getSolution(highs, answer.values.data(), nullptr, nullptr, nullptr);
        return answer;
    }

    HighsFunctions call_{};
};

struct LoadedHighs {
    std::shared_ptr<const ProgramSolver> solver;
    std::string whyNot;
};

LoadedHighs loadHighs() {
    LoadedHighs loaded{nullptr, "HiGHS is not installed (pip install highspy==1.15.1)"};
    for (const std::string& place : placesOfHighs()) {
        void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) continue;
        try {
            loaded.solver = std::make_shared<const HighsSolver>(library);
            loaded.whyNot.clear();
            return loaded;
        } catch (const Error& e) {
            loaded.whyNot = "'" + place + "' cannot be used: " + e.what();
            dlclose(library);
        }
    }
    return loaded;
}

}  // namespace

std::shared_ptr<const ProgramSolver> highsSolver(std::string* whyNot) {
    static const LoadedHighs loaded = loadHighs();
    if (whyNot) *whyNot = loaded.whyNot;
    return loaded.solver;
}

}  // namespace aotscope
