import type { QueueItem } from "@rightseat/protocol/model/queue";
import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { dropIndex } from "./drop-index.ts";
import { queueWords } from "./queue-messages.ts";
import { QueueRow } from "./queue-row.tsx";

/** Prompts that wait for the running turn to end, in the order in which they will run. */
export function QueueList({ conversationId, items }: { conversationId: string; items: readonly QueueItem[] }) {
	const t = useWords(queueWords);
	const actions = useActions();
	const [dragged, setDragged] = useState<number>();
	if (items.length === 0) return null;
	return (
		<section aria-label={t("queue")} className="mb-2 overflow-hidden rounded-xl border bg-surface">
			<h2 className="px-3 pt-2 text-muted text-xs" aria-live="polite">
				{t("queued", { count: items.length })}
			</h2>
			<ol className="max-h-52 overflow-y-auto p-1">
				{items.map((item, index) => (
					<QueueRow
						key={item.messageId}
						item={item}
						first={index === 0}
						last={index === items.length - 1}
						dragging={dragged === index}
						onDragStart={() => setDragged(index)}
						onDragEnd={() => setDragged(undefined)}
						onDropHere={(half) => {
							const moved = dragged === undefined ? undefined : items[dragged];
							setDragged(undefined);
							if (dragged === undefined || moved === undefined) return;
							const target = dropIndex(dragged, index, half);
							if (target !== dragged) actions.moveQueued(conversationId, moved.messageId, target);
						}}
						onMove={(step) => actions.moveQueued(conversationId, item.messageId, index + step)}
						onEdit={(content) => actions.editQueued(conversationId, item.messageId, content)}
						loadWhole={async () => (await actions.loadMessage(conversationId, item.messageId))?.content}
						onDrop={() => actions.dropQueued(conversationId, item.messageId)}
						onSendNow={() => actions.sendQueuedNow(conversationId, item.messageId)}
					/>
				))}
			</ol>
		</section>
	);
}
