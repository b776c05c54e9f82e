import { COMMANDS } from "./commands.ts";

export interface CliDeps {
	argv: readonly string[];
	env: NodeJS.ProcessEnv;
	cwd: string;
	/** One line or block to standard output, to standard error. */
	print(text: string): void;
	printError(text: string): void;
}

/** Runs a command. Gives the exit code, or undefined while a server runs on. */
export async function runCli(deps: CliDeps): Promise<number | undefined> {
	const [first, ...rest] = deps.argv;
	const named = first !== undefined && !first.startsWith("-");
	const name = named ? first : "start";
	const row = COMMANDS.find((command) => command.name === name);
	if (row === undefined) {
		const known = COMMANDS.map((command) => command.name).join(", ");
		deps.printError(`Unknown command ${JSON.stringify(name.slice(0, 80))}. There are ${known}.`);
		return 2;
	}
	const command = await row.load();
	return await command.run(named ? rest : deps.argv, { ...deps, commands: COMMANDS });
}
