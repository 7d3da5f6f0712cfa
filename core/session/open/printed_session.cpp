#include "session/open/printed_session.h"

namespace aotscope {

namespace {

class ShownSession final : public PrintedSession<Session> {
public:
    ShownSession(const Options& options, PrintedReading read, std::string why)
        : PrintedSession(options, std::move(read)), why_(std::move(why)) {}

    std::string whyNotExecutable() const override { return why_; }

private:
    std::string why_;
};

}  // namespace

std::shared_ptr<const Session> shownOnly(const Options& options, PrintedReading read, std::string why) {
    return std::make_shared<ShownSession>(options, std::move(read), std::move(why));
}

}  // namespace aotscope
