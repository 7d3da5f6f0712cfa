#include "support/packed/deflate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace aotscope {

namespace {

constexpr std::size_t kLongestCode = 15, kLongestCodeOfLengths = 7;
constexpr std::size_t kEndOfBlock = 256, kFirstLength = 257, kLiteralSymbols = 286, kDistanceSymbols = 30;
constexpr std::size_t kShortestMatch = 3, kLongestMatch = 258, kWindow = 1 << 15;
enum BlockKind : std::uint8_t { kStoredBlock, kFixedBlock, kDynamicBlock };

/// Lengths and distances have a symbol for a range, and bits for the place in it.
struct MatchRange {
    std::uint16_t first;
    std::uint8_t bits;
};

template <std::size_t count>
constexpr std::array<MatchRange, count> matchRanges(std::size_t first, std::size_t perBit) {
    std::array<MatchRange, count> filled{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t bits = i < 2 * perBit ? 0 : i / perBit - 1;
        filled[i] = {static_cast<std::uint16_t>(first), static_cast<std::uint8_t>(bits)};
        first += std::size_t{1} << bits;
    }
    return filled;
}
constexpr auto kDistanceRanges = matchRanges<kDistanceSymbols>(1, 2);
/// The longest has a symbol of its own.
constexpr auto kLengthRanges = [] {
    auto filled = matchRanges<kLiteralSymbols - kFirstLength>(kShortestMatch, 4);
    filled.back() = {kLongestMatch, 0};
    return filled;
}();

/// In which order a block gives the lengths of the codes of lengths.
constexpr std::array<std::uint8_t, 19> kOrderOfLengths = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                          11, 4,  12, 3, 13, 2, 14, 1, 15};

using CodeLengths = std::vector<std::uint8_t>;  ///< by symbol; 0: it has no code

CodeLengths fixedLiteralLengths() {
    CodeLengths lengths(288, 8);
    std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
    std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
    return lengths;
}

/// The codes that follow from their lengths, the first bit lowest. Nothing if there are more than such lengths allow.
std::optional<std::vector<std::uint16_t>> codesOf(const CodeLengths& lengths) {
    std::array<std::uint32_t, kLongestCode + 1> counts{}, next{};
    for (const std::uint8_t length : lengths) ++counts[length];
    counts[0] = 0;
    for (std::size_t i = 1; i <= kLongestCode; ++i) {
        next[i] = (next[i - 1] + counts[i - 1]) << 1;
        if (next[i] + counts[i] > 1U << i) return std::nullopt;
    }
    std::vector<std::uint16_t> codes(lengths.size());
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        if (lengths[symbol] == 0) continue;
        std::uint32_t code = next[lengths[symbol]]++, reversed = 0;
        for (std::size_t i = 0; i < lengths[symbol]; ++i, code >>= 1) reversed = reversed << 1 | (code & 1);
        codes[symbol] = static_cast<std::uint16_t>(reversed);
    }
    return codes;
}

// --- unpacking ---

struct DamagedStream {};

class StreamReader {
public:
    explicit StreamReader(std::string_view packed) : packed_(packed) {}

    std::uint32_t take(std::size_t count) {
        fill();
        if (count > count_) throw DamagedStream();
        const auto value = static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << count) - 1));
        drop(count);
        return value;
    }
    /// The next bits, followed by zeros at the end.
    std::uint64_t peek() {
        fill();
        return bits_;
    }
    void drop(std::size_t count) {
        if (count > count_) throw DamagedStream();
        bits_ >>= count;
        count_ -= count;
    }
    /// From the next whole byte on.
    std::string_view takeBytes(std::size_t count) {
        const std::size_t from = taken();
        if (count > packed_.size() - from) throw DamagedStream();
        at_ = from + count;
        bits_ = 0;
        count_ = 0;
        return packed_.substr(from, count);
    }

    /// Whole bytes that no longer are of interest, or of which a part has been read.
    std::size_t taken() const { return at_ - count_ / 8; }

private:
    void fill() {
        for (; count_ <= 56 && at_ < packed_.size(); count_ += 8)
            bits_ |= std::uint64_t{static_cast<unsigned char>(packed_[at_++])} << count_;
    }

    std::string_view packed_;
    std::size_t at_ = 0, count_ = 0;
    std::uint64_t bits_ = 0;
};

