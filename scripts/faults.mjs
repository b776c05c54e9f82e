import { runTool } from "./lib/run-tool.mjs";

await runTool(
	"test/faults/run-faults.ts",
	process.argv.slice(2),
	"A promise was broken; the rounds above say which, and their seeds repeat them.",
);
