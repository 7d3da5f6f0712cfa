#pragma once

#include "crash/crash_text.h"

#include <cstdint>

namespace aotscope {

/// The stack of a crash, for a signal handler.
class CrashStack {
public:
    /// Loads what unwinding needs, because it cannot be loaded during a crash.
    static void prepare();

    /// `context`: the third argument of the calling signal handler.
    void take(const void* context);

    /// One line per call: address, module and offset, symbol and offset.
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
    /// The module of the first call that is not part of the system's own way to end a program.
    const char* culprit() const;

private:
    static constexpr int kMost = 128;
    struct Place {
        std::uintptr_t address = 0, inModule = 0, inSymbol = 0;
        const char *module = nullptr, *symbol = nullptr;  ///< null: not known
    };
    Place at(int index) const;

    std::array<void*, kMost> calls_{};
    int first_ = 0;  ///< of calls_: earlier ones belong to the handler
    int count_ = 0;
};

}  // namespace aotscope
