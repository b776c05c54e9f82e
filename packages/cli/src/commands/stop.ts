import { CliError, EXIT } from "../cli-error.ts";
import { createApi } from "../connection/api.ts";
import { getConversation } from "../connection/get-conversation.ts";
import { asCliError } from "../connection/say-problem.ts";
import { openSession } from "../connection/session.ts";
import { type FoundServer, findServer } from "../find-server/find-server.ts";
import { wordsIn } from "../words.ts";
import type { RunCommand } from "./command.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";

const LIMIT_MS = 15_000;

/** `rightseat stop`: stops the turn that runs in a conversation, and waits for its end. */
export const stop: RunCommand = async (context) => {
	const { language, stderr } = context;
	const words = wordsIn(language);
	const options = parseOptions(context.argv, {}, language);
	if (options.has("help")) return await helpOf("stop", context);
	const [id, ...more] = options.positionals;
	if (id === undefined || more.length > 0) throw new CliError(id === undefined ? words.needsConversation : words.tooManyArguments);
	const server = findServer(options, context);
	try {
		const conversation = await getConversation(createApi(server), id);
		const isRunning = conversation.status === "streaming";
		if (isRunning && !(await stopTurn(server, conversation))) throw new CliError(words.notStopped, EXIT.failed);
		stderr.write(`${isRunning ? words.stopped : words.nothingRuns}\n`);
		return EXIT.done;
	} catch (error) {
		throw await asCliError(error, server.url, language);
	}
};

/** False: it had not ended in time. */
function stopTurn(server: FoundServer, { id, epoch, headSeq }: { id: string; epoch: string; headSeq: number }): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const end = (act: () => void) => {
			clearTimeout(timer);
			session.close();
			act();
		};
		const timer = setTimeout(() => end(() => resolve(false)), LIMIT_MS);
		const nothing = () => undefined;
		const session = openSession(
			server,
			{ conversationId: id, position: { epoch, lastSeq: headSeq } },
			{
				onEvent: (frame) => (frame.type === "copilot:idle" ? end(() => resolve(true)) : undefined),
				onSnapshot: ({ turn }) => (turn === undefined ? end(() => resolve(true)) : undefined),
				...{ onReply: nothing, onUnknown: nothing, onBack: nothing, onLost: nothing },
				onFailed: (error) => end(() => reject(error)),
			},
		);
		session.deliver({ type: "copilot:abort", data: { conversationId: id } });
	});
}
