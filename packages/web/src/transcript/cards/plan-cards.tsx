import type { PlanRequest } from "@rightseat/protocol/model/ask";
import { useLazy } from "../../ui/use-lazy.ts";

const load = () => import("../../agent/plan-card.tsx");

/** Plans that wait for a person; the code of their card comes when there is one. */
export function PlanCards({ conversationId, requests }: { conversationId: string; requests: readonly PlanRequest[] }) {
	return requests.length === 0 ? null : <Loaded {...{ conversationId, requests }} />;
}

function Loaded({ conversationId, requests }: { conversationId: string; requests: readonly PlanRequest[] }) {
	const code = useLazy(load, "now");
	if (code === undefined) return null;
	return requests.map((request) => <code.PlanCard key={request.requestId} {...{ conversationId, request }} />);
}

/** The plan below the note that says what became of it. */
export function PlanOfNote({ plan }: { plan: string }) {
	const code = useLazy(load, "now");
	return code === undefined ? null : <code.SettledPlan plan={plan} />;
}
