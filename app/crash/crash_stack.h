#pragma once

#include "crash/crash_text.h"

#include <cstdint>

namespace aotscope {

/// The calls that led to a crash, for a signal handler.
class CrashStack {
public:
    /// What unwinding needs is loaded now, for at the time of a crash it could not be.
    static void prepare();

    /// `context`: the third argument of the signal handler that calls this.
    void take(const void* context);

    /// A line a call: address, module and place in it, symbol and place in that.
    template <std::size_t Capacity>
    void writeTo(CrashText<Capacity>& text) const {
        for (int i = 0; i < count_; ++i) {
            const Place place = at(i);
            (text << "#").number(i, 2) << "  ";
            text.hex(place.address, 16) << "  ";
            if (place.module) (text << place.module << "+").hex(place.inModule);
            if (place.symbol) (text << "  " << place.symbol << "+").hex(place.inSymbol);
            text << "\n";
        }
    }
    /// Where it happened: the module of the first call that is not only the way of the system's library to end a
    /// program.
    const char* culprit() const;

private:
    static constexpr int kMost = 128;
    struct Place {
        std::uintptr_t address = 0, inModule = 0, inSymbol = 0;
        const char *module = nullptr, *symbol = nullptr;  ///< null: not known
    };
    Place at(int index) const;

    std::array<void*, kMost> calls_{};
    int first_ = 0;  ///< of calls_: those before are the handler's own
    int count_ = 0;
};

}  // namespace aotscope
