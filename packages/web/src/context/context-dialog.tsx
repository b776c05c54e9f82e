import type { ContextPicture } from "@rightseat/protocol/http/context";
import { useCallback, useEffect, useRef, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { formatCount, formatTime } from "../transcript/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { contextApi } from "./context-api.ts";
import { ContextBar } from "./context-bar.tsx";
import { windowWords } from "./window-messages.ts";

/** What fills the context of the conversation on screen, with a way to make room; by `/compact` that begins at once. */
export function ContextDialog() {
	const t = useWords(windowWords);
	const setUi = useUiSet();
	const say = useFailureText();
	const isCompact = useUi((state) => state.context === "compact");
	const id = useApp((state) => state.openId);
	const [picture, setPicture] = useState<ContextPicture>();
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>();
	const close = useCallback(() => setUi({ context: undefined }), [setUi]);
	const compact = useCallback(async () => {
		if (id === undefined) return;
		setBusy(true);
		setProblem(undefined);
		// The turn is told in the conversation, like any other.
		await contextApi.compact(id).then(close, setProblem);
		setBusy(false);
	}, [id, close]);
	const begun = useRef(false);
	useEffect(() => {
		if (id === undefined || begun.current) return;
		begun.current = true;
		if (isCompact) void compact();
		void contextApi.look(id).then(setPicture, setProblem);
	}, [id, isCompact, compact]);
	return (
		<Dialog open onClose={close} title={t("title")}>
			<div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-5">
				{picture === undefined ? (
					problem === undefined && <p className="text-muted text-sm">{t("loading")}</p>
				) : (
					<Picture picture={picture} />
				)}
				{problem !== undefined && (
					<p role="alert" className="text-danger text-sm">
						{say(problem)}
					</p>
				)}
				<p className="text-muted text-sm">{t("compactHint")}</p>
				<Button kind="primary" disabled={busy} onClick={() => void compact()}>
					{t(busy ? "compacting" : "compact")}
				</Button>
			</div>
		</Dialog>
	);
}

function Picture({ picture }: { picture: ContextPicture }) {
	const t = useWords(windowWords);
	const language = useLanguage();
	const { tokens, limit, categories, compactionThreshold, heaviest = [], asOf } = picture;
	if (tokens === null) return <p className="text-sm">{t("unknown")}</p>;
	return (
		<>
			<p className="font-medium text-sm">
				{limit === null ? formatCount(tokens) : t("used", { used: formatCount(tokens), limit: formatCount(limit) })}
			</p>
			{asOf !== undefined && <p className="text-muted text-sm">{t("asOf", { time: formatTime(asOf, language) })}</p>}
			{categories.length === 0 ? <p className="text-muted text-sm">{t("noKinds")}</p> : <ContextBar categories={categories} />}
			{compactionThreshold !== undefined && (
				<p className="text-muted text-sm">{t("threshold", { tokens: formatCount(compactionThreshold) })}</p>
			)}
			{heaviest.length > 0 && (
				<details className="text-sm">
					<summary className="cursor-pointer">{t("heaviest")}</summary>
					<ul className="mt-1 space-y-1">
						{heaviest.map(({ role, label, tokens: each }, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn once.
							<li key={index} className="flex gap-2">
								<span className="text-muted">{isRole(role) ? t(`role.${role}`) : role}</span>
								<span className="min-w-0 flex-1 truncate">{label}</span>
								<span className="text-muted tabular-nums">{formatCount(each)}</span>
							</li>
						))}
					</ul>
				</details>
			)}
		</>
	);
}

const ROLES = ["user", "assistant", "tool"] as const;
const isRole = (role: string): role is (typeof ROLES)[number] => ROLES.some((known) => known === role);
