import { homedir } from "node:os";
import type { Config } from "../config/config.ts";

/** Where it listens, for scripts on this machine: people may reach it under another address. */
export function listeningUrl(config: Config, port: number): string {
	const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
	const host = everywhere[config.host] ?? config.host;
	return `${config.tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What people read below the ready line: where to open it, who answers, how to stop. */
export function greeting(config: Config, at: { loginUrl: string; port: number; logFile: string }): string {
	const rows: [string, ...string[]][] = [
		["Open", at.loginUrl, "This link logs you in once, within 10 minutes.", ...secondChoice(config, at)],
		["Agent", ...agentLines(config)],
		["Telegram", config.telegram === undefined ? "off (TELEGRAM_BOT_TOKEN turns it on)" : "on"],
		["Kept in", `${short(config.home)} (log: ${short(at.logFile)})`],
		["Stop", "Ctrl+C"],
	];
	return rows.map(([title, ...lines]) => `  ${title.padEnd(10)}${lines.join(`\n${" ".repeat(12)}`)}`).join("\n");
}

/** Not every browser knows the names below `localhost`; the bare address works everywhere, but shares its cookies with every port. */
function secondChoice(config: Config, { loginUrl, port }: { loginUrl: string; port: number }): string[] {
	const plain = `${listeningUrl(config, port)}/${new URL(loginUrl).hash}`;
	return new URL(loginUrl).hostname.endsWith(".localhost") ? [`If your browser does not find it: ${plain}`] : [];
}

function agentLines(config: Config): string[] {
	if (config.provider !== undefined) return [`your own model provider (${config.provider.type}) at ${config.provider.url}`];
	if (config.githubToken !== undefined) return ["GitHub Copilot"];
	return [
		"demo pilot: a scripted demo, no real model answers",
		"Connect a real one on the page; or set GITHUB_TOKEN (Copilot) or RIGHTSEAT_PROVIDER_URL (your own) and start again.",
	];
}

const short = (path: string) => (path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path);
