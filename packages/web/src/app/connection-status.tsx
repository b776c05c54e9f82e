import clsx from "clsx";
import { RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { STATUS_DELAY_MS } from "../connection/policy.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";

/** Always there, never alarming: a dot while all is well, words when it takes longer. */
export function ConnectionStatus() {
	const connection = useApp((state) => state.connection);
	const { reconnect } = useActions();
	const t = useWords(commonWords);
	const [late, setLate] = useState(false);
	const open = connection.kind === "open";
	useEffect(() => {
		setLate(false);
		if (open) return;
		const timer = setTimeout(() => setLate(true), STATUS_DELAY_MS);
		return () => clearTimeout(timer);
	}, [open]);
	const words = open || !late ? t("online") : connection.kind === "connecting" ? t("connecting") : t("reconnecting");
	return (
		<div className="flex shrink-0 items-center gap-1">
			<div role="status" title={words} className="flex items-center gap-1.5 px-1.5 text-muted text-xs">
				<span className={clsx("size-2 rounded-full", open ? "bg-success" : late ? "pulse-dot bg-warn" : "bg-line-strong")} />
				<span className={late && !open ? "@max-[40rem]:sr-only" : "sr-only"}>{words}</span>
			</div>
			{/* Also while it is being tried: a button that comes and goes with every attempt cannot be hit. */}
			{late && !open && (
				<Button small kind="quiet" className="@max-[40rem]:size-9 @max-[40rem]:px-0" title={t("retryNow")} onClick={reconnect}>
					<RotateCw size={18} aria-hidden className="@min-[40rem]:hidden" />
					<span className="@max-[40rem]:sr-only">{t("retryNow")}</span>
				</Button>
			)}
		</div>
	);
}
