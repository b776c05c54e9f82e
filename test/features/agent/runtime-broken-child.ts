import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createCopilotRuntime } from "../../../packages/server/src/runtime/copilot/create-copilot-runtime.ts";
import { createClient } from "../../../packages/server/src/runtime/copilot/process/client-options.ts";
import { guardTransport } from "../../../packages/server/src/runtime/copilot/process/guard-transport.ts";
import { createMarkers } from "../../../packages/server/src/runtime/markers.ts";
import { createLocalFolders } from "../../support/local-folders.ts";

// Run by runtime-death.test.ts in a process without handlers, where a stray rejection is the end.
const home = process.argv[2] ?? "";
const client = guardTransport(createClient({ home, env: process.env }));
Reflect.set(Reflect.get(client, "options"), "workingDirectory", `${home}/not-there`);
await client.start().catch((error: unknown) => console.log(`refused: ${String(error)}`));
await client.forceStop();

const runtime = createCopilotRuntime({
	home,
	markers: createMarkers(home),
	folders: createLocalFolders(systemClock),
	clock: systemClock,
	logger: silentLogger,
	env: { ...process.env, COPILOT_CLI_PATH: `${home}/not-there` },
});
await runtime.getClient().catch((error: unknown) => console.log(error instanceof AppError ? error.code : "?"));
await new Promise((resolve) => setTimeout(resolve, 300));
await runtime.close();
console.log("alive");
