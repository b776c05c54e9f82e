import { useWords } from "../i18n/use-words.tsx";
import { AddDevice } from "../settings/devices-section.tsx";
import { isLocalAddress } from "../settings/local-address.ts";
import { Command } from "./agent-step.tsx";
import { welcomeWords } from "./welcome-messages.ts";

/** A code to scan, and on a machine that no phone can reach the command that changes that. */
export function PhoneStep() {
	const t = useWords(welcomeWords);
	const isLocal = isLocalAddress(location.href);
	return (
		<div className="grid grid-cols-1 gap-4 text-sm">
			{isLocal && (
				<div className="grid grid-cols-1 gap-2">
					<p>{t("phone.local")}</p>
					<Command text="npx rightseat pair" />
				</div>
			)}
			<AddDevice />
		</div>
	);
}
