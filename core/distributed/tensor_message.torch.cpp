#include "distributed/tensor_message.h"

#include "support/error.h"
#include "support/json/message_members.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr std::size_t kMostDimensions = 64;

std::size_t padded(std::size_t bytes) { return (bytes + kMeshAlignment - 1) / kMeshAlignment * kMeshAlignment; }

/// Whether it is a dtype of plain numbers.
bool isPlain(std::int64_t dtype) {
    const auto type = static_cast<at::ScalarType>(dtype);
    return dtype >= 0 && dtype < static_cast<std::int64_t>(at::ScalarType::NumOptions) &&
           type != at::ScalarType::Undefined && !c10::isQIntType(type);
}

/// Throws Error unless it is plain.
std::int64_t dtypeSent(const at::Tensor& tensor) {
    const auto dtype = static_cast<std::int64_t>(tensor.scalar_type());
    if (!isPlain(dtype))
        throw Error(std::string("tensors of dtype ") + c10::toString(tensor.scalar_type()) +
                    " cannot be sent to other processes; run the ranks as threads of one, with --ranks");
    return dtype;
}

at::ScalarType dtypeReceived(std::int64_t dtype) {
    if (!isPlain(dtype)) throw Error("sends a tensor of dtype " + std::to_string(dtype) + ", which ranks do not send");
    return static_cast<at::ScalarType>(dtype);
}

/// Throws Error for more bytes than are left, and for invalid sizes.
std::size_t bytesIn(const std::vector<std::int64_t>& sizes, at::ScalarType dtype, std::size_t available) {
    auto bytes = static_cast<std::int64_t>(c10::elementSize(dtype));
    bool empty = false;
    for (const std::int64_t size : sizes) {
        empty = empty || size == 0;
        if (size < 0 || __builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes))
            throw Error("sends a tensor of impossible sizes");
    }
    if (empty) return 0;
    if (static_cast<std::uint64_t>(bytes) > available) throw Error("sends a message that is shorter than its tensors");
    return static_cast<std::size_t>(bytes);
}

}  // namespace

nlohmann::json describe(const Contribution& contribution) {
    nlohmann::json tensors = nlohmann::json::array();
    for (const at::Tensor& t : contribution.tensors)
        tensors.push_back({{"dtype", dtypeSent(t)}, {"sizes", t.sizes().vec()}});
    return {{"call", contribution.call},
            {"place", contribution.place},
            {"splits", contribution.splits},
            {"tensors", std::move(tensors)}};
}

std::vector<MeshPiece> bytesOf(const Contribution& contribution) {
    static constexpr std::array<char, kMeshAlignment> nothing{};
    std::vector<MeshPiece> pieces;
    for (const at::Tensor& t : contribution.tensors) {
        check(t.is_cpu() && t.is_contiguous(), "what is sent lies on the CPU, in order");
        pieces.push_back({std::make_shared<const at::Tensor>(t), t.const_data_ptr(), t.nbytes()});
        if (const std::size_t rest = padded(t.nbytes()) - t.nbytes(); rest > 0)
            pieces.push_back({nullptr, nothing.data(), rest});
    }
    return pieces;
}

Contribution contributionOf(const nlohmann::json& description, const MeshBody& body) {
    Contribution found;
    found.call = textOf(description, "call");
    found.place = textOf(description, "place");
    found.splits = integersOf(description, "splits");
    std::size_t at = 0;
    for (const nlohmann::json& tensor : listOf(description, "tensors")) {
        const at::ScalarType dtype = dtypeReceived(integerOf(tensor, "dtype"));
        const std::vector<std::int64_t> sizes = integersOf(tensor, "sizes");
        if (sizes.size() > kMostDimensions) throw Error("sends a tensor of too many dimensions");
        const std::size_t bytes = bytesIn(sizes, dtype, body.size - at);
        found.tensors.push_back(at::from_blob(
            body.data.get() + at, sizes, [memory = body.data](void*) {}, at::TensorOptions(dtype)));
        at = std::min(body.size, at + padded(bytes));
    }
    return found;
}

}  // namespace aotscope
