import { Compass, FilePen, ListChecks, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { shortcutLabel } from "../palette/shortcuts.ts";
import { isMac } from "../palette/use-shortcuts.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { ConnectModel } from "./connect-model.tsx";
import { emptyWords } from "./empty-words.ts";

/** What a newcomer sees before the first message: what this is and four things to try. */
export function EmptyState() {
	const t = useWords(emptyWords);
	const { compose } = useActions();
	const cwd = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]?.cwd));
	const demo = useApp((state) => {
		const current = state.openId === undefined ? state.models?.default : state.conversations[state.openId]?.model;
		return state.models?.models.find(({ id }) => id === current)?.demo === true;
	});
	const examples: { key: "explain" | "plan" | "change" | "shell"; label: string; icon: ReactNode }[] = [
		{ key: "explain", label: t("explainLabel"), icon: <Compass size={18} aria-hidden /> },
		{ key: "plan", label: t("planLabel"), icon: <ListChecks size={18} aria-hidden /> },
		{ key: "change", label: t("changeLabel"), icon: <FilePen size={18} aria-hidden /> },
		{ key: "shell", label: t("shellLabel"), icon: <SquareTerminal size={18} aria-hidden /> },
	];
	return (
		<div className="mx-auto flex w-full max-w-2xl flex-col gap-6 px-5 py-8">
			<div>
				<h2 className="font-semibold text-2xl tracking-tight">{t("title")}</h2>
				<p className="pt-2 text-muted">{cwd === undefined ? t("introNoCwd") : t("intro", { cwd })}</p>
			</div>
			<ul aria-label={t("try")} className="grid gap-2 sm:grid-cols-2">
				{examples.map(({ key, label, icon }) => (
					<li key={key}>
						<button
							type="button"
							onClick={() => compose(t(key))}
							className="flex h-full w-full items-start gap-3 rounded-xl border bg-surface px-4 py-3 text-left hover:bg-hover"
						>
							<span className="mt-0.5 shrink-0 text-accent">{icon}</span>
							<span className="min-w-0">
								<span className="block font-medium text-sm">{label}</span>
								<span className={key === "shell" ? "block font-mono text-muted text-sm" : "block text-muted text-sm"}>{t(key)}</span>
							</span>
						</button>
					</li>
				))}
			</ul>
			{demo && (
				<section className="rounded-xl border bg-warn-soft/50 px-4 py-3 text-sm">
					<h3 className="font-medium">{t("demoTitle")}</h3>
					<p className="pt-1 pb-2 text-muted">{t("demoText")}</p>
					<ConnectModel />
				</section>
			)}
			<p className="text-muted text-xs">{t("keys", { palette: shortcutLabel("mod+k", isMac()) })}</p>
		</div>
	);
}
