import { CLIENT_COMMANDS } from "./client-commands.ts";
import { runCommand } from "./run-command.ts";

// The program `dist/cli.js`: the commands without the server, so that a script does not wait for what it does not need.
const [name, ...argv] = process.argv.slice(2);
const command = CLIENT_COMMANDS.find((row) => row.name === name);
if (command === undefined) {
	process.stderr.write(`rightseat: unknown command ${JSON.stringify((name ?? "").slice(0, 80))}.\n`);
	process.exit(2);
}
process.exit(await runCommand(command, argv));
