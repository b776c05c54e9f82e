import { runTool } from "./lib/run-tool.mjs";

const args = process.argv.slice(2);
const isFleet = args.includes("--fleet");
if (isFleet) await (await import("./lib/nats-server.mjs")).ensureNatsServer();

await runTool(
	isFleet ? "test/faults/fleet/run-fleet-faults.ts" : "test/faults/run-faults.ts",
	args,
	"A promise was broken; the rounds above say which, and their seeds repeat them.",
);
