import { useEffect, useState } from "react";
import { errorText } from "../i18n/error-text.ts";
import { useLanguage } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { fleetApi } from "./fleet-api.ts";

type Status = Awaited<ReturnType<typeof fleetApi.status>>;

/** What is wrong with the fleet as a whole, in the person's language; asked for anew whenever the hosts are told anew. */
export function useFleetProblem(): { text: string; isCut: boolean } | undefined {
	const language = useLanguage();
	const sentences = useApp((state) => state.sentences);
	const hosts = useApp((state) => state.hosts);
	const [status, setStatus] = useState<Status>();
	useEffect(() => {
		// Told anew, they may stand differently.
		if (hosts.length === 0) return undefined;
		let isOver = false;
		fleetApi.status().then(
			(next) => isOver || setStatus(next),
			// Without an answer nothing is known to be wrong; the page says elsewhere that its server is away.
			() => undefined,
		);
		return () => {
			isOver = true;
		};
	}, [hosts]);
	const problem = status?.problem;
	return problem && { text: errorText(problem, { language, sentences }), isCut: status.kind !== "connected" };
}