class SymbolReader {
public:
    explicit SymbolReader(const CodeLengths& lengths) {
        const auto codes = codesOf(lengths);
        if (!codes) throw DamagedStream();
        const std::size_t longest = *std::ranges::max_element(lengths);
        table_.resize(std::size_t{1} << longest);
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
            if (const std::size_t length = lengths[symbol])
                for (std::size_t i = (*codes)[symbol]; i < table_.size(); i += std::size_t{1} << length)
                    table_[i] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(length)};
    }

    std::size_t read(StreamReader& from) const {
        const Entry entry = table_[from.peek() & (table_.size() - 1)];
        if (entry.length == 0) throw DamagedStream();
        from.drop(entry.length);
        return entry.symbol;
    }

private:
    struct Entry {
        std::uint16_t symbol = 0;
        std::uint8_t length = 0;  ///< 0: no code begins with these bits
    };
    std::vector<Entry> table_;  ///< by as many bits as the longest code has
};

}  // namespace

/// Of all that unpacks.
class InflateStream::Unpacking {
public:
    virtual ~Unpacking() = default;
    virtual std::string_view next() = 0;
    virtual std::size_t taken() const = 0;
};

namespace {

template <typename Base>
class Inflater final : public Base {
public:
    explicit Inflater(std::string_view packed) : from_(packed) {}

    std::string_view next() override {
        if (content_.size() > kWindow) content_.erase(0, content_.size() - kWindow);
        const std::size_t known = content_.size();
        while (content_.size() < known + kPiece && !(last_ && !inBlock_)) goOn();
        return std::string_view(content_).substr(known);
    }
    std::size_t taken() const override { return from_.taken(); }

private:
    static constexpr std::size_t kPiece = 1 << 16;

    void goOn() {
        if (inBlock_) return unpack();
        last_ = from_.take(1) != 0;
        const auto kind = from_.take(2);
        if (kind == kStoredBlock) return copyStored();
        if (kind == kFixedBlock) start(fixedLiteralLengths(), CodeLengths(kDistanceSymbols, 5));
        else if (kind == kDynamicBlock) startDynamic();
        else throw DamagedStream();
    }

    void start(const CodeLengths& literals, const CodeLengths& distances) {
        literals_.emplace(literals);
        distances_.emplace(distances);
        inBlock_ = true;
    }

    void copyStored() {
        const std::string_view header = from_.takeBytes(4);
        const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(header[i])}; };
        const std::size_t count = byte(0) | byte(1) << 8;
        if ((byte(2) | byte(3) << 8) != (count ^ 0xffff)) throw DamagedStream();
        content_ += from_.takeBytes(count);
    }

    void startDynamic() {
        const std::size_t literals = from_.take(5) + kFirstLength, distances = from_.take(5) + 1,
                          given = from_.take(4) + 4;
        if (literals > kLiteralSymbols || distances > kDistanceSymbols) throw DamagedStream();
        CodeLengths ofLengths(kOrderOfLengths.size());
        for (std::size_t i = 0; i < given; ++i)
            ofLengths[kOrderOfLengths[i]] = static_cast<std::uint8_t>(from_.take(3));
        const SymbolReader reader(ofLengths);
        CodeLengths lengths;
        while (lengths.size() < literals + distances) {
            const std::size_t symbol = reader.read(from_);
            std::size_t repeated = 1;
            std::uint8_t length = 0;
            if (symbol < 16) {
                length = static_cast<std::uint8_t>(symbol);
            } else if (symbol == 16) {
                if (lengths.empty()) throw DamagedStream();
                length = lengths.back();
                repeated = 3 + from_.take(2);
            } else {
                repeated = symbol == 17 ? 3 + from_.take(3) : 11 + from_.take(7);
            }
            lengths.insert(lengths.end(), repeated, length);
        }
        if (lengths.size() > literals + distances) throw DamagedStream();
        const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(literals);
        start({lengths.begin(), middle}, {middle, lengths.end()});
    }

    /// To the end of the block, or until there is a piece.
    void unpack() {
        const std::size_t enough = content_.size() + kPiece;
        while (content_.size() < enough) {
            const std::size_t symbol = literals_->read(from_);
            if (symbol == kEndOfBlock) {
                inBlock_ = false;
                return;
            }
            if (symbol < kEndOfBlock) {
                content_ += static_cast<char>(symbol);
                continue;
            }
            const std::size_t length = numberIn(kLengthRanges, symbol - kFirstLength);
            const std::size_t distance = numberIn(kDistanceRanges, distances_->read(from_));
            if (distance > content_.size()) throw DamagedStream();
            for (std::size_t i = 0; i < length; ++i) content_ += content_[content_.size() - distance];
        }
    }

    template <std::size_t count>
    std::size_t numberIn(const std::array<MatchRange, count>& table, std::size_t symbol) {
        if (symbol >= count) throw DamagedStream();
        return table[symbol].first + from_.take(table[symbol].bits);
    }

    StreamReader from_;
    std::string content_;  ///< the window, and the piece after it
    std::optional<SymbolReader> literals_, distances_;
    bool inBlock_ = false, last_ = false;
};

}  // namespace

