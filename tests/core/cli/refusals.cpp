// Refusals of the command line: exit codes and messages.

#include "test_cli.h"

using namespace aotscope::test;

#define EXPORTED AOTSCOPE_SOURCE_DIR "/tests/data/exported/dynamic_batch.pt2"
#define PRINTED AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log"
#define RECORDED AOTSCOPE_SOURCE_DIR "/tests/data/"
#define MESSAGES AOTSCOPE_SOURCE_DIR "/tests/data/messages/"
#define PASSES AOTSCOPE_SOURCE_DIR "/tests/data/printed/passes/plain"

void TestCli::isRefusedWithoutTraces() const {
    const QStringList before = scratch_.files();
    isRefused(scratch_);
    QCOMPARE(scratch_.files(), before);
}

void TestCli::usageErrors_data() {
    const auto row = refusalRows();
    row("run", 2, "MODEL is required; see 'aotscope run --help'");
    row("passes -e x.sin() sample:mlp", 2,
        "aotscope: --code: the model is given twice; leave one out; see 'aotscope passes");
    row("run sample:mlp --no-such-option", 2, "--no-such-option");
    row("run sample:mlp superfluous", 2, "superfluous");
    row("run sample:mlp --time 0", 2, "--time");
    row("run sample:mlp --time many", 2, "--time");
    row("run sample:mlp --warm-up 2", 2, "--warm-up requires --time");
    row("run sample:mlp --trace @t.json", 2, "--trace");
    row("run sample:mlp --csv @t.csv", 2, "there are no times to write; add --time N");
    row("run sample:mlp --time 1 --against --such", 2, "--against");
    row("run sample:mlp --seed x", 2, "--seed");
    row("run sample:mlp --mode fast", 2, "--mode");
    row("run sample:mlp --autocast cpu:int8", 2, "--autocast");
    row("run sample:mlp --autocast cuda:float16", 2, "--autocast cuda:float16: the model runs on cpu");
    row("run sample:mlp --partition best", 2, "--partition");
    row("run sample:mlp --decompose all", 2,
        "there is no decomposition table 'all'; expected none, core-aten, inductor, prims, or a JSON file");
    row("export sample:mlp --colour mauve -o @g.svg", 2, "--colour");
    row("export sample:mlp --colour-blind -o @g.txt", 2, "--colour-blind: a txt file has no colours");
    row("diff sample:mlp --passes joint..backward --colour-blind", 2, "--colour-blind requires --output");
    row("run sample:mlp --compiler torchscrpt", 2, "there is no compiler 'torchscrpt' (there are 'interpreter', ");
    row("run sample:mlp --backward-compiler torchscrpt", 2, "did you mean 'torchscript'?");
    row("run sample:mlp --inference-compiler torchscrpt", 2, "did you mean 'torchscript'?");
    row("run sample:mlp --compiler-option freeze=true", 2, "--compiler-option freeze=true: expected NAME.KEY=VALUE");
    row("run sample:mlp --compiler-option torchscript.freeze", 2, "expected NAME.KEY=VALUE");
    row("run sample:mlp --compiler-option torchscript.freeze=maybe", 2, "expected one of 'true', 'false'");
    row("run sample:mlp --plugin @missing.so", 2, "missing.so': no such file; check the path");
    row("run sample:mlp --plugin @text.txt", 2, "plug-in '");
    row("compilers --plugin " PLUGIN_OLD, 2, "it was built for 'aotscope compilers 0, LibTorch 1.0.0', this");
    row("run sample:mlp --device tpu", 2, "--device tpu: expected cpu, cuda or cuda:N");
    row("run sample:mlp --cuda-graphs", 2, "--cuda-graphs: needs --device cuda");
    row("train sample:mlp --steps 0", 2, "--steps");
    row("train sample:mlp --lr -1", 2, "--lr");
    row("train sample:mlp --optimizer best", 2, "--optimizer");
    row("train sample:mlp --inference", 2, "training needs gradients");
    row("train sample:sincos", 1, "the model has no parameter that requires a gradient: there is nothing to train");
    row("train sample:mlp --data @missing.pt", 1, "missing.pt': no such file; check the path");
    row("run sample:mlp --inputs @text.txt", 2,
        "a .json input spec, a .pt, .npy or .safetensors file of tensors, or types");
    row("run @model.pt --inputs @good.json --dynamic x.0=9..2", 2,
        "--dynamic x.0=9..2: expected NAME=MIN..MAX, for example batch=2..64");
    row("run @model.pt --inputs @good.json --dynamic all=2..9", 2, "--dynamic all=2..9: 'all' takes no range");
    row("run @model.pt --inputs @good.json --dynamic x.0=a..2", 2, "expected NAME=MIN..MAX");
    row("run @model.pt --inputs @good.json --dynamic x.0=2", 2, "expected NAME=MIN..MAX");
    row("run @model.pt --inputs @good.json --dynamic x.0=-2..5", 2, "expected NAME=MIN..MAX");
    row("run @model.pt --inputs @good.json --dynamic =2..5", 2, "expected NAME=MIN..MAX");
    row("run @model.pt --inputs @good.json --dynamic x.0=2..5 --static-shapes", 2, "--static-shapes");
    row("run @model.pt --inputs @named.json --check --at batch", 2,
        "--at batch: expected NAME=SIZE[,NAME=SIZE...], for example batch=4,length=7");
    row("run @model.pt --inputs @named.json --check --at batch=-1", 2, "expected NAME=SIZE[,NAME=SIZE...]");
    row("run @model.pt --inputs @named.json --check --at =3", 2, "expected NAME=SIZE[,NAME=SIZE...]");
    row("run @model.pt --inputs @named.json --check --at batch=3,batch=4", 2, "two sizes for 'batch'; give one");
    row("run @model.pt --inputs @named.json --at batch=3", 2, "--at requires --check");
    row("run @model.pt --inputs @named.json --recompile-limit -1", 2, "--recompile-limit");
    row("run @model.pt --inputs @named.json --recompile-limit x", 2, "--recompile-limit");
    row("export sample:mlp", 2, "--output is required");
    row("export sample:mlp --graph sideways -o @x.txt", 2,
        "--graph sideways: expected one of source, forward-traced, ");
    row("export sample:mlp -o @x.doc", 2, "as 'doc': this build writes txt, json, dot");
    row("export sample:mlp -o @x", 2, "this build writes txt, json, dot");
    row("export sample:mlp --format doc -o @x", 2, "--format");
}
void TestCli::usageErrors() { isRefusedWithoutTraces(); }

