import type { Conversation } from "@rightseat/protocol/model/conversation";
import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { FolderPart } from "./folder-part.tsx";
import { GivenPart } from "./given-part.tsx";
import { setupWords } from "./setup-messages.ts";
import { useConversationSetup } from "./use-conversation-setup.ts";

/** What the agent of a conversation was given: by its folder, and by the person. */
export function SetupPanel() {
	const t = useWords(setupWords);
	const conversation = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]));
	if (conversation === undefined) {
		return (
			<div className="m-auto max-w-72 p-6 text-center">
				<p className="font-medium text-sm">{t("noConversation")}</p>
				<p className="pt-1 text-muted text-sm">{t("noConversationHint")}</p>
			</div>
		);
	}
	return <Setup key={`${conversation.id} ${conversation.cwd}`} conversation={conversation} />;
}

function Setup({ conversation }: { conversation: Conversation }) {
	const { given, change, problem } = useConversationSetup(conversation);
	return (
		<div className="h-full overflow-y-auto p-4">
			<FolderPart conversation={conversation} given={given} />
			{given !== undefined && <GivenPart {...{ conversation, given, change, problem }} />}
			{given === undefined && <p className="pt-5 text-muted text-sm empty:hidden">{problem}</p>}
		</div>
	);
}
