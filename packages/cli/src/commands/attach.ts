import { conversationAnswer, conversationsAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { CliError } from "../cli-error.ts";
import { type Api, createApi } from "../connection/api.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { wordsIn } from "../words.ts";
import { runAttach } from "./attach-run.ts";
import type { RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";

/** `rightseat attach`: a conversation in a terminal. Without an id the one with the newest activity. */
export const attach: RunCommand = async (context) => {
	const { language, stdin, stdout } = context;
	const words = wordsIn(language);
	const options = parseOptions(context.argv, {}, language);
	if (options.has("help")) return await helpOf("attach", context);
	const [id, ...more] = options.positionals;
	if (more.length > 0) throw new CliError(words.tooManyArguments);
	if (!stdin.isTTY || !stdout.isTTY) throw new CliError(words.needsTerminal);
	const server = findServer(options, context);
	try {
		const api = createApi(server);
		const conversation = id === undefined ? await findNewest(api) : await getConversation(api, id);
		if (conversation === undefined) throw new CliError(words.noConversations);
		return await runAttach({ server, api, conversation, context });
	} catch (error) {
		throw await asCliError(error, server.url, language);
	}
};

const getConversation = async (api: Api, id: string): Promise<Conversation> =>
	(await api.get(`/api/conversations/${encodeURIComponent(id)}`, conversationAnswer)).conversation;

/** Pinned ones come first in the list, however old they are. */
async function findNewest(api: Api): Promise<Conversation | undefined> {
	const { conversations } = await api.get("/api/conversations?archived=false&limit=100", conversationsAnswer);
	return conversations.sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0];
}
