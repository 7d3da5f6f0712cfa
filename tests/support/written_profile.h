#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace aotscope::test {

/// A profile as torch.profiler writes it. Times are in microseconds.
class WrittenProfile {
public:
    using Json = nlohmann::json;

    WrittenProfile& operation(const std::string& name, double start, double us, Json arguments = Json::object()) {
        arguments.emplace("External id", ++external_);
        return add("cpu_op", name, start, us, std::move(arguments), 100, 100);
    }
    /// With the sizes of its tensors.
    WrittenProfile& sized(const std::string& name, double start, double us, Json sizes,
                          Json arguments = Json::object()) {
        arguments["Input Dims"] = std::move(sizes);
        return operation(name, start, us, std::move(arguments));
    }
    WrittenProfile& annotation(const std::string& name, double start, double us) {
        return add("user_annotation", name, start, us, Json::object(), 100, 100);
    }
    WrittenProfile& python(const std::string& name, double start, double us) {
        return add("python_function", name, start, us, Json::object(), 100, 100);
    }
    /// A kernel, and the call that launches it.
    WrittenProfile& kernel(const std::string& name, double launch, double start, double us,
                           Json arguments = Json::object(), const char* category = "kernel") {
        add("cuda_runtime", "cudaLaunchKernel", launch, 1, {{"correlation", ++correlation_}}, 100, 100);
        arguments.update({{"correlation", correlation_}, {"device", 0}, {"stream", 7}});
        return add(category, name, start, us, std::move(arguments), 0, 7);
    }
    WrittenProfile& add(const char* category, const std::string& name, double start, double us, Json arguments,
                        int process, int thread) {
        events_.push_back({{"ph", "X"},
                           {"cat", category},
                           {"name", name},
                           {"pid", process},
                           {"tid", thread},
                           {"ts", kClock + start},
                           {"dur", us},
                           {"args", std::move(arguments)}});
        return *this;
    }

    std::string text() const {
        Json document = {{"schemaVersion", 1},
                         {"deviceProperties", Json::array({{{"id", 0}, {"name", "NVIDIA H100 80GB HBM3"}}})},
                         {"displayTimeUnit", "ms"},
                         {"traceEvents", events_}};
        return document.dump();
    }

private:
    static constexpr double kClock = 5e9;  ///< events are in the clock of the machine

    Json events_ = Json::array();
    std::int64_t external_ = 0, correlation_ = 0;
};

}  // namespace aotscope::test
