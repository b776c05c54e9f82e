import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createShell } from "../../../packages/server/src/shell/service/create-shell.ts";

/** A server with nothing but a shell: starts what it is told to and then waits to be ended. */
const [home = "", shelldPath = "", ...commands] = process.argv.slice(2);
const shell = createShell({ home, logger: silentLogger, secrets: [], shelldPath, env: { ...process.env, SHELL: "/bin/true" } });
const [bash] = shell.tools(conversationId("one"), home);
const call = { toolCallId: "call", signal: new AbortController().signal, output: () => undefined };
for (const command of commands) await bash?.run({ command, run_in_background: command.startsWith("exec ") }, call);
process.stdout.write("started\n");
setInterval(() => undefined, 1_000);
