#pragma once

#include <CLI/App.hpp>

#include <string>

namespace aotscope {

/// --calibrate, of the commands that print estimated times.
class CalibrationFlag {
public:
    void addTo(CLI::App& app);
    /// Measures the machine again if the flag is given. Call it before a model is opened.
    void apply(const std::string& device) const;
    /// Warns on stderr if the printed estimates may be unreliable.
    void warn(const std::string& device) const;

private:
    bool given_ = false;
};

}  // namespace aotscope
