import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import { useLazy } from "../../ui/use-lazy.ts";

const load = () => import("../../usage/budget-card.tsx");

/** Limits that are reached; the code of their card comes when there is one. */
export function BudgetCards({ conversationId, requests }: { conversationId: string; requests: readonly BudgetRequest[] }) {
	return requests.length === 0 ? null : <Loaded conversationId={conversationId} requests={requests} />;
}

function Loaded({ conversationId, requests }: { conversationId: string; requests: readonly BudgetRequest[] }) {
	const code = useLazy(load, "now");
	if (code === undefined) return null;
	return requests.map((request) => <code.BudgetCard key={request.requestId} conversationId={conversationId} request={request} />);
}
