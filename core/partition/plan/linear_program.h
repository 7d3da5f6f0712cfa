#pragma once

#include "support/progress.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// Minimise a cost over columns with bounds, some of them whole numbers, under rows with bounds.
struct LinearProgram {
    static constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    struct Column {
        double cost = 0, lower = 0, upper = 1;
        bool whole = true;
    };
    struct Term {
        int column = 0;
        double factor = 1;
    };
    struct Row {
        double lower = -kUnbounded, upper = kUnbounded;
        std::vector<Term> terms;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;

    int addColumn(Column column) {
        columns.push_back(column);
        return static_cast<int>(columns.size()) - 1;
    }
    void atMost(double upper, std::vector<Term> terms) { rows.push_back({-kUnbounded, upper, std::move(terms)}); }
    void atLeast(double lower, std::vector<Term> terms) { rows.push_back({lower, kUnbounded, std::move(terms)}); }
};

struct ProgramAnswer {
    enum class Status : std::uint8_t { optimal, infeasible, stopped } status = Status::stopped;
    double bound = -LinearProgram::kUnbounded;  ///< no solution costs less
    std::vector<double> values;                 ///< of the best solution; empty: none was found
    std::vector<double> prices;                 ///< of a relaxation, by row: by how much one more unit raises the cost
};

/// Solves programs, on one thread.
class ProgramSolver {
public:
    virtual ~ProgramSolver() = default;
    /// For up to `seconds`. `start`: values of columns to begin with; may be empty, or not feasible. Throws Cancelled.
    virtual ProgramAnswer solve(const LinearProgram& program, const std::vector<double>& start, double seconds,
                                const Progress& progress) const = 0;
    /// The same with any numbers instead of whole ones.
    virtual ProgramAnswer relax(const LinearProgram& program, double seconds, const Progress& progress) const = 0;
};

/// HiGHS (https://highs.dev), a library that is loaded when it is needed first. Null if it is not there; `whyNot` is
/// then the reason, as a clause.
std::shared_ptr<const ProgramSolver> highsSolver(std::string* whyNot = nullptr);

}  // namespace aotscope