InflateStream::InflateStream(std::string_view packed) : unpacking_(std::make_unique<Inflater<Unpacking>>(packed)) {}
InflateStream::~InflateStream() = default;

std::optional<std::string_view> InflateStream::next() {
    try {
        return unpacking_->next();
    } catch (const DamagedStream&) {
        return std::nullopt;
    }
}

std::size_t InflateStream::taken() const { return unpacking_->taken(); }

namespace {

// --- packing ---

class StreamWriter {
public:
    void put(std::size_t bits, std::size_t count) {
        bits_ |= std::uint64_t{bits} << count_;
        for (count_ += count; count_ >= 8; count_ -= 8, bits_ >>= 8) packed_ += static_cast<char>(bits_ & 0xff);
    }
    std::string finish() {
        put(0, 7);
        return std::move(packed_);
    }

private:
    std::string packed_;
    std::uint64_t bits_ = 0;
    std::size_t count_ = 0;
};

/// Huffman's: the rarest two become one, until one is left.
CodeLengths huffmanLengths(const std::vector<std::uint32_t>& counts) {
    using Rare = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Rare, std::vector<Rare>, std::greater<>> waiting;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i]) waiting.emplace(counts[i], i);
    std::vector<std::size_t> parents(2 * counts.size());
    std::size_t made = counts.size();
    for (; waiting.size() > 1; ++made) {
        std::uint64_t sum = 0;
        for (int i = 0; i < 2; ++i) {
            sum += waiting.top().first;
            parents[waiting.top().second] = made;
            waiting.pop();
        }
        waiting.emplace(sum, made);
    }
    std::vector<std::uint8_t> depths(made);
    for (std::size_t i = made - 1; i-- > 0;)  // parents come after their children
        if (parents[i]) depths[i] = static_cast<std::uint8_t>(depths[parents[i]] + 1);
    depths.resize(counts.size());
    return depths;
}

/// None longer than `longest`: until then, rare symbols are taken for more frequent ones. At least two have a code, as
/// readers refuse codes that some bits belong to none of.
CodeLengths boundedLengths(std::vector<std::uint32_t> counts, std::size_t longest) {
    for (std::size_t i = 0; counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0U)) < 2; ++i)
        counts[i] = std::max(counts[i], 1U);
    while (true) {
        CodeLengths lengths = huffmanLengths(counts);
        if (*std::ranges::max_element(lengths) <= longest) return lengths;
        for (std::uint32_t& count : counts) count = (count + 1) / 2;
    }
}

struct SymbolWriter {
    CodeLengths lengths;
    std::vector<std::uint16_t> codes;

    SymbolWriter(std::vector<std::uint32_t> counts, std::size_t longest)
        : lengths(boundedLengths(std::move(counts), longest)), codes(codesOf(lengths).value()) {}

    void write(StreamWriter& to, std::size_t symbol) const { to.put(codes[symbol], lengths[symbol]); }
};

/// A byte, or the bytes that stand `distance` earlier.
struct Token {
    std::uint16_t lengthOrByte, distance;  ///< distance 0: a byte
};

template <std::size_t count>
std::size_t symbolOf(const std::array<MatchRange, count>& table, std::size_t number) {
    const auto after = std::ranges::upper_bound(table, number, {}, &MatchRange::first);
    return static_cast<std::size_t>(after - table.begin()) - 1;
}

/// Finds earlier occurrences of what comes next.
class MatchFinder {
public:
    explicit MatchFinder(std::string_view content)
        : content_(content), latest_(std::size_t{1} << kHashBits, kNone), earlier_(kWindow, kNone) {}

