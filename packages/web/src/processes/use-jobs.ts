import type { Job } from "@rightseat/protocol/model/job";
import { useCallback, useEffect, useState } from "react";
import { useActions, useApp } from "../state/use-page.tsx";
import { mergeJob } from "./sort-jobs.ts";

const REFRESH_MS = 5_000;

/** All jobs, asked for when the panel opens and after a reconnect, and kept up by events; asked again now and then for ports and tails. */
export function useJobs(): { jobs: readonly Job[]; refresh: () => void } {
	const { send, onFrame, onOpen } = useActions();
	const answered = useApp((state) => state.jobs);
	const [jobs, setJobs] = useState<readonly Job[]>(answered);
	const refresh = useCallback(() => void send({ type: "bash:jobs", data: {} }), [send]);

	useEffect(() => setJobs(answered), [answered]);
	useEffect(() => {
		refresh();
		const stopOpen = onOpen(refresh);
		const stopFrames = onFrame((frame) => {
			if (frame.type === "bash:job") setJobs((known) => mergeJob(known, frame.data.job));
		});
		const timer = setInterval(() => {
			if (document.visibilityState === "visible") refresh();
		}, REFRESH_MS);
		return () => {
			stopOpen();
			stopFrames();
			clearInterval(timer);
		};
	}, [onFrame, onOpen, refresh]);
	return { jobs, refresh };
}
