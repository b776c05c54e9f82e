import { Upload } from "lucide-react";
import { useEffect, useState } from "react";
import { useWide } from "../app/use-media.ts";
import { useWords } from "../i18n/use-words.tsx";
import type { ReviewScope, UndoRequest } from "../state/review.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { CommentsBar } from "./comments/comments-bar.tsx";
import { useComments } from "./comments/use-comments.ts";
import { scopeId, useStale } from "./comments/use-stale.ts";
import { CommitDialog } from "./commit/commit-dialog.tsx";
import { commitWords } from "./commit/commit-messages.ts";
import { PullRequestDialog } from "./commit/pull-request-dialog.tsx";
import { usePush } from "./commit/use-push.ts";
import { FileList } from "./file-list.tsx";
import { ResizeHandle } from "./resize-handle.tsx";
import "./review.css";
import { reviewApi } from "./review-api.ts";
import { ReviewHead } from "./review-head.tsx";
import { reviewWords } from "./review-messages.ts";
import { type ReviewOptions, useReviewOptions } from "./review-options.ts";
import { ScopeBar } from "./scope-bar.tsx";
import { SeveralDialog } from "./undo/several-dialog.tsx";
import { UndoDialog } from "./undo/undo-dialog.tsx";
import { undoWords } from "./undo/undo-messages.ts";
import { UnfinishedNotice } from "./undo/unfinished-notice.tsx";
import { newestUndoable, useChangeRounds, useLoaded } from "./use-review.ts";

/** What was changed in files: beside the conversation on a desk, over it on a phone. */
export function ReviewPanel() {
	const conversationId = useApp((state) => (state.openId === state.missingId ? undefined : state.openId));
	const [options, changeOptions] = useReviewOptions();
	const wide = useWide();
	return (
		<div className="rv">
			{wide && <ResizeHandle width={options.width} onWidth={(width) => changeOptions({ width })} />}
			{conversationId === undefined ? (
				<>
					<ReviewHead wide={wide} />
					<Empty kind="nothing" />
				</>
			) : (
				<Review key={conversationId} {...{ conversationId, options, changeOptions, wide }} />
			)}
		</div>
	);
}

interface ReviewProps {
	conversationId: string;
	options: ReviewOptions;
	changeOptions: (patch: Partial<ReviewOptions>) => void;
	wide: boolean;
}

