#include "distributed/tensor_message.h"

#include "support/error.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

constexpr std::size_t kMostDimensions = 64;

std::size_t padded(std::size_t bytes) { return (bytes + kMeshAlignment - 1) / kMeshAlignment * kMeshAlignment; }

/// Throws Error unless `dtype` is that of plain numbers.
at::ScalarType plainDType(std::int64_t dtype) {
    const auto type = static_cast<at::ScalarType>(dtype);
    const bool known = dtype >= 0 && dtype < static_cast<std::int64_t>(at::ScalarType::NumOptions) &&
                       type != at::ScalarType::Undefined;
    if (!known || c10::isQIntType(type))
        throw Error("tensors of dtype " + (known ? std::string(c10::toString(type)) : std::to_string(dtype)) +
                    " cannot be sent to other processes; run the ranks as threads of one, with --ranks");
    return type;
}

/// Throws Error for more bytes than there are, and for sizes that no tensor has.
std::size_t bytesIn(const std::vector<std::int64_t>& sizes, at::ScalarType dtype, std::size_t available) {
    auto bytes = static_cast<std::int64_t>(c10::elementSize(dtype));
    bool empty = false;
    for (const std::int64_t size : sizes) {
        empty = empty || size == 0;
        if (size < 0 || __builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes))
            throw Error("its message has a tensor of impossible sizes");
    }
    if (empty) return 0;
    if (static_cast<std::uint64_t>(bytes) > available) throw Error("its message is shorter than its tensors");
    return static_cast<std::size_t>(bytes);
}

}  // namespace

nlohmann::json describe(const Contribution& contribution) {
    nlohmann::json tensors = nlohmann::json::array();
    for (const at::Tensor& t : contribution.tensors)
        tensors.push_back({{"dtype", static_cast<std::int64_t>(plainDType(static_cast<std::int64_t>(t.scalar_type())))},
                           {"sizes", t.sizes().vec()}});
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
    found.call = description.at("call").get<std::string>();
    found.place = description.at("place").get<std::string>();
    found.splits = description.at("splits").get<std::vector<std::int64_t>>();
    std::size_t at = 0;
    for (const nlohmann::json& tensor : description.at("tensors")) {
        const at::ScalarType dtype = plainDType(tensor.at("dtype").get<std::int64_t>());
        const auto sizes = tensor.at("sizes").get<std::vector<std::int64_t>>();
        if (sizes.size() > kMostDimensions) throw Error("its message has a tensor of too many dimensions");
        const std::size_t bytes = bytesIn(sizes, dtype, body.size - at);
        found.tensors.push_back(at::from_blob(
            body.data.get() + at, sizes, [memory = body.data](void*) {}, at::TensorOptions(dtype)));
        at = std::min(body.size, at + padded(bytes));
    }
    return found;
}

}  // namespace aotscope
