import { CornerDownRight } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { findOpenAgent } from "../../state/agent.ts";
import { useApp } from "../../state/use-page.tsx";
import { composerWords } from "../composer-messages.ts";
import { TurnButton } from "./turn-button.tsx";

/** Sends into the running turn; with an agent that takes nothing there it says so instead. */
export function SteerButton({ onSteer }: { onSteer: () => void }) {
	const t = useWords(composerWords);
	const agent = useApp(findOpenAgent);
	if (agent !== undefined && !agent.capabilities.steer) {
		return (
			<span className="px-1 text-muted text-xs" title={t("noSteerHint", { name: agent.name })}>
				{t("noSteer")}
				<span className="sr-only">. {t("noSteerHint", { name: agent.name })}</span>
			</span>
		);
	}
	return (
		<TurnButton title={t("steerHint")} onClick={onSteer}>
			<CornerDownRight size={15} aria-hidden />
			{t("steer")}
		</TurnButton>
	);
}
