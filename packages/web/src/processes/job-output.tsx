import type { Job } from "@rightseat/protocol/model/job";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { processWords } from "./process-messages.ts";

const FOLLOW_MS = 2_000;
const FILTER_AFTER_MS = 200;

/** The output of one job, followed while it runs; the filter is applied by the server, which has all of it. */
export function JobOutput({ job }: { job: Job }) {
	const t = useWords(processWords);
	const { send, onFrame } = useActions();
	const { bashId, conversationId } = job;
	const [filter, setFilter] = useState("");
	const [output, setOutput] = useState(job.tail ?? "");
	const box = useRef<HTMLElement>(null);
	const atEnd = useRef(true);

	useEffect(
		() =>
			onFrame((frame) => {
				if (frame.type !== "bash:job_output") return;
				if (frame.data.bashId === bashId && frame.data.conversationId === conversationId) setOutput(frame.data.output);
			}),
		[bashId, conversationId, onFrame],
	);
	useEffect(() => {
		const ask = () => {
			const wanted = filter === "" ? {} : { filter };
			send({ type: "bash:job_output", data: { conversationId, bashId, ...wanted } });
		};
		const first = setTimeout(ask, filter === "" ? 0 : FILTER_AFTER_MS);
		const timer = job.status === "running" ? setInterval(ask, FOLLOW_MS) : undefined;
		return () => {
			clearTimeout(first);
			clearInterval(timer);
		};
	}, [bashId, conversationId, filter, job.status, send]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: follows the end whenever there is new output
	useLayoutEffect(() => {
		if (box.current !== null && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
	}, [output]);
	return (
		<>
			<input
				type="search"
				aria-label={t("filter")}
				placeholder={t("filterHint")}
				value={filter}
				onChange={(event) => setFilter(event.target.value)}
				className="h-9 w-full border-b bg-transparent px-3 text-sm placeholder:text-muted"
			/>
			<section
				ref={box}
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
				tabIndex={0}
				aria-label={t("output")}
				onScroll={({ currentTarget }) => {
					atEnd.current = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < 24;
				}}
				className="max-h-72 overflow-auto bg-code p-3"
			>
				<pre className="whitespace-pre-wrap break-words font-mono text-xs leading-5">
					{output !== "" ? output : <span className="text-muted">{t(filter === "" ? "noOutput" : "noMatch")}</span>}
				</pre>
			</section>
		</>
	);
}
