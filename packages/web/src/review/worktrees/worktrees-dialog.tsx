import type { ShownWorktree } from "@rightseat/protocol/http/worktrees";
import { visibleCommand } from "@rightseat/protocol/visible-command";
import { GitBranch } from "lucide-react";
import { useState } from "react";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useUiSet } from "../../state/ui-slice.tsx";
import { useActions, useApp } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useLoaded } from "../use-review.ts";
import { type MergeMethod, worktreeApi } from "./worktree-api.ts";
import { worktreeWords } from "./worktree-messages.ts";

const MB = 1_000_000;

/** The work trees of conversations: how large, what would be lost, and the way back. */
export function WorktreesDialog() {
	const t = useWords(worktreeWords);
	const setUi = useUiSet();
	const { loaded, reload } = useLoaded("", (signal) => worktreeApi.list(signal), 0);
	const close = () => setUi({ dialog: undefined });
	return (
		<Dialog open onClose={close} title={t("worktrees")} className="dialog-wide">
			<div className="min-h-0 overflow-y-auto p-5">
				{loaded.kind === "loading" && <p>{t("loading")}</p>}
				{loaded.kind === "failed" && <p role="alert">{loaded.message}</p>}
				{loaded.kind === "ready" && loaded.value.length === 0 && (
					<div className="m-auto max-w-96 p-4 text-center text-sm">
						<p className="font-medium">{t("empty")}</p>
						<p className="pt-1 text-muted">{t("emptyHint")}</p>
					</div>
				)}
				{loaded.kind === "ready" && loaded.value.length > 0 && (
					<ul aria-label={t("worktrees")} className="rounded-lg border">
						{loaded.value.map((worktree) => (
							<WorktreeRow key={worktree.path} worktree={worktree} onChanged={reload} onLeave={close} />
						))}
					</ul>
				)}
			</div>
		</Dialog>
	);
}

function WorktreeRow({ worktree, onChanged, onLeave }: { worktree: ShownWorktree; onChanged: () => void; onLeave: () => void }) {
	const t = useWords(worktreeWords);
	const { openConversation } = useActions();
	const known = useApp((state) => state.conversations[worktree.conversationId] !== undefined);
	const title = useApp((state) => state.conversations[worktree.conversationId]?.title ?? "");
	const [asking, setAsking] = useState(false);
	const { busy, failure, remove, merge } = useWorktreeActions(worktree, onChanged);
	const keep = worktree.keep ?? [];
	const isGone = worktree.state === "gone";
	const size =
		worktree.bytes === undefined ? "" : t(worktree.more === true ? "sizeMore" : "size", { size: Math.ceil(worktree.bytes / MB) });
	return (
		<li className="border-b p-3 text-sm last:border-b-0">
			<p className="flex items-center gap-1.5">
				<GitBranch size={14} aria-hidden className="shrink-0 text-muted" />
				<span className="min-w-0 break-words font-medium">{visibleCommand(worktree.branch)}</span>
				<span className="min-w-0 flex-1 truncate text-muted">{title}</span>
				<span className="shrink-0 text-muted text-xs">{isGone ? t("gone") : size}</span>
			</p>
			<p className="truncate text-muted text-xs" title={worktree.path}>
				{t("of", { repository: visibleCommand(worktree.repository) })}
			</p>
			{!isGone && (
				<p className="pt-1">
					<State {...worktree} />
				</p>
			)}
			{asking && <p className="pt-1">{t("removeHint")}</p>}
			{failure !== undefined && (
				<p role="alert" className="whitespace-pre-wrap break-words pt-1 text-danger">
					{failure}
				</p>
			)}
			<div className="flex flex-wrap gap-2 pt-2">
				{!asking && known && (
					<Button
						small
						onClick={() => {
							openConversation(worktree.conversationId);
							onLeave();
						}}
					>
						{t("open")}
					</Button>
				)}
				{!asking && known && worktree.state === "there" && (
					<>
						<Button small disabled={busy} onClick={() => void merge("merge")}>
							{t("merge")}
						</Button>
						<Button small disabled={busy} title={t("rebaseHint")} onClick={() => void merge("rebase")}>
							{t("rebase")}
						</Button>
					</>
				)}
				{asking && (
					<Button small onClick={() => setAsking(false)}>
						{t("cancel")}
					</Button>
				)}
				<Button
					small
					kind={asking ? "danger" : "quiet"}
					disabled={busy}
					onClick={() => (asking || isGone ? void remove(keep.length > 0) : setAsking(true))}
				>
					{t(isGone ? "forget" : !asking ? "remove" : keep.length > 0 ? "insist" : "removeNow")}
				</Button>
			</div>
		</li>
	);
}

/** What a person should know before it goes. */
function State({ state, keep = [] }: ShownWorktree) {
	const t = useWords(worktreeWords);
	if (state === "unknown") return t("unknown");
	return keep.length === 0 ? t("noReason") : t("reasons", { what: keep.map((reason) => t(`keep.${reason}`)).join(" · ") });
}

function useWorktreeActions(worktree: ShownWorktree, onChanged: () => void) {
	const t = useWords(worktreeWords);
	const say = useFailureText();
	const { toast } = useActions();
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<string>();
	const run = async (work: () => Promise<string>) => {
		setBusy(true);
		setFailure(undefined);
		try {
			toast({ kind: "info", text: await work() });
		} catch (error) {
			setFailure(say(error));
		}
		setBusy(false);
		onChanged();
	};
	return {
		busy,
		failure,
		remove: (force: boolean) =>
			run(async () => {
				const { kept, reason, rescued } = await worktreeApi.remove(worktree.path, force);
				if (kept) return t("keptIt", { why: reason === undefined ? "" : t(`keep.${reason}`) });
				if (worktree.state === "gone") return t("forgotten");
				return rescued === undefined ? t("removed") : `${t("removed")} ${t("rescued", { branch: rescued })}`;
			}),
		merge: (method: MergeMethod) =>
			run(async () => {
				const { branch, commit } = await worktreeApi.merge(worktree.conversationId, method);
				return t("merged", { branch, commit: commit.slice(0, 8) });
			}),
	};
}
