import { runCli } from "./cli/cli.ts";

// A reader that went away (`npm start | head`) is no reason to die.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const exitCode = await runCli({
	argv: process.argv.slice(2),
	env: process.env,
	cwd: process.cwd(),
	print: (text) => process.stdout.write(`${text}\n`),
	printError: (text) => process.stderr.write(`${text}\n`),
});
// Half-started parts may hold the process open; their work is over.
if (exitCode !== undefined) process.exit(exitCode);