function Review({ conversationId, options, changeOptions, wide }: ReviewProps) {
	const t = useWords(reviewWords);
	const setUi = useUiSet();
	const wanted = useUi((state) => state.review);
	const inGit = useUi(
		(state) =>
			state.git?.place.startsWith(conversationId) === true && state.git.state?.unavailable === undefined && state.git.state !== undefined,
	);
	const round = useChangeRounds(conversationId);
	const list = useLoaded(conversationId, (signal) => reviewApi.list(conversationId, signal), round);
	const changes = list.loaded.kind === "ready" ? list.loaded.value.changes : [];
	const scope: ReviewScope = wanted ?? { kind: inGit ? "uncommitted" : "conversation" };
	const detail = useLoaded(`${conversationId} ${scopeId(scope)}`, (signal) => reviewApi.detail(conversationId, scope, signal), round);
	const comments = useComments(conversationId);
	const stale = useStale(conversationId, comments.all, round);
	const [asked, ask] = useState<UndoRequest | "several" | "commit" | "pull-request">();
	const push = usePush(conversationId);
	useUndoAsked(list.loaded.kind === "ready" ? changes : undefined, ask);
	const own = scope.kind === "change" || scope.kind === "conversation";
	const shown = detail.loaded.kind === "ready" ? detail.loaded.value : undefined;
	const undone = shown?.change?.undone === true;
	const whole = { kind: undone ? "redo" : "undo", changeIds: [scopeId(scope)] } as const;
	const undoPart = ({ path, hunkId }: { path: string; hunkId?: string }) =>
		ask({ ...whole, paths: [path], ...(hunkId === undefined ? {} : { hunks: { [path]: [hunkId] } }) });
	const [stableUndo] = useState(() => ({ run: undoPart }));
	stableUndo.run = undoPart;
	const [onUndo] = useState(() => (part: { path: string; hunkId?: string }) => stableUndo.run(part));
	return (
		<>
			<ReviewHead
				wide={wide}
				change={shown?.change}
				counts={shown?.counts}
				options={options}
				changeOptions={changeOptions}
				diffUrl={own && shown !== undefined && shown.files.length > 0 ? reviewApi.diffUrl(conversationId, scope) : undefined}
				onUndo={own && shown !== undefined && shown.files.length > 0 ? () => ask(whole) : undefined}
				onCommit={scope.kind === "uncommitted" && shown !== undefined && shown.files.length > 0 ? () => ask("commit") : undefined}
				onPush={inGit ? () => void push() : undefined}
				onPullRequest={inGit ? () => ask("pull-request") : undefined}
				onWorktrees={inGit ? () => setUi({ dialog: "worktrees" }) : undefined}
				onSeveral={newestUndoable(changes) === undefined ? undefined : () => ask("several")}
			/>
			<ScopeBar scope={scope} changes={changes} git={inGit} onScope={(review) => setUi({ review })} />
			<div className="rv-body">
				<UnfinishedNotice conversationId={conversationId} changes={changes} />
				{detail.loaded.kind === "loading" && <p className="rv-said">{t("loading")}</p>}
				{detail.loaded.kind === "failed" && (
					<p className="rv-said">
						{detail.loaded.message}{" "}
						<Button small onClick={detail.reload}>
							{t("again")}
						</Button>
					</p>
				)}
				{shown !== undefined && shown.files.length === 0 && shown.notCovered.length === 0 && (
					<Empty kind={own ? "nothing" : "clean"} onPush={own ? undefined : push} />
				)}
				{shown !== undefined && (
					<FileList
						key={scopeId(scope)}
						detail={shown}
						style={wide ? options.style : "unified"}
						ignoreWhitespace={options.ignoreWhitespace}
						{...{ conversationId, scope, round, comments, stale }}
						onUndo={own ? onUndo : undefined}
					/>
				)}
			</div>
			<CommentsBar conversationId={conversationId} comments={comments} stale={stale} />
			{asked === "several" && (
				<SeveralDialog changes={changes} onClose={() => ask(undefined)} onNext={(changeIds) => ask({ kind: "undo", changeIds })} />
			)}
			{asked === "commit" && shown !== undefined && (
				<CommitDialog
					conversationId={conversationId}
					files={shown.files}
					onClose={() => {
						ask(undefined);
						detail.reload();
					}}
				/>
			)}
			{asked === "pull-request" && <PullRequestDialog conversationId={conversationId} onClose={() => ask(undefined)} />}
			{typeof asked === "object" && <UndoDialog conversationId={conversationId} request={asked} onClose={() => ask(undefined)} />}
		</>
	);
}

/** A command asked for the undo of the newest change, before this panel was here perhaps. */
function useUndoAsked(changes: Parameters<typeof newestUndoable>[0] | undefined, ask: (request: UndoRequest) => void): void {
	const t = useWords(undoWords);
	const wanted = useUi((state) => state.undoNewest);
	const setUi = useUiSet();
	const { toast } = useActions();
	useEffect(() => {
		if (!wanted || changes === undefined) return;
		const newest = newestUndoable(changes);
		setUi(newest === undefined ? { undoNewest: false } : { undoNewest: false, review: { kind: "change", changeId: newest.id } });
		if (newest === undefined) toast({ kind: "info", text: t("noneToUndo") });
		else ask({ kind: "undo", changeIds: [newest.id] });
	}, [wanted, changes, ask, setUi, toast, t]);
}

/** Nothing to see yet: what will be here, and when. What is committed and not pushed is one step from there. */
function Empty({ kind, onPush }: { kind: "nothing" | "clean"; onPush?: (() => Promise<void>) | undefined }) {
	const t = useWords(reviewWords);
	const c = useWords(commitWords);
	const ahead = useUi((state) => state.git?.state?.ahead) ?? 0;
	return (
		<div className="m-auto max-w-80 p-6 text-center">
			<p className="font-medium text-sm">{t(`title.${kind}`)}</p>
			<p className="pt-1 text-muted text-sm">{t(`hint.${kind}`)}</p>
			{onPush !== undefined && ahead > 0 && (
				<div className="pt-3">
					<p className="pb-2 text-sm">{c("notPushed", { count: ahead })}</p>
					<Button small icon={<Upload size={15} />} onClick={() => void onPush()}>
						{c("push")}
					</Button>
				</div>
			)}
		</div>
	);
}
