#include "partition/order/order_bound.h"

#include <algorithm>
#include <bit>

namespace aotscope {

namespace {

/// For each operation a set of operations.
class Sets {
public:
    using Word = std::uint64_t;
    static constexpr std::size_t kBits = 64;

    explicit Sets(std::size_t count) : words_((count + kBits - 1) / kBits), bits_(count * words_) {}

    std::size_t words() const { return words_; }
    Word* of(int i) { return &bits_[static_cast<std::size_t>(i) * words_]; }
    const Word* of(int i) const { return &bits_[static_cast<std::size_t>(i) * words_]; }
    void add(int i, int member) {
        of(i)[static_cast<std::size_t>(member) / kBits] |= Word{1} << (static_cast<std::size_t>(member) % kBits);
    }
    void addAll(int i, int other) {
        for (std::size_t w = 0; w < words_; ++w) of(i)[w] |= of(other)[w];
    }

private:
    std::size_t words_;
    std::vector<Word> bits_;
};

/// Each with the operation itself.
Sets ancestors(const OrderProblem& problem) {
    Sets sets(problem.operations.size());
    for (int i = 0; i < static_cast<int>(problem.operations.size()); ++i) {
        sets.add(i, i);
        for (const int other : problem.operations[static_cast<std::size_t>(i)].after) sets.addAll(i, other);
    }
    return sets;
}
Sets descendants(const OrderProblem& problem) {
    Sets sets(problem.operations.size());
    for (int i = static_cast<int>(problem.operations.size()) - 1; i >= 0; --i) {
        sets.add(i, i);
        for (const int other : problem.operations[static_cast<std::size_t>(i)].followers) sets.addAll(i, other);
    }
    return sets;
}

}  // namespace

std::int64_t lowestPossiblePeak(const OrderProblem& problem) {
    const std::size_t count = problem.operations.size();
    if (count == 0 || count > kMostBounded) return 0;
    const Sets before = ancestors(problem), behind = descendants(problem);
    std::vector<std::int64_t> bytes(count, problem.heldBytes);
    std::vector<Sets::Word> alive(before.words());
    for (const auto& block : problem.blocks) {
        if (block.bytes == 0) continue;
        std::ranges::fill(alive, Sets::Word{0});
        for (const int reader : block.readers)
            for (std::size_t w = 0; w < alive.size(); ++w) alive[w] |= before.of(reader)[w];
        if (block.kept) std::ranges::fill(alive, ~Sets::Word{0});
        if (block.maker != OrderProblem::kNone) {
            for (std::size_t w = 0; w < alive.size(); ++w) alive[w] &= behind.of(block.maker)[w];
            const auto maker = static_cast<std::size_t>(block.maker);
            alive[maker / Sets::kBits] |= Sets::Word{1} << (maker % Sets::kBits);
        }
        for (std::size_t w = 0; w < alive.size(); ++w)
            for (Sets::Word left = alive[w]; left != 0; left &= left - 1)
                if (const std::size_t i = w * Sets::kBits + static_cast<std::size_t>(std::countr_zero(left)); i < count)
                    bytes[i] += block.bytes;
    }
    std::int64_t most = problem.heldBytes;  // when all has run
    for (const auto& block : problem.blocks) most += block.kept ? block.bytes : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& operation = problem.operations[i];
        std::int64_t taken = 0;  // perhaps from an operand
        if (operation.overwrites != OrderProblem::kNone)
            taken = problem.blocks[static_cast<std::size_t>(operation.makes.front())].bytes;
        most = std::max(most, bytes[i] + operation.inner - taken);
    }
    return most;
}

}  // namespace aotscope
