import { randomUUID } from "node:crypto";
import { parse, resolve } from "node:path";
import { conversationAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { CliError, EXIT } from "../cli-error.ts";
import { type Api, createApi, RefusedError } from "../connection/api.ts";
import { getConversation } from "../connection/get-conversation.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { wordsIn } from "../words.ts";
import { runAsk } from "./ask-run.ts";
import type { CommandContext, RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { type Options, parseOptions } from "./options.ts";
import { readPrompt } from "./read-prompt.ts";

const FLAGS = {
	conversation: { type: "string", short: "c" },
	new: { type: "boolean" },
	agent: { type: "string" },
	model: { type: "string" },
	cwd: { type: "string" },
	json: { type: "boolean" },
	timeout: { type: "string" },
} as const;

/** `rightseat ask`: one prompt, its answer on standard output, everything else on standard error. */
export const ask: RunCommand = async (context) => {
	const { argv, language } = context;
	const words = wordsIn(language);
	const options = parseOptions(argv, FLAGS, language);
	if (options.has("help")) return await helpOf("ask", context);
	if (options.text("conversation") !== undefined && (options.has("new") || FOR_NEW.some((name) => options.text(name) !== undefined)))
		throw new CliError(words.conversationAndNew);
	const timeoutSeconds = options.number("timeout", 1);
	const server = findServer(options, context);
	const prompt = await readPrompt(options.positionals, context);
	let interrupted: () => void = () => process.exit(EXIT.ctrlC);
	const release = context.onInterrupt(() => interrupted());
	try {
		const conversation = await openConversation(createApi(server), options, { context, isOwn: server.isOwn }).catch(
			async (error: unknown) => {
				throw await asCliError(error, server.url, language);
			},
		);
		return await runAsk({
			...{ server, conversation, prompt, context },
			clientMessageId: randomUUID(),
			isJson: options.has("json"),
			timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1_000,
			onInterrupt(listener) {
				interrupted = listener;
			},
		});
	} finally {
		release();
	}
};

/** What only a new conversation takes. */
const FOR_NEW = ["agent", "model", "cwd"];

async function openConversation(
	api: Api,
	options: Options,
	{ context, isOwn }: { context: CommandContext; isOwn: boolean },
): Promise<Conversation> {
	const id = options.text("conversation");
	if (id !== undefined) return await getConversation(api, id);
	const [agent, model, folder] = [options.text("agent"), options.text("model"), options.text("cwd")];
	const wanted = { ...(agent === undefined ? {} : { agent }), ...(model === undefined ? {} : { model }) };
	const begin = async (body: object) => (await api.post("/api/conversations", body, conversationAnswer)).conversation;
	const { cwd } = context;
	if (folder !== undefined) return await begin({ ...wanted, cwd: resolve(cwd, folder) });
	// A server elsewhere has other folders, and nobody chooses the root: schedulers start programs there.
	if (!isOwn || cwd === parse(cwd).root) return await begin(wanted);
	try {
		return await begin({ ...wanted, cwd });
	} catch (error) {
		if (!isAboutFolder(error)) throw error;
		const conversation = await begin(wanted);
		context.stderr.write(`${safeLine(wordsIn(context.language).elsewhere(cwd, conversation.cwd))}\n`);
		return conversation;
	}
}

/** The server may not work there, or does not see it. */
const isAboutFolder = (error: unknown) =>
	error instanceof RefusedError && (error.code === "cwd-missing" || error.params?.reason === "outside-roots");
