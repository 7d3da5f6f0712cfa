// The subcommand fit.

#include "test_cli.h"

#include "session/described_tables.h"

#include <nlohmann/json.hpp>

using namespace aotscope;
using namespace aotscope::test;

namespace {

nlohmann::json fitOf(const char* arguments) {
    const ProgramRun run = runProgram(words("fit --json") + words(arguments));
    return run.code == 0 ? nlohmann::json::parse(run.out.toStdString()) : nlohmann::json();
}

}  // namespace

void TestCli::fitsOnADevice() {
    const auto fit = fitOf("sample:gpt2-tiny --device a100 --batch 1..64 --optimizer adamw");
    QVERIFY(!fit.is_null());
    QCOMPARE(fit.at("device").get<std::string>(), "NVIDIA A100");
    QCOMPARE(fit.at("memory_bytes").get<std::int64_t>(), 80'000'000'000);
    QVERIFY(!fit.contains("next_batch"));
    std::int64_t last = 0, batch = 0;
    for (const auto& row : fit.at("rows")) {
        QVERIFY(row.at("batch").get<std::int64_t>() > batch && row.at("peak_bytes").get<std::int64_t>() > last);
        QCOMPARE(row.at("state_bytes"), 2 * row.at("parameter_bytes").get<std::int64_t>());
        QVERIFY(row.at("estimated_ms").at("step").get<double>() > 0 && row.at("fits").get<bool>());
        batch = row.at("batch").get<std::int64_t>();
        last = row.at("peak_bytes").get<std::int64_t>();
    }
    QCOMPARE(batch, 64);
}

/// The limit lies between two batches, and the figures of both say so.
void TestCli::fitsIntoAGivenMemory() {
    const auto fit = fitOf("sample:mlp --batch x.0=1..100000 --memory 4MB --optimizer sgd");
    QVERIFY(!fit.is_null());
    const auto largest = fit.at("largest_batch").get<std::int64_t>();
    QCOMPARE(fit.at("next_batch").get<std::int64_t>(), largest + 1);
    for (const auto& row : fit.at("rows")) {
        const bool fits = row.at("peak_bytes").get<std::int64_t>() <= 4'000'000;
        QCOMPARE(row.at("fits").get<bool>(), fits);
        QCOMPARE(row.at("batch").get<std::int64_t>() <= largest, fits);
        if (row.at("batch") == fit.at("next_batch"))
            QCOMPARE(fit.at("excess_bytes").get<std::int64_t>(), -row.at("spare_bytes").get<std::int64_t>());
    }
    const ProgramRun text = runProgram(words("fit sample:mlp --batch 1..100000 --memory 4MB --optimizer sgd"));
    const QString last = QString::fromUtf8(text.out).trimmed().section(u'\n', -1);
    QVERIFY2(last.startsWith(u"largest batch that fits into 4.00 MB: %1; %2 needs "_s.arg(largest).arg(largest + 1)),
             qPrintable(last));
}

/// At the model's own size, the figures are those of a report.
void TestCli::fitsAreThoseOfReports() {
    const ProgramRun run = runProgram(resolved(u"run sample:mlp --report @mlp.json"_s));
    QVERIFY2(run.code == 0, run.text().constData());
    const auto memory = nlohmann::json::parse(contentOf(at(u"mlp.json"_s)).toStdString()).at("memory");
    const auto row = fitOf("sample:mlp --batch 32").at("rows").at(0);
    QCOMPARE(row.at("predicted_peak_bytes"), memory.at("peak_bytes"));
    std::int64_t given = 0;
    for (const char* part : {"parameter_bytes", "buffer_bytes", "input_bytes", "tangent_bytes"})
        given += row.at(part).get<std::int64_t>();
    QCOMPARE(given, memory.at("given_bytes").get<std::int64_t>());
}

/// The peak of a step is what `train` measures, whose optimizer without states changes parameters in place.
void TestCli::fitsAreMeasured_data() { rowsOf("model", {"mlp", "bert-tiny", "gpt2-tiny"}); }
void TestCli::fitsAreMeasured() {
    QFETCH(QString, model);
    const QString sample = u"sample:"_s + model;
    const ProgramRun run = runProgram(resolved(u"train %1 --steps 2 --json @train.json"_s.arg(sample)));
    QVERIFY2(run.code == 0, run.text().constData());
    const auto measured = nlohmann::json::parse(contentOf(at(u"train.json"_s)).toStdString())
                              .at("training")
                              .at("compiled")
                              .at("peak_bytes")
                              .get<double>();
    const auto row = fitOf((sample + u" --static-shapes --optimizer sgd --loss mean-square"_s).toUtf8().constData())
                         .at("rows")
                         .at(0);
    double predicted = row.at("peak_bytes").get<double>();
    for (const char* lasting : {"parameter_bytes", "buffer_bytes", "state_bytes"})
        predicted -= row.at(lasting).get<double>();
    QVERIFY2(std::abs(predicted - measured) < 0.03 * measured, qPrintable(QString::number(predicted / measured)));
}

/// A model of one size has one row, and a sentence that says why.
void TestCli::fitsOfOneSize() {
    for (const auto& [arguments, why] :
         {std::pair("sample:mlp --static-shapes", "--static-shapes"),
          std::pair("sample:mlp --inputs f32[1,64]", "it is 1, and sizes of 0 and 1 are compiled by themselves")}) {
        const auto fit = fitOf(arguments);
        QVERIFY(!fit.is_null());
        QCOMPARE(fit.at("rows").size(), 1U);
        QVERIFY(!fit.at("rows").at(0).contains("batch") && !fit.contains("largest_batch"));
        const QString note = QString::fromStdString(fit.at("note").get<std::string>());
        QVERIFY2(note.contains(QLatin1String(why)), qPrintable(note));
    }
}

/// Batches beyond the range of the size are left out.
void TestCli::fitsWithinTheRangeOfASize() {
    const auto fit = fitOf("sample:mlp --dynamic x.0=4..40 --batch 1..64");
    QVERIFY(!fit.is_null());
    QCOMPARE(fit.at("rows").front().at("batch").get<int>(), 4);
    QCOMPARE(fit.at("rows").back().at("batch").get<int>(), 40);
    QCOMPARE(fit.at("note").get<std::string>(), "Other batches than 4 to 40 are left out: their graphs differ.");
}

/// Those of one rank, which waits for collectives.
void TestCli::fitsOfARank() {
    const auto fit = fitOf(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/mlp_tensor.pt2 --world-size 4 --batch 8");
    QVERIFY(!fit.is_null());
    QVERIFY(fit.at("rows").at(0).at("estimated_ms").at("exposed").get<double>() > 0);
}

void TestCli::badFits_data() {
    const auto row = refusalRows();
    row("fit sample:mlp --batch 0", 2, "--batch '0': expected a number from 1 to");
    row("fit sample:mlp --batch 64..1", 2, "--batch '64..1': expected a number from 1 to");
    row("fit sample:mlp --batch y.0=1..4", 2, "--dynamic names 'y.0', which is not a size");
    row("fit sample:mlp --optimizer adamax", 2, "--optimizer");
    row("fit sample:mlp --device h1000", 2,
        "--device h1000: expected cpu, cuda or cuda:N, or a GPU by its data sheet: 'b200', 'h200', 'h100', ");
    row("fit sample:mlp --loss none", 2, "--loss");
    row("fit sample:mlp --memory much", 2, "--memory much: expected a size in kB, MB,");
    row("fit sample:mlp --inference", 2, "--inference: a training step needs gradients; remove this option");
    row("fit sample:sincos", 1, "no parameter of the model gets a gradient: there is nothing to train");
    row("fit sample:sincos --inputs f32[4,5]", 1, "there is nothing to partition: ");
}
void TestCli::badFits() { isRefused(scratch_); }
