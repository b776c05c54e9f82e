import { CloudOff } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { useApp } from "../../state/use-page.tsx";
import { queueWords } from "./queue-messages.ts";

/** Says that what was sent is safe on this device while there is no connection. */
export function OutboxNote() {
	const t = useWords(queueWords);
	const waiting = useApp((state) =>
		state.connection.kind === "open" ? 0 : state.outbox.filter((item) => item.state === "sending").length,
	);
	if (waiting === 0) return null;
	return (
		<p className="mb-2 flex items-center gap-2 px-1 text-muted text-xs">
			<CloudOff size={14} aria-hidden />
			{t("outbox", { count: waiting })}
		</p>
	);
}
