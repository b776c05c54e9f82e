import { mcpTokensAnswer, newMcpTokenAnswer } from "@rightseat/protocol/http/mcp";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import * as z from "zod/mini";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { writeAll } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { wordsIn } from "../words.ts";
import type { CommandContext, RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { runBridge } from "./mcp-bridge.ts";
import { type Options, parseOptions } from "./options.ts";

/** `rightseat mcp`: conversations for an MCP client, over standard input and output; and the tokens for `/mcp`. */
export const mcp: RunCommand = async (context) => {
	const { language } = context;
	const options = parseOptions(context.argv, { permissions: { type: "string" }, reach: { type: "string" } }, language);
	if (options.has("help")) return await helpOf("mcp", context);
	const [what, argument, ...more] = options.positionals;
	const words = WORDS[language];
	if (more.length > 0) throw new CliError(wordsIn(language).tooManyArguments);
	const permissions = oneOf(options, "permissions", ["ask", "auto"], language) ?? "ask";
	const reach = oneOf(options, "reach", ["own", "all"], language);
	const isKnown = what === undefined || ["token", "tokens", "revoke"].includes(what);
	if (!isKnown) throw new CliError(words.unknown(safeLine(what)));
	if ((what === "token" || what === "revoke") && argument === undefined)
		throw new CliError(what === "token" ? words.needsName : words.needsId);
	const server = findServer(options, context);
	// Whoever runs this on the server's machine has the owner's token and sees everything anyway.
	if (what === undefined) return await runBridge(context, server, { permissions, reach: reach ?? "all" });
	const api = createApi(server);
	try {
		if (what === "token") return await makeToken(context, api, { name: argument ?? "", permissions, reach: reach ?? "own" });
		if (what === "revoke") return await revoke(context, api, argument ?? "");
		return await listTokens(context, api);
	} catch (error) {
		throw await asCliError(error, server.url, language);
	}
};

async function makeToken({ stdout, stderr, language }: CommandContext, api: Api, wanted: object): Promise<number> {
	const { secret } = await api.post("/api/mcp-tokens", wanted, newMcpTokenAnswer);
	await writeAll(stdout, [`${secret}\n`]);
	stderr.write(`${WORDS[language].shownOnce}\n`);
	return EXIT.done;
}

async function revoke({ stderr, language }: CommandContext, api: Api, id: string): Promise<number> {
	await api.delete(`/api/mcp-tokens/${encodeURIComponent(id)}`, z.undefined());
	stderr.write(`${WORDS[language].revoked}\n`);
	return EXIT.done;
}

async function listTokens({ stdout, stderr, language }: CommandContext, api: Api): Promise<number> {
	const { tokens } = await api.get("/api/mcp-tokens", mcpTokensAnswer);
	if (tokens.length === 0) stderr.write(`${WORDS[language].none}\n`);
	const rows = tokens.map(({ id, permissions, reach, lastUsedAt, name }) => [id, permissions, reach, lastUsedAt ?? "-", safeLine(name)]);
	await writeAll(
		stdout,
		rows.map((row) => `${row.join("  ")}\n`),
	);
	return EXIT.done;
}

function oneOf(options: Options, flag: string, known: readonly string[], language: SpokenLanguage): string | undefined {
	const given = options.text(flag);
	if (given !== undefined && !known.includes(given)) throw new CliError(WORDS[language].choice(flag, known));
	return given;
}

interface McpWords {
	unknown(what: string): string;
	choice(flag: string, known: readonly string[]): string;
	needsName: string;
	needsId: string;
	shownOnce: string;
	revoked: string;
	none: string;
}

const WORDS: Readonly<Record<SpokenLanguage, McpWords>> = {
	en: {
		unknown: (what) => `there is no "mcp ${what}". Try --help.`,
		choice: (flag, known) => `--${flag} is ${known.join(" or ")}.`,
		needsName: 'what is the token for? Give it a name: rightseat mcp token "Editor"',
		needsId: 'which token? "rightseat mcp tokens" lists them with their ids.',
		shownOnce: "This token is shown only now. A client sends it to /mcp as a Bearer token (docs/mcp.md).",
		revoked: "Revoked.",
		none: 'There are no tokens yet. Make one with: rightseat mcp token "Editor"',
	},
	"zh-Hant": {
		unknown: (what) => `沒有「mcp ${what}」。請看 --help。`,
		choice: (flag, known) => `--${flag} 只能是 ${known.join(" 或 ")}。`,
		needsName: '這個權杖給誰用？請取個名字：rightseat mcp token "Editor"',
		needsId: "哪一個權杖？「rightseat mcp tokens」會列出編號。",
		shownOnce: "這個權杖只顯示這一次。用戶端以 Bearer 權杖傳到 /mcp（docs/mcp.md）。",
		revoked: "已撤銷。",
		none: '還沒有權杖。可以這樣建立：rightseat mcp token "Editor"',
	},
};