void TestCli::optionsThatNothingUses_data() {
    const auto row = refusalRows();
    row("run sample:mlp --solver greedy", 2, "--solver: only for a memory budget below 1: choose one");
    row("run sample:mlp --partition default --recompute-views", 2, "--recompute-views: only for the min-cut");
    row("run sample:mlp --inference --budget 0.5", 2, "--memory-budget: not for inference, which has no backward");
    row("run sample:mlp --inference --backward-compiler fused", 2, "--backward-compiler: not for inference");
    row("run sample:mlp --inference-compiler fused", 2, "--inference-compiler: only for inference");
    row("run sample:mlp --compiler-option fused.reductions=false", 2, "choose it with --compiler");
    row("run sample:mlp --compile-id 0/0", 2, "--compile-id: 'sample:mlp' is a model, not a log");
    row("run sample:mlp --world-size 4", 2, "--world-size: the graphs have no collectives");
    row("run sample:mlp --bucket 25MB", 2, "--bucket: the graphs have no collectives");
    row("run sample:mlp --recompile-limit 3", 2, "--recompile-limit: nothing runs here");
    row("run sample:mlp --rank-timeout 5", 2, "--rank-timeout: only for ranks that torchrun, mpirun or srun");
    row("run sample:mlp --ranks 2 --graphs", 2, "--graphs: takes one rank, and --ranks runs 2");
    row("run " EXPORTED " --mode train", 2, "--mode: an exported program has one mode only");
    row("run " PRINTED " --inference", 2, "--inference: printed graphs cannot be recompiled");
    row("run " PRINTED " --inputs @good.json", 2, "--inputs: ");
    row("run " PASSES " --inference", 2, "--inference: graphs printed by passes");
    row("partition " PASSES " --budget 0.3", 2, "passes/plain' is a sequence of printed passes");
    row("pareto sample:mlp --budget 0.5", 2, "--memory-budget: pareto goes through all budgets");
    row("export sample:mlp -o @x.txt --compiler fused", 2,
        "--compiler: what is shown here is the same for every compiler");
    row("export sample:mlp -o @x.txt --budget 0.5", 2,
        "--memory-budget: the joint graph is the same for every partition");
    row("export sample:mlp -o @x.txt --recompile-limit 3", 2, "--recompile-limit: nothing runs here");
    row("ops gelu --before-autograd --uncovered", 2, "--uncovered: has no effect here; leave it out");
    row("compiles " PRINTED " --why recompile", 2, "--why: '");
    row("compiles " PRINTED " --list guards", 2, "does not say that; record a log with TORCH_TRACE");
    row("compiles " PRINTED " --list times", 2, "is a text of TORCH_LOGS, which does not say that");
    row("compiles " PRINTED " --compile-id 7/7", 2, "has no such compilation; it has '0/0'");
    row("samples --jsn", 2, "did you mean '--json'? see 'aotscope samples --help'");
    row("run sample:mlp --chekc", 2, "did you mean '--check'? see 'aotscope run --help'");
    row("rn sample:mlp", 2, "there is no command 'rn'; did you mean 'run'? see 'aotscope --help'");
    row("run sample:mlp --report - --csv -", 2, "another output goes to the standard output");
}
void TestCli::optionsThatNothingUses() { isRefusedWithoutTraces(); }

