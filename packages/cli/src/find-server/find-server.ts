import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command.ts";
import type { Options } from "../commands/options.ts";
import { wordsIn } from "../words.ts";

/** Where a server is and what lets us in. */
export interface FoundServer {
	/** Without a slash at the end. */
	url: string;
	token: string;
	/** Found by its home on this machine: its certificate is for the name that others use, not for this address. */
	isOwn: boolean;
}

/** What a running server writes into its home. Whatever else stands there is ignored. */
const serverFileSchema = z.object({ url: z.string(), pid: z.number() });

/** Finds the server by `--url` and RIGHTSEAT_TOKEN, or by its home. Throws CliError when there is none to be found. */
export function findServer(options: Pick<Options, "text">, context: Pick<CommandContext, "env" | "cwd" | "language">): FoundServer {
	const words = wordsIn(context.language);
	const { env, cwd } = context;
	const home = resolve(cwd, options.text("home") ?? nonEmpty(env.RIGHTSEAT_HOME) ?? join(homedir(), ".rightseat"));
	const given = options.text("url");
	if (given !== undefined) {
		const url = addressOf(given);
		if (url === undefined) throw new CliError(words.badUrl(given));
		const token = nonEmpty(env.RIGHTSEAT_TOKEN) ?? (isLoopback(url) ? readIfThere(join(home, "token"))?.trim() : undefined);
		if (token === undefined) throw new CliError(isLoopback(url) ? words.noToken : words.noTokenForUrl(url.origin));
		return { url: baseOf(url), token, isOwn: false };
	}
	const file = readServerFile(home);
	// The address of a server that has died may be somebody else's by now; our token is not for them.
	if (file === undefined || !isOwnProcess(file.pid)) throw new CliError(words.noServer(home));
	const token = readIfThere(join(home, "token"))?.trim() ?? nonEmpty(env.RIGHTSEAT_TOKEN);
	if (token === undefined || token === "") throw new CliError(words.noToken);
	return { url: file.url, token, isOwn: true };
}

function readServerFile(home: string): { url: string; pid: number } | undefined {
	const text = readIfThere(join(home, "server.json"));
	if (text === undefined) return undefined;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	const parsed = serverFileSchema.safeParse(value);
	const url = parsed.success ? addressOf(parsed.data.url) : undefined;
	return parsed.success && url !== undefined ? { url: baseOf(url), pid: parsed.data.pid } : undefined;
}

/** Runs it, and is it a process that we may signal? */
function isOwnProcess(pid: number): boolean {
	if (!Number.isSafeInteger(pid) || pid <= 0) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

function addressOf(text: string): URL | undefined {
	if (!URL.canParse(text)) return undefined;
	const url = new URL(text);
	return (url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === "" ? url : undefined;
}

const baseOf = (url: URL) => `${url.origin}${url.pathname.replace(/\/+$/, "")}`;

const isLoopback = ({ hostname }: URL) => /^127\.\d+\.\d+\.\d+$|^\[::1\]$|^(?:.+\.)?localhost$/.test(hostname);

const nonEmpty = (value: string | undefined) => (value === undefined || value === "" ? undefined : value);

function readIfThere(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined;
	}
}
