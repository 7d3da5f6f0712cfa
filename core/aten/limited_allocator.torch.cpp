#include "aten/limited_allocator.h"

#include "support/counted_new.h"

#include <c10/core/CPUAllocator.h>

namespace aotscope {

namespace {

/// LibTorch's own allocator behind a check of the budget.
class LimitedAllocator final : public c10::Allocator {
public:
    explicit LimitedAllocator(c10::Allocator& own) : own_(own) {}

    c10::DataPtr allocate(std::size_t bytes) override {
        if (!mayAllocate(bytes))
            throw c10::OutOfMemoryError({__func__, __FILE__, static_cast<std::uint32_t>(__LINE__)},
                                        "DefaultCPUAllocator: can't allocate memory: you tried to allocate " +
                                            std::to_string(bytes) + " bytes.");
        return own_.allocate(bytes);
    }
    bool is_simple_data_ptr(const c10::DataPtr& data) const override { return own_.is_simple_data_ptr(data); }
    c10::DeleterFnPtr raw_deleter() const override { return own_.raw_deleter(); }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { own_.copy_data(to, from, bytes); }

private:
    c10::Allocator& own_;
};

}  // namespace

void limitTensorMemory() {
    static LimitedAllocator allocator(*c10::GetDefaultCPUAllocator());
    c10::SetCPUAllocator(&allocator);
}

}  // namespace aotscope