void TestCli::modelErrors_data() {
    const auto row = refusalRows();
    row("run sample:nosuch", 1, "there is no sample 'nosuch'; choose one of sincos, mlp, ");
    row("run sample:mlpp", 1, "there is no sample 'mlpp'; did you mean 'mlp'? choose one of sincos, mlp, ");
    row("run @missing.pt", 1, "missing.pt': no such file; check the path");
    row("run @text.pt", 1, "text.pt': it is a text without printed graphs; expected a log written with");
    row("run " MESSAGES "aotinductor.pt2", 1, "it is an AOTInductor package, which is already compiled; export the");
    row("run " MESSAGES "torchsave_ep.pt2", 1, "save it in Python with torch.export.save(program, 'model.pt2')");
    row("run " MESSAGES "torchao_int8.pt2", 1, "torch.export.save(program.run_decompositions(), 'model.pt2')");
    row("run " MESSAGES "leaf_written.pt2", 1, "(in aten::sub_, b1.py line 63)");
    row("run " RECORDED "snapshots/ring.pickle", 1,
        "it is a snapshot of GPU memory, not a program; 'aotscope snapshot'");
    for (const char* dump : {"absent", "barrier"})  // a pickle and JSON
        row("run " RECORDED "flight_recorder/" + std::string(dump) + "/nccl_trace_rank_0", 1,
            "it is a dump of the flight recorder, not a program; 'aotscope hang'");
    row("snapshot " RECORDED "flight_recorder/absent/nccl_trace_rank_0", 1, "is not a memory snapshot: ");
    row("hang " RECORDED "snapshots/ring.pickle", 1, "has a name that does not end with its rank");
    row("snapshot " RECORDED "snapshots/ring.pickle --gpu 3", 2, "--gpu 3: the snapshot has memory of device 0");
    row("snapshot " RECORDED "snapshots/ring.pickle --moment oom", 2,
        "did not run out while this history was recorded");
    row("snapshot @x --against @y --list lines", 2, "--against prints differences; use it without --list");
    row("run @empty.pt2", 1, "empty.pt2': it is empty, not a zip archive");
    row("run @good.json", 1, "good.json': it is a JSON file, not a model");
    row("run @named.json", 1, "named.json': it is an input spec; give it with --inputs");
    row("run @truncated.pt --inputs @good.json", 1, "truncated.pt': the TorchScript archive is damaged");
    row("run @assigns.pt --inputs @one.json", 1, "assigns to its attribute 'w', which a pure function cannot do");
    row("run @model.pt --inputs @good.json --method encode", 2,
        "has no method 'encode' (it has: forward); choose one of them with --method");
    row("run " AOTSCOPE_SOURCE_DIR "/tests/data/exported/dynamic_batch.pt2 --method encode", 2,
        "is an exported program, which has no methods");
    row("passes @missing.pt", 1, "no such file; check the path");
    row("export @missing.pt -o @x.txt", 1, "no such file; check the path");
}
void TestCli::modelErrors() { isRefusedWithoutTraces(); }

