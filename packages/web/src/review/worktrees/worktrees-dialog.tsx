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
import { worktreeApi } from "./worktree-api.ts";
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
	const { busy, remove, merge } = useWorktreeActions(worktree, onChanged);
	const keep = worktree.keep ?? [];
	const size =
		worktree.bytes === undefined ? "" : t(worktree.more === true ? "sizeMore" : "size", { size: Math.ceil(worktree.bytes / MB) });
	return (
		<li className="border-b p-3 text-sm last:border-b-0">
			<p className="flex items-center gap-1.5">
				<GitBranch size={14} aria-hidden className="shrink-0 text-muted" />
				<span className="font-medium">{visibleCommand(worktree.branch)}</span>
				<span className="min-w-0 flex-1 truncate text-muted">{title}</span>
				<span className="shrink-0 text-muted text-xs">{worktree.state === "gone" ? t("gone") : size}</span>
			</p>
			<p className="truncate font-mono text-muted text-xs" title={worktree.path}>
				{visibleCommand(worktree.path)}
			</p>
			{asking && (
				<p className="pt-2">
					{keep.length > 0 ? t("wouldLose", { what: keep.map((reason) => t(`keep.${reason}`)).join(", ") }) : t("removeHint")}
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
					<Button small disabled={busy} onClick={() => void merge()}>
						{t("merge")}
					</Button>
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
					onClick={() => (asking ? void remove(keep.length > 0) : setAsking(true))}
				>
					{t(!asking ? "remove" : keep.length > 0 ? "insist" : "removeNow")}
				</Button>
			</div>
		</li>
	);
}

function useWorktreeActions(worktree: ShownWorktree, onChanged: () => void) {
	const t = useWords(worktreeWords);
	const say = useFailureText();
	const { toast } = useActions();
	const [busy, setBusy] = useState(false);
	const run = async (work: () => Promise<string>) => {
		setBusy(true);
		try {
			toast({ kind: "info", text: await work() });
		} catch (error) {
			toast({ kind: "error", text: t("failed", { message: say(error) }) });
		}
		setBusy(false);
		onChanged();
	};
	return {
		busy,
		remove: (force: boolean) =>
			run(async () => {
				const { kept, reason, rescued } = await worktreeApi.remove(worktree.path, force);
				if (kept) return t("keptIt", { why: reason === undefined ? "" : t(`keep.${reason}`) });
				return rescued === undefined ? t("removed") : `${t("removed")} ${t("rescued", { branch: rescued })}`;
			}),
		merge: () =>
			run(async () => {
				const { branch, commit } = await worktreeApi.merge(worktree.conversationId);
				return t("merged", { branch, commit: commit.slice(0, 8) });
			}),
	};
}
