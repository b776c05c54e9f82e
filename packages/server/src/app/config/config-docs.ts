import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { ALL_SETTINGS } from "./config-schema.ts";
import type { Setting } from "./setting.ts";

/** A command, as the help lists it. */
interface ListedCommand {
	name: string;
	summary: Readonly<Record<SpokenLanguage, string>>;
}

const PROGRAM = "npx rightseat ";

/** What `--help` prints. */
export function helpText(commands: readonly ListedCommand[], language: SpokenLanguage): string {
	const nameWidth = Math.max(...commands.map(({ name }) => name.length));
	const list = commands.map(({ name, summary }) => `  ${PROGRAM}${name.padEnd(nameWidth)}  ${summary[language]}`);
	const rows = ALL_SETTINGS.map((setting) => [
		flagOf(setting),
		setting.env ?? (setting.flag === undefined ? `${setting.key} in config.json` : ""),
		plain(setting.description) + fallbackOf(setting, " Default: ", "."),
	]);
	const flagWidth = widest(rows, 0);
	const envWidth = widest(rows, 1);
	const lines = rows.map(([flag = "", env = "", text = ""]) => `  ${flag.padEnd(flagWidth)}  ${env.padEnd(envWidth)}  ${text}`);
	return `Rightseat: sit beside your coding agent from anywhere.

Usage
  ${"npm start -- [flags]".padEnd(PROGRAM.length + nameWidth)}  start the server
${list.join("\n")}

Each command has --help. Flags of start and doctor:
A flag wins over the environment, the environment over config.json in the home directory.

  ${"flag".padEnd(flagWidth)}  ${"environment".padEnd(envWidth)}  meaning
${lines.join("\n")}
`;
}

/** The table in docs/configuration.md. */
export function configTable(): string {
	const rows = ALL_SETTINGS.map((setting) => {
		const cells = [
			code(setting.env),
			code(flagOf(setting)),
			code(setting.key),
			setting.type.kind,
			fallbackOf(setting, "", "", code) || "–",
		];
		return `| ${[...cells, setting.description].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	});
	return ["| environment | flag | `config.json` | value | default | meaning |", "| --- | --- | --- | --- | --- | --- |", ...rows].join(
		"\n",
	);
}

const flagOf = (setting: Setting<unknown>) => (setting.flag === undefined ? "" : `--${setting.flag}`);
const code = (value: string | undefined) => (value === undefined || value === "" ? "–" : `\`${value}\``);
const plain = (markdown: string) => markdown.replaceAll("`", "");
const widest = (rows: string[][], column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));

function fallbackOf(setting: Setting<unknown>, before: string, after: string, wrap = (value: string) => value): string {
	if (setting.fallback !== undefined) return before + wrap(setting.fallback) + after;
	return setting.fallbackNote === undefined ? "" : before + setting.fallbackNote + after;
}
