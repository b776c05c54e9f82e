import { CLIENT_COMMANDS } from "@rightseat/cli/client-commands";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import type { CliDeps } from "./cli.ts";

/** What a command is given, and the table for whoever lists it. */
export interface CommandDeps extends CliDeps {
	commands: readonly Pick<CommandRow, "name" | "summary">[];
}

/** A command, loaded. */
export interface Command {
	/** `args` is what stands after the name. Gives the exit code, or undefined while a server runs on. */
	run(args: readonly string[], deps: CommandDeps): Promise<number | undefined>;
}

/** A row of the table. Nothing of a command is loaded before it is called: each must work where another's libraries are broken. */
export interface CommandRow {
	name: string;
	/** One line for `rightseat help`. */
	summary: Readonly<Record<SpokenLanguage, string>>;
	load(): Promise<Command>;
}

export const COMMANDS: readonly CommandRow[] = [
	{
		name: "start",
		summary: { en: "start the server (the same as no command)", "zh-Hant": "啟動伺服器（不加指令也一樣）" },
		load: async () => (await import("./server-commands.ts")).startCommand,
	},
	{
		name: "prepare",
		summary: { en: "fetch what the first start would fetch, and end", "zh-Hant": "先下載首次啟動所需的檔案，然後結束" },
		load: async () => (await import("./server-commands.ts")).prepareCommand,
	},
	{
		name: "doctor",
		summary: { en: "check this machine and the configuration", "zh-Hant": "檢查這台機器和設定" },
		load: async () => (await import("./server-commands.ts")).doctorCommand,
	},
	{
		name: "pair",
		summary: { en: "let a phone reach this server, and log it in", "zh-Hant": "讓手機連到這個伺服器並登入" },
		load: async () => (await import("../reach/pair-command.ts")).pairCommand,
	},
	{
		name: "service",
		summary: { en: "keep the server running in the background", "zh-Hant": "讓伺服器在背景持續執行" },
		load: async () => (await import("../service/service-command.ts")).serviceCommand,
	},
	{
		name: "fleet",
		summary: { en: "join the Rightseats of several machines", "zh-Hant": "把多台機器上的 Rightseat 連成機群" },
		load: async () => (await import("../fleet/fleet-command.ts")).fleetCommand,
	},
	{
		name: "uninstall",
		summary: { en: "show everything that Rightseat made here, and remove it", "zh-Hant": "顯示 Rightseat 在這裡建立的一切，並移除" },
		load: async () => (await import("../service/uninstall-command.ts")).uninstallCommand,
	},
	...CLIENT_COMMANDS.map((row) => ({
		name: row.name,
		summary: row.summary,
		async load(): Promise<Command> {
			const { runCommand } = await import("@rightseat/cli/run-command");
			return { run: (args) => runCommand(row, args) };
		},
	})),
	{
		name: "version",
		summary: { en: "print the version", "zh-Hant": "顯示版本" },
		load: async () => (await import("./server-commands.ts")).versionCommand,
	},
	{
		name: "help",
		summary: { en: "print this", "zh-Hant": "顯示這份說明" },
		load: async () => (await import("./server-commands.ts")).helpCommand,
	},
];
