#include "session/session.h"

#include "support/error.h"

namespace aotscope {

Options withPartition(const Session& session, PartitionOptions partition) {
    Options options = session.options();
    options.partition = std::move(partition);
    options.repartition = !session.whyNotCompiled().empty();
    return options;
}

GraphExample exampleWithoutValues(const std::string& why, ExampleValues values) {
    if (values == ExampleValues::all) throw Error("--values: there are no values to write: " + why);
    GraphExample example;
    example.whyNone = why;
    return example;
}

void Session::learnCosts(const Progress& progress) const {
    auto known = std::make_shared<CompileRecord>(*record());
    try {
        known->costs = std::make_shared<const OperatorCosts>(executable(progress).operatorCosts({}, progress));
    } catch (const std::exception&) {  // what was measured is not lost for that
        return;
    }
    const std::scoped_lock lock(recordGuard_);
    earlier_.push_back(std::exchange(record_, std::move(known)));
}

const Executable& Session::executable(const Progress& /*progress*/) const { throw Error(whyNotExecutable()); }

GraphExample Session::example(const Graph& graph, GraphKind kind, ExampleValues values,
                              const Progress& progress) const {
    const std::string why = record_->error.empty() ? whyNotExecutable() : record_->error;
    return why.empty() ? executable(progress).example(graph, kind, values, progress)
                       : exampleWithoutValues(why, values);
}

}  // namespace aotscope
