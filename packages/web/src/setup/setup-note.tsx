import { Puzzle } from "lucide-react";
import { useState } from "react";
import { useRunCommand } from "../commands/use-commands.ts";
import { useWords } from "../i18n/use-words.tsx";
import { COPILOT, openAgent } from "../state/agent.ts";
import { useUi } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { createSeenFolders } from "./seen-folders.ts";
import { needsTrust, placeOf, startsProgram } from "./setup-api.ts";
import { setupWords } from "./setup-messages.ts";

/** One quiet line, once for each folder that brings something and is not trusted; where it was looked at or put off it does not come again. */
export function SetupNote() {
	const t = useWords(setupWords);
	const run = useRunCommand();
	const conversation = useApp((state) => state.conversations[state.openId ?? ""]);
	const isCopilot = useApp((state) => openAgent(state) === COPILOT);
	const known = useUi((state) => state.folderSetup);
	const [seen] = useState(() => createSeenFolders(localStorage));
	const [, setRound] = useState(0);
	if (conversation === undefined || known === undefined || !isCopilot) return null;
	const { path, host } = placeOf(conversation);
	const place = `${host ?? ""} ${path}`;
	const { answer } = known;
	const [running, all] = [answer.found.filter(startsProgram).length, answer.found.filter(needsTrust).length];
	if (known.place !== place || answer.trusted || all === 0 || seen.has(place)) return null;
	const done = () => {
		seen.add(place);
		setRound((round) => round + 1);
	};
	return (
		<p role="note" className="mb-2 flex items-center gap-2 px-1 text-muted text-xs">
			<Puzzle size={14} aria-hidden className="shrink-0" />
			<span className="min-w-0 flex-1">{running > 0 ? t("noteRuns", { count: running }) : t("noteOffers", { count: all })}</span>
			<Button
				small
				onClick={() => {
					done();
					run("setup", { by: "pointer" });
				}}
			>
				{t("look")}
			</Button>
			<Button small kind="quiet" onClick={done}>
				{t("dismiss")}
			</Button>
		</p>
	);
}
