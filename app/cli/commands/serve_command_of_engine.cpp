#include "cli/serve_command.h"
#include "device/device.h"
#include "support/error.h"

namespace aotscope {

namespace {

class ServeCommandOfEngine final : public ServeCommand {
    using ServeCommand::ServeCommand;

    void prepare() override {
        try {
            prepareDevice("cuda:0");  // it may be chosen later, and then it would be too late
        } catch (const Error&) {      // it is said when it is chosen
        }
    }
};

}  // namespace

std::unique_ptr<Subcommand> makeServeCommand(CLI::App& parent) {
    return std::make_unique<ServeCommandOfEngine>(parent);
}

}  // namespace aotscope
