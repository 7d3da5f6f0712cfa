#include "support/collective_calls.h"
#include "support/literals.h"
#include "support/rows.h"

#include "distributed/place.h"
#include "support/error.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

namespace aotscope::test {

c10::IValue call(const char* name, torch::jit::Stack arguments) {
    c10::Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(arguments);
    return arguments.back();
}
at::Tensor waited(const c10::IValue& result) { return call("_c10d_functional::wait_tensor", {result}).toTensor(); }
at::Tensor allReduced(const at::Tensor& x, const char* how, const char* group) {
    return waited(call("_c10d_functional::all_reduce", {x, how, group}));
}

at::Tensor numbers(std::initializer_list<double> values) { return at::tensor(std::vector<double>(values)); }
at::Tensor filled(double value, at::IntArrayRef sizes) { return at::full(sizes, value, at::kFloat); }

QString wrongCollectives(std::size_t rank) {
    const auto r = static_cast<double>(rank);
    QStringList wrong;
    const auto expect = [&](const char* what, const at::Tensor& found, const at::Tensor& expected) {
        if (!at::equal(found.to(at::kDouble), expected.to(at::kDouble))) wrong << QLatin1String(what);
    };
    expect("sum", allReduced(filled(r + 1)), filled(10));
    expect("average", allReduced(filled(r + 1), "avg"), filled(2.5));
    expect("product", allReduced(filled(r + 1), "PRODUCT"), filled(24));
    expect("maximum", allReduced(filled(r), "max"), filled(3));
    expect("minimum", allReduced(filled(r + 1), "min"), filled(1));
    const at::Tensor all = waited(call("_c10d_functional::all_gather_into_tensor", {filled(r, {1, 2}), 4, "0"}));
    expect("all-gather", all.select(1, 0), numbers({0, 1, 2, 3}));
    const at::Tensor part =
        waited(call("_c10d_functional::reduce_scatter_tensor", {at::arange(8, at::kDouble) + r, "sum", 4, "0"}));
    expect("reduce-scatter", part, numbers({8 * r + 6, 8 * r + 10}));
    // Rank r sends k + 1 rows to rank k, which therefore gets k + 1 rows of each.
    const std::vector<std::int64_t> sent{1, 2, 3, 4}, got(4, static_cast<std::int64_t>(rank) + 1);
    const at::Tensor swapped = waited(call("_c10d_functional::all_to_all_single", {filled(r, {10}), got, sent, "0"}));
    expect("rows of all-to-all", numbers({double(swapped.size(0))}), numbers({4 * (r + 1)}));
    expect("all-to-all", swapped.view({4, -1}).select(1, 0), numbers({0, 1, 2, 3}));
    expect("broadcast", waited(call("_c10d_functional::broadcast", {filled(r), 2, "0"})), filled(2));
    const at::Tensor x = filled(r);
    waited(call("_c10d_functional::all_reduce_", {x, "sum", "0"}));
    expect("sum in place", x, filled(6));
    const at::Tensor cut = call("_dtensor::shard_dim_alltoall", {filled(r, {1, 4}), 0, 1, "0"}).toTensor();
    expect("all-to-all of shards", cut.view({4}), numbers({0, 1, 2, 3}));
    const auto next = static_cast<std::int64_t>((rank + 1) % 4), before = static_cast<std::int64_t>((rank + 3) % 4);
    const at::Tensor message = call("_c10d_functional::irecv", {filled(0), before, 7, "0"}).toTensor();
    call("_c10d_functional::isend", {filled(r), next, 7, "0"});
    expect("message", waited(message), filled(static_cast<double>(before)));
    return wrong.join(u", "_s);
}

void unfitPairRows() {
    const auto row = columns<int, QStringList>("which", "sentence");
    row("other order", 0, {u"collective 1 of group '0'"_s, u"rank 0 calls %a"_s, u"rank 1 calls %b"_s});
    row("other shapes", 1, {u"Float[4]"_s, u"Float[5]"_s});
    row("a rank that is missing", 2,
        {u"rank 0 is at %a, all_reduce (sum) of Float[4], collective 2 of group '0'"_s, u"rank 1 has ended"_s});
    row("a rank that dies", 3, {u"rank 1: out of coffee"_s});
    row("a message that nobody sends", 4, {u"a message of Float[4] from rank 1"_s});
    row("a message of another size", 5, {u"expects a message of Float[4], rank 1 sends"_s});
    row("other rows than expected", 6, {u"rank 1 sends 3 rows to rank 0, which expects 1"_s});
    row("two groups in turn", 7, {u"of group 'p'"_s, u"of group 'q'"_s});
    row("another reduction", 8, {u"all_reduce (sum)"_s, u"all_reduce (max)"_s});
    row("an unknown reduction", 9, {u"reduces with 'median'; expected sum, avg"_s});
    row("a rank that does not exist", 10, {u"names rank 9 of group '0', which has 2 ranks"_s});
    row("rows that cannot be cut", 11, {u"cuts Float[3] into 2 parts"_s});
    row("a group of another size", 12, {u"does not divide a world of 2 ranks"_s});
    row("no ranks in a group", 13, {u"has -4 ranks; expected 1 to"_s});
}

void unfitPair(int which, std::size_t rank) {
    const std::string a = "%a", b = "%b";
    const PlaceScope here(rank == 0 ? a : b);
    const at::Tensor x = filled(1);
    switch (which) {
        case 0:
            if (rank == 0) allReduced(x);
            else waited(call("_c10d_functional::all_gather_into_tensor", {x, 2, "0"}));
            break;
        case 1: allReduced(filled(1, {4 + static_cast<std::int64_t>(rank)})); break;
        case 2:
            allReduced(x);
            if (rank == 0) allReduced(x);
            break;
        case 3:
            if (rank == 1) throw Error("out of coffee");
            allReduced(x);
            break;
        case 4:
            if (rank == 0) waited(call("_c10d_functional::irecv", {x, 1, 0, "0"}));
            break;
        case 5:
            if (rank == 0) waited(call("_c10d_functional::irecv", {x, 1, 0, "0"}));
            else call("_c10d_functional::isend", {filled(1, {5}), 0, 0, "0"});
            break;
        case 6: {
            const std::vector<std::int64_t> sent{rank == 0 ? 1 : 3, 1}, got{1, 1};
            waited(call("_c10d_functional::all_to_all_single", {filled(1, {rank == 0 ? 2 : 4}), got, sent, "0"}));
            break;
        }
        case 7:
            allReduced(x, "sum", rank == 0 ? "p" : "q");
            allReduced(x, "sum", rank == 0 ? "q" : "p");
            break;
        case 8: allReduced(x, rank == 0 ? "sum" : "max"); break;
        case 9: allReduced(x, "median"); break;
        case 10: waited(call("_c10d_functional::broadcast", {x, 9, "0"})); break;
        case 11: call("_c10d_functional::reduce_scatter_tensor", {filled(1, {3}), "sum", 2, "0"}); break;
        case 12: call("_c10d_functional::all_gather_into_tensor", {x, 3, "other"}); break;
        default: call("_c10d_functional::all_gather_into_tensor", {x, -4, "0"});
    }
}

}  // namespace aotscope::test
