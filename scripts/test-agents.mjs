import { runTool } from "./lib/run-tool.mjs";

const given = process.argv.slice(2);
if (given.includes("--scripted")) {
	const args = ["agents", ...given.filter((one) => one !== "--scripted")];
	await runTool("test/proof/run-cases.ts", args, "A case of the scripted agent does not hold; the lines above say which.");
} else await runTool("test/agents/run-agents.ts", given, "A real agent broke a promise; the lines above say which.");
