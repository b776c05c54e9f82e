import clsx from "clsx";
import { Check } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { settingsApi } from "../settings/settings-api.ts";
import { useChange } from "../settings/use-change.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { AgentStep } from "./agent-step.tsx";
import { ConnectStep } from "./connect-step.tsx";
import { FolderStep } from "./folder-step.tsx";
import { PhoneStep } from "./phone-step.tsx";
import { TelegramStep } from "./telegram-step.tsx";
import { TrustStep } from "./trust-step.tsx";
import { welcomeWords } from "./welcome-messages.ts";

const STEPS = [
	{ id: "agent", content: () => <AgentStep /> },
	{ id: "connect", content: () => <ConnectStep /> },
	{ id: "folder", content: () => <FolderStep /> },
	{ id: "trust", content: () => <TrustStep /> },
	{ id: "phone", content: () => <PhoneStep /> },
	{ id: "telegram", content: () => <TelegramStep /> },
] as const satisfies readonly { id: string; content: () => ReactNode }[];

/** One step after the other; each is done at once, and none has to be. */
export function FirstSteps() {
	const t = useWords(welcomeWords);
	const { toast } = useActions();
	const setUi = useUiSet();
	const change = useChange();
	const at = useUi((state) => state.firstStep) ?? 0;
	const [busy, setBusy] = useState(false);
	const heading = useRef<HTMLHeadingElement>(null);
	const shown = useRef(at);
	const step = STEPS[at] ?? STEPS[0];
	const isLast = at >= STEPS.length - 1;

	// Only after a button was pressed: whoever has just opened the page may be typing already.
	useEffect(() => {
		if (shown.current === at) return;
		shown.current = at;
		heading.current?.focus();
		heading.current?.scrollIntoView({ block: "nearest" });
	}, [at]);

	const finish = async (dismissed: boolean) => {
		setBusy(true);
		const done = await change(() => settingsApi.change({ firstRun: "done" }));
		setBusy(false);
		if (!done) return;
		setUi({ firstRun: "done", firstStep: undefined });
		if (dismissed) toast({ kind: "info", text: t("dismissed") });
		document.getElementById("message")?.focus();
	};
	return (
		<section aria-label={t("steps")} className="empty min-h-0 flex-1 overflow-y-auto">
			<div className="m-auto w-full max-w-2xl px-5 pt-8">
				<h2 className="font-semibold text-2xl tracking-tight sm:text-3xl">{t("title")}</h2>
				<p className="mt-2 text-muted">{t("hint")}</p>
				<Progress at={at} />
				<h3 ref={heading} tabIndex={-1} className="pt-4 font-semibold text-lg outline-none">
					{t(`title.${step.id}`)}
					<span className="sr-only"> {t("of", { step: at + 1, steps: STEPS.length })}</span>
				</h3>
				<p className="pt-0.5 pb-3 text-muted text-sm">{t(`hint.${step.id}`)}</p>
				{step.content()}
				<div className="sticky bottom-0 mt-4 flex flex-wrap items-center gap-2 bg-bg py-3">
					{at > 0 && <Button onClick={() => setUi({ firstStep: at - 1 })}>{t("back")}</Button>}
					<Button kind="primary" disabled={busy} onClick={() => (isLast ? void finish(false) : setUi({ firstStep: at + 1 }))}>
						{t(isLast ? "finish" : "next")}
					</Button>
					<span className="flex-1" />
					{!isLast && (
						<Button kind="quiet" disabled={busy} onClick={() => void finish(true)}>
							{t("dismiss")}
						</Button>
					)}
				</div>
			</div>
		</section>
	);
}

function Progress({ at }: { at: number }) {
	const t = useWords(welcomeWords);
	return (
		<ol aria-label={t("progress")} className="mt-6 flex flex-wrap gap-2 text-xs">
			{STEPS.map(({ id }, index) => (
				<li
					key={id}
					aria-current={index === at ? "step" : undefined}
					className={clsx(
						"inline-flex items-center gap-1 rounded-lg px-2.5 py-1",
						index === at ? "bg-accent-soft font-medium text-accent" : "text-muted",
					)}
				>
					{index < at && <Check size={12} aria-hidden />}
					{t(`name.${id}`)}
				</li>
			))}
		</ol>
	);
}
