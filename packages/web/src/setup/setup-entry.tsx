import type { Conversation } from "@rightseat/protocol/model/conversation";
import { Puzzle } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { needsTrust } from "./setup-api.ts";
import { setupWords } from "./setup-messages.ts";
import { useFolderSetup } from "./use-folder-setup.ts";

/** In the header, where the folder of the conversation on screen brings something: leads to what that is. */
export function SetupEntry() {
	const conversation = useApp((state) => state.conversations[state.openId ?? ""]);
	return conversation === undefined ? null : <Entry conversation={conversation} />;
}

function Entry({ conversation }: { conversation: Conversation }) {
	const t = useWords(setupWords);
	const { show } = useActions();
	const isOpen = useApp((state) => state.panel === "setup");
	const { setup } = useFolderSetup(conversation);
	if (setup === undefined || !setup.found.some(needsTrust)) return null;
	return (
		<IconButton
			label={t(setup.trusted ? "entry" : "entryUntrusted")}
			pressed={isOpen}
			icon={<Puzzle size={18} />}
			onClick={() => show({ panel: isOpen ? undefined : "setup" })}
		/>
	);
}
