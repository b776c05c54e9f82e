import type { UserMessage } from "@rightseat/protocol/model/message";
import { memo } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { useApp } from "../../state/use-page.tsx";
import { Answer } from "../cards/answer.tsx";
import { readBashResult } from "../cards/bash-result.ts";
import { ChangesLine } from "../cards/changes-line.tsx";
import { OutboxPrompt, Prompt } from "../cards/prompt.tsx";
import { ShellCard, ShellContext } from "../cards/shell-card.tsx";
import { transcriptWords } from "../transcript-messages.ts";
import { useWholeMessage } from "../whole/use-whole-message.ts";
import { WholeNote } from "../whole/whole-note.tsx";
import type { TranscriptItem } from "./transcript-items.ts";

export interface RowProps {
	conversationId: string;
	item: TranscriptItem;
	steered: readonly UserMessage[];
	newest: boolean;
}

/** One row of the transcript, whatever it is. */
export const Row = memo(
	function Row({ conversationId, item, steered, newest }: RowProps) {
		const t = useWords(transcriptWords);
		switch (item.kind) {
			case "prompt":
				return <Prompt conversationId={conversationId} message={item.message} />;
			case "outbox":
				return <OutboxPrompt item={item.item} />;
			case "turn":
				return <Answer conversationId={conversationId} of={item} steered={steered} newest={newest} />;
			case "answer":
				return <Answer conversationId={conversationId} of={{ kind: "message", message: item.message }} steered={steered} newest={newest} />;
			case "shell":
				return <StoredShell conversationId={conversationId} message={item.message} />;
			case "command": {
				const { command, cwd, output, execId, startedAt, done } = item.command;
				const state = done === undefined ? ({ kind: "running", execId, startedAt } as const) : ({ kind: "done", ...done } as const);
				return (
					<article aria-label={t("command")}>
						<ShellCard {...{ conversationId, command, cwd, output, state }} truncated={done?.truncated ?? false} />
					</article>
				);
			}
			default:
				return item;
		}
	},
	// Rows are built anew for each change of the conversation; what they show is what tells them apart.
	(a, b) => a.newest === b.newest && a.steered === b.steered && content(a.item) === content(b.item),
);

function content(item: TranscriptItem): unknown {
	switch (item.kind) {
		case "turn":
			return item.turn;
		case "command":
			return item.command;
		case "outbox":
			return item.item;
		default:
			return item.message;
	}
}

function StoredShell(props: { conversationId: string; message: UserMessage }) {
	const { conversationId } = props;
	const t = useWords(transcriptWords);
	const { message, note } = useWholeMessage(conversationId, props.message);
	const chars = useApp((state) => state.views[conversationId]?.context.find((item) => item.messageId === message.id)?.chars);
	const { command, output, exitCode, cwd } = readBashResult(message);
	const { durationMs, truncated = false, context } = message.metadata;
	return (
		<article aria-label={t("command")}>
			<ShellCard
				{...{ conversationId, command, cwd, output, truncated }}
				partial={note !== undefined}
				state={{ kind: "done", exitCode, durationMs }}
			>
				{note !== undefined && <WholeNote {...note} />}
				<ChangesLine changes={message.metadata.changes} />
				<ShellContext conversationId={conversationId} messageId={message.id} chars={chars} dropped={context === "dropped"} />
			</ShellCard>
		</article>
	);
}
