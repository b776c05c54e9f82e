import { AtSign, Layers, MonitorSmartphone, SquareTerminal } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { usePageEvents, useUiSet } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { emptyWords } from "./empty-messages.ts";

/** The first run teaches here, in the place where the conversation will be. */
export function EmptyState({ inside = false }: { inside?: boolean }) {
	const t = useWords(emptyWords);
	const { compose } = usePageEvents();
	const { show } = useActions();
	const setUi = useUiSet();
	const demo = useApp((state) => state.models?.models.some((model) => model.demo === true) === true);
	const tips = [
		{ icon: SquareTerminal, title: t("shellTitle"), text: t("shellText") },
		{ icon: AtSign, title: t("fileTitle"), text: t("fileText") },
		{ icon: Layers, title: t("busyTitle"), text: t("busyText") },
		{ icon: MonitorSmartphone, title: t("anywhereTitle"), text: t("anywhereText") },
	];
	return (
		<div className={inside ? "empty" : "empty min-h-0 flex-1 overflow-y-auto"}>
			<div className="m-auto w-full max-w-2xl px-5 py-8">
				<h2 className="font-semibold text-2xl tracking-tight sm:text-3xl">{t("title")}</h2>
				<p className="mt-2 text-muted">{t("hint")}</p>
				{demo && (
					<p className="mt-4 rounded-xl bg-warn-soft px-4 py-2.5 text-sm text-warn">
						{t("demo")}{" "}
						<button
							type="button"
							className="font-medium underline"
							onClick={() => {
								setUi({ settingsSection: "model" });
								show({ settingsOpen: true });
							}}
						>
							{t("connect")}
						</button>
					</p>
				)}
				<ul className="mt-6 grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-x-8 gap-y-4">
					{tips.map(({ icon: Icon, title, text }) => (
						<li key={title} className="flex gap-3">
							<Icon size={18} className="mt-0.5 shrink-0 text-accent" aria-hidden />
							<div>
								<p className="font-medium text-sm">{title}</p>
								<p className="text-muted text-sm">{text}</p>
							</div>
						</li>
					))}
				</ul>
				<div className="mt-7 flex flex-wrap items-center gap-2">
					{[t("try1"), t("try2"), t("try3")].map((prompt) => (
						<Button key={prompt} onClick={() => compose.emit(prompt)}>
							{prompt}
						</Button>
					))}
				</div>
			</div>
		</div>
	);
}
