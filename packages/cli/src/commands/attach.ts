import { CliError } from "../cli-error.ts";
import { createApi } from "../connection/api.ts";
import { getConversation } from "../connection/get-conversation.ts";
import { asCliError } from "../connection/say-problem.ts";
import { findServer } from "../find-server/find-server.ts";
import { wordsIn } from "../words.ts";
import { runAttach } from "./attach-run.ts";
import { chooseConversation } from "./choose-conversation.ts";
import type { RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";

/** `rightseat attach`: a conversation in a terminal. Without an id a person chooses one. */
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
		const conversation = id === undefined ? await chooseConversation(api, context) : await getConversation(api, id);
		if (typeof conversation === "number") return conversation;
		return await runAttach({ server, api, conversation, context });
	} catch (error) {
		throw await asCliError(error, server.url, language);
	}
};
