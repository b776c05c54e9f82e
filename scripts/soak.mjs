import { runTool } from "./lib/run-tool.mjs";

await runTool("test/faults/run-soak.ts", process.argv.slice(2), "Something rises or broke; the lines above say what.");
