#pragma once

#include <CLI/App.hpp>

#include <string>

namespace aotscope {

class Engine;
struct MachineModel;

/// --calibrate, of the commands that print estimated times.
class CalibrationFlag {
public:
    void addTo(CLI::App& app);
    /// Measures the machine again if the flag is given. Call it before a model is opened.
    void apply(const Engine& engine, const std::string& device) const;
    /// Warns on stderr if the printed estimates may be unreliable.
    static void warn(const MachineModel& machine);

private:
    bool given_ = false;
};

}  // namespace aotscope