    /// The longest of the latest occurrences; length 0 if there is none.
    Token longestAt(std::size_t at) const {
        Token best{0, 0};
        if (at + kHashed > content_.size()) return best;
        const std::size_t most = std::min(kLongestMatch, content_.size() - at);
        std::size_t place = latest_[hashAt(at)];
        for (int tries = 0; tries < kTries && place != kNone && at - place <= kWindow; ++tries) {
            if (content_[place + best.lengthOrByte] == content_[at + best.lengthOrByte]) {
                std::size_t length = 0;
                while (length < most && content_[place + length] == content_[at + length]) ++length;
                if (length >= kHashed && length > best.lengthOrByte)
                    best = {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(at - place)};
                if (length == most) break;
            }
            const std::size_t before = earlier_[place % kWindow];
            if (before >= place) break;
            place = before;
        }
        return best;
    }
    void pass(std::size_t at) {
        if (at + kHashed > content_.size()) return;
        std::size_t& latest = latest_[hashAt(at)];
        earlier_[at % kWindow] = latest;
        latest = at;
    }

private:
    static constexpr std::size_t kNone = SIZE_MAX, kHashBits = 15, kHashed = 4;
    static constexpr int kTries = 32;

    std::size_t hashAt(std::size_t at) const {
        std::uint32_t bytes = 0;
        for (std::size_t i = 0; i < kHashed; ++i) bytes = bytes << 8 | static_cast<unsigned char>(content_[at + i]);
        return bytes * 2654435761U >> (32 - kHashBits);
    }

    std::string_view content_;
    std::vector<std::size_t> latest_;   ///< by hash
    std::vector<std::size_t> earlier_;  ///< with the same hash, by place in the window
};

void writeBlock(StreamWriter& to, const std::vector<Token>& tokens, bool last) {
    std::vector<std::uint32_t> literalCounts(kLiteralSymbols), distanceCounts(kDistanceSymbols);
    literalCounts[kEndOfBlock] = 1;
    const auto symbolsOf = [](const Token& token) {
        return std::pair{token.distance ? kFirstLength + symbolOf(kLengthRanges, token.lengthOrByte)
                                        : std::size_t{token.lengthOrByte},
                         token.distance ? symbolOf(kDistanceRanges, token.distance) : 0};
    };
    for (const Token& token : tokens) {
        const auto [symbol, distance] = symbolsOf(token);
        ++literalCounts[symbol];
        if (token.distance) ++distanceCounts[distance];
    }
    const SymbolWriter literals(std::move(literalCounts), kLongestCode),
        distances(std::move(distanceCounts), kLongestCode);
    CodeLengths all = literals.lengths;
    all.insert(all.end(), distances.lengths.begin(), distances.lengths.end());
    std::vector<std::uint32_t> lengthCounts(kOrderOfLengths.size());
    for (const std::uint8_t length : all) ++lengthCounts[length];
    const SymbolWriter ofLengths(std::move(lengthCounts), kLongestCodeOfLengths);

    to.put(last, 1);
    to.put(kDynamicBlock, 2);
    to.put(kLiteralSymbols - kFirstLength, 5);
    to.put(kDistanceSymbols - 1, 5);
    to.put(kOrderOfLengths.size() - 4, 4);
    for (const std::uint8_t symbol : kOrderOfLengths) to.put(ofLengths.lengths[symbol], 3);
    for (const std::uint8_t length : all) ofLengths.write(to, length);
    for (const Token& token : tokens) {
        const auto [symbol, distance] = symbolsOf(token);
        literals.write(to, symbol);
        if (!token.distance) continue;
        const MatchRange length = kLengthRanges[symbol - kFirstLength], back = kDistanceRanges[distance];
        to.put(token.lengthOrByte - length.first, length.bits);
        distances.write(to, distance);
        to.put(token.distance - back.first, back.bits);
    }
    literals.write(to, kEndOfBlock);
}

}  // namespace

std::string deflated(std::string_view content) {
    constexpr std::size_t kTokensOfBlock = 1 << 15;
    StreamWriter to;
    MatchFinder finder(content);
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < content.size();) {
        Token token = finder.longestAt(at);
        const std::size_t passed = token.distance ? token.lengthOrByte : 1;
        if (!token.distance) token.lengthOrByte = static_cast<unsigned char>(content[at]);
        for (std::size_t i = 0; i < passed; ++i) finder.pass(at++);
        tokens.push_back(token);
        if (tokens.size() < kTokensOfBlock || at == content.size()) continue;
        writeBlock(to, tokens, /*last=*/false);
        tokens.clear();
    }
    writeBlock(to, tokens, /*last=*/true);
    return to.finish();
}

std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
    InflateStream stream(packed);
    std::string content;
    content.reserve(size);
    while (true) {
        const auto piece = stream.next();
        if (!piece || piece->size() > size - content.size()) return std::nullopt;
        if (piece->empty()) return content.size() == size ? std::optional(std::move(content)) : std::nullopt;
        content += *piece;
    }
}

}  // namespace aotscope
