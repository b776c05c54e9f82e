import { createHash } from "node:crypto";
import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { FolderSetupAnswer, FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { FolderTrust } from "../../../services/folder-setup/folder-trust.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import type { ButtonAction, Buttons } from "./buttons.ts";

/** More does not fit into one message; what cannot be shown whole cannot be trusted here. */
const MAX_SHOWN_CHARS = 3_000;

type Tapped = Extract<ButtonAction, { kind: "trust" }>;

/** `/trust`: what the folder of the chat's conversation would run, with a button to trust it or to take that back. */
export interface TrustCommand {
	show(thread: ChatThread): Promise<void>;
	/** What a button does; the sentence to say. Rejects with an AppError. */
	perform(thread: ChatThread, action: Tapped, by: string): Promise<string>;
}

export function createTrustCommand(deps: {
	folderTrust: Pick<FolderTrust, "setup" | "set">;
	conversations: { get(id: ConversationId): Pick<Conversation, "id" | "cwd" | "host"> };
	bindings: { ensure(thread: ChatThread): Promise<{ entry: { conversationId: ConversationId } }> };
	buttons: Pick<Buttons, "make">;
	speaker: Pick<Speaker, "words" | "say">;
}): TrustCommand {
	const { folderTrust, speaker } = deps;
	return {
		async show(thread) {
			const words = speaker.words(thread);
			const { cwd, host, id } = deps.conversations.get((await deps.bindings.ensure(thread)).entry.conversationId);
			if (splitRemoteId(id) !== undefined) {
				speaker.say(thread, words.trustElsewhere(host?.name ?? ""));
				return;
			}
			const setup = await folderTrust.setup(cwd);
			const { path, trusted } = setup;
			const listed = textOf(setup, words);
			const mayTrust = listed !== undefined && setup.more !== true && setup.found.some(needsTrust);
			const body = listed === undefined || setup.more === true ? words.trustTooMuch : listed;
			const action: Tapped = { kind: "trust", path, trusted: !trusted, seen: seenOf(setup) };
			const keyboard = trusted || mayTrust ? [[deps.buttons.make(thread.chatId, words.trustButton(!trusted), action)]] : [];
			speaker.say(thread, [path, words.trustState(trusted), body].join("\n\n"), { keyboard });
		},
		async perform(thread, { path, trusted, seen }, source) {
			const words = speaker.words(thread);
			// A button may be days old: what is trusted is what was shown.
			if (trusted && seenOf(await folderTrust.setup(path)) !== seen) return words.trustChanged;
			await folderTrust.set(path, { trusted, source });
			return words.trustDone(trusted);
		},
	};
}

const needsTrust = ({ kind }: FolderSetupItem) => kind !== "instructions";
const startsProgram = ({ kind }: FolderSetupItem) => kind === "hook" || kind === "mcp" || kind === "lsp";
const seenOf = ({ found }: FolderSetupAnswer) =>
	createHash("sha256")
		.update(JSON.stringify(found.filter(needsTrust)))
		.digest("base64url");

/** Every program with its file and the whole of its command line; undefined when that does not fit. */
function textOf({ found }: FolderSetupAnswer, words: Messages): string | undefined {
	const offered = found.filter((item) => needsTrust(item) && !startsProgram(item)).length;
	const lines = found.filter(startsProgram).map(({ kind, name, source, runs, problem }) => {
		const what = runs ?? (problem === undefined ? "" : words.trustUnknown);
		return `• ${words.trustKind(kind)} ${name} (${source})\n${what}`;
	});
	if (offered > 0) lines.push(words.trustOffers(offered));
	const text = lines.length === 0 ? words.trustNothing : lines.join("\n");
	return text.length > MAX_SHOWN_CHARS ? undefined : text;
}
