import type { Todo } from "@rightseat/protocol/model/todo";
import { ChevronRight, Circle, CircleAlert, CircleCheck, CircleDot } from "lucide-react";
import { useWords } from "../../i18n/use-words.tsx";
import { openView } from "../../state/open-view.ts";
import { useApp } from "../../state/use-page.tsx";
import { todoWords } from "./todo-messages.ts";

const ICONS = { pending: Circle, in_progress: CircleDot, done: CircleCheck, blocked: CircleAlert } as const;

/** What the agent means to do: one line with what it does now, opened the whole list. Gone when all of it is done and nothing runs. */
export function TodoList() {
	const t = useWords(todoWords);
	const list = useApp((state) => openView(state)?.todos);
	const running = useApp((state) => openView(state)?.status === "streaming");
	if (list === undefined || list.items.length === 0) return null;
	const { items, more = 0 } = list;
	const done = items.filter(({ status }) => status === "done").length;
	if (done === items.length && more === 0 && !running) return null;
	const now = items.find(({ status }) => status === "in_progress") ?? items.find(({ status }) => status !== "done") ?? items.at(-1);
	return (
		<details className="group mb-2 rounded-xl border bg-surface px-3 text-sm" aria-label={t("todos")}>
			<summary className="flex min-h-9 cursor-pointer list-none items-center gap-2">
				<ChevronRight size={14} aria-hidden className="shrink-0 text-muted transition-transform group-open:rotate-90" />
				<span className="sr-only">{t("todos")}</span>
				<span className="shrink-0 text-muted tabular-nums">{t("progress", { done, count: items.length + more })}</span>
				<span dir="auto" className="min-w-0 flex-1 truncate">
					{now?.title}
				</span>
			</summary>
			<ul className="max-h-48 overflow-y-auto pb-2">
				{items.map((item) => (
					<Item key={item.id} item={item} />
				))}
				{more > 0 && <li className="text-muted">{t("more", { count: more })}</li>}
			</ul>
		</details>
	);
}

function Item({ item: { title, status } }: { item: Todo }) {
	const t = useWords(todoWords);
	const Icon = ICONS[status];
	return (
		<li className="flex items-start gap-2 py-0.5">
			<Icon size={14} aria-hidden className={status === "blocked" ? "mt-1 shrink-0 text-danger" : "mt-1 shrink-0 text-muted"} />
			<span className="sr-only">{t(status)}: </span>
			<span dir="auto" className={status === "done" ? "min-w-0 break-words text-muted line-through" : "min-w-0 break-words"}>
				{title}
			</span>
		</li>
	);
}
