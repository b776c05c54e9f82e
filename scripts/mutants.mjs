import { runTool } from "./lib/run-tool.mjs";

await runTool("test/mutants/run-mutants.ts", process.argv.slice(2), "A mutant survived: no test holds what it breaks. Write that test.");
