import { runTool } from "./lib/run-tool.mjs";

await runTool("test/agents/run-agents.ts", process.argv.slice(2), "A real agent broke a promise; the lines above say which.");
