import type { FormRequest } from "@rightseat/protocol/model/form";
import { useLazy } from "../../ui/use-lazy.ts";

const load = () => import("./form-card.tsx");

/** Forms that wait; the code of their card comes when there is one. */
export function FormCards({ conversationId, requests }: { conversationId: string; requests: readonly FormRequest[] }) {
	return requests.length === 0 ? null : <Loaded conversationId={conversationId} requests={requests} />;
}

function Loaded({ conversationId, requests }: { conversationId: string; requests: readonly FormRequest[] }) {
	const code = useLazy(load, "now");
	if (code === undefined) return null;
	return requests.map((request) => <code.FormCard key={request.requestId} conversationId={conversationId} request={request} />);
}
