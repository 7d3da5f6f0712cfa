#pragma once

#include "cost/book/operator_book.h"
#include "cost/runtime_model.h"
#include "record/compile_record.h"

#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// What operations have taken on `device` of this machine, as this and other processes have kept it until now. Empty
/// for a device that is not present. Thread-safe.
std::shared_ptr<const OperatorBook> operatorBook(const std::string& device);

/// What of the file was ignored when it was read last, as a sentence; empty: nothing.
std::string operatorBookNote(const std::string& device);

/// Adds to the book, of this process and on disk. Thread-safe.
void keepOperators(const std::string& device, const std::vector<OperatorEntry>& entries);

/// What is known of the operations in all graphs of a record, subgraphs included, on as many threads as operations may
/// use now.
std::shared_ptr<const OperatorCosts> knownCosts(const CompileRecord& record, const std::string& device);

/// Times of operations as the book knows them now, otherwise of the roofline, for any thread.
RuntimeModel bookTimes(const std::string& device);

}  // namespace aotscope