void TestCli::inputErrors_data() {
    const auto row = refusalRows();
    row("run @model.pt", 1, "model.pt' has no example inputs; give --inputs");
    row("run @model.pt --inputs @missing.json", 1, "missing.json': no such file; check the path");
    row("run @model.pt --inputs @missing.pt", 1, "missing.pt': no such file; check the path");
    row("run @model.pt --inputs @text.pt", 1, "text.pt': it is not a file of tensors saved by torch.save");
    row("run @model.pt --inputs @broken.json", 1, "broken.json': it is not valid JSON (parse error at line 1");
    row("run @model.pt --inputs @key.json", 1, "key.json', [0]: unknown key 'dtyp'; known keys are shape, dtype");
    row("run @model.pt --inputs @args.json", 1,
        "operation 'view' takes other \"args\": a list of sizes, as in [[2, 3]]");
    row("run @model.pt --inputs @one.json", 1, "the model takes 2 inputs (x, y), the input spec gives 1");
    row("run @model.pt --inputs @number.json", 1,
        "input 'x' of the model is of type Tensor, the input spec gives a Int");
    row("run @model.pt --inputs @dtype.json", 1, "an input of dtype int8 cannot require a gradient");
    row("run @model.pt --inputs @deep.json", 1, "deep.json'");
    row("run @model.pt --inputs @deep_list.json", 1, "deep_list.json'");
}
void TestCli::inputErrors() { isRefusedWithoutTraces(); }

void TestCli::sizeErrors_data() {
    const auto row = refusalRows();
    row("run @model.pt --inputs @good.json --dynamic batch=2..5", 2,
        "--dynamic names 'batch', which is not a size: name a dimension of the input spec, or INPUT.DIMENSION as "
        "in "
        "'x.0'");
    row("run @model.pt --inputs @good.json --dynamic x.7=2..5", 2, "--dynamic names 'x.7', which is not a size");
    row("run @model.pt --inputs @named.json --dynamic x.0=2..9", 2, "it has another name there; name it in the spec");
    row("run @model.pt --inputs @named.json --dynamic batch=9..12", 2,
        "the size 'batch' is 8 in the example inputs, outside of the range that --dynamic gives; widen the range");
    row("run @model.pt --inputs @good.json --check --at x.0=4", 2, "'x.0' is not a dynamic size; give --dynamic");
    row("run @model.pt --inputs @named.json --check --at length=4", 2,
        "'length' is not a dynamic size; dynamic sizes are 'batch'");
    row("run @model.pt --inputs @named.json --check --at batch=65 --recompile-limit 0", 1,
        "s0 (batch, x.size(0)) is 65, expected at most 64), and recompiling is disabled");
}
void TestCli::sizeErrors() { isRefusedWithoutTraces(); }

void TestCli::pipelineErrors_data() {
    const auto row = refusalRows();
    row("run @model.pt --inputs @shape.json", 1, "pass 'forward-traced' failed: The size of tensor a (4) must match");
    row("run @asserts.pt --inputs @one.json", 1, "pass 'forward-traced' failed: AssertionError: too few rows");
    row("passes @asserts.pt --inputs @one.json", 1, "too few rows");
    row("run @written.pt --inputs @one.json", 1, "the model formats a tensor as text");
    row("run @cuda_only.pt --inputs @one.json", 1,
        "Could not run 'aten::_fused_dropout' with arguments from the 'CPU' backend: it has no kernel there; use");
    row("export @written.pt --inputs @one.json --graph joint -o @x.txt", 1, "the model formats a tensor as text");
    row("export sample:mlp --graph inference -o @x.txt", 1,
        "this run has no inference graph (joint graph: output 0 requires a gradient); it has source, "
        "forward-traced, functional, joint");
    row("export sample:mlp --inference --graph joint -o @x.txt", 1, "this run has no joint graph (inference graph: ");
    row("debug @asserts.pt --inputs @one.json", 1, "too few rows");
}
void TestCli::pipelineErrors() { isRefusedWithoutTraces(); }

void TestCli::debugErrors_data() {
    const auto row = refusalRows();
    row("debug sample:mlp --watch nobody", 2, "'nobody': there is no such node or input");
    row("debug sample:mlp --watch rel", 2, "similar names: 'relu'");
    row("debug sample:mlp --set x", 2, "--set x: expected NODE=VALUE");
    row("debug sample:mlp --set x=a", 1, "new value of %");
    row("debug sample:mlp --break absmax>>3", 1, "query, character");
}
void TestCli::debugErrors() { isRefusedWithoutTraces(); }

void TestCli::writeErrors_data() {
    const auto row = refusalRows();
    row("export sample:mlp -o @no/such/folder/x.txt", 1, "cannot write '");
    row("export sample:mlp --format txt -o @.", 1, "cannot write '");
    row("run sample:sincos --report @no/such/folder/r.json", 1, "cannot write '");
}
void TestCli::writeErrors() { isRefusedWithoutTraces(); }
