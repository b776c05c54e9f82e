import { droppedAnswer } from "@rightseat/protocol/http/fleet";
import { request, requestJson } from "../api/request.ts";

/** What a person decides about prompts that wait on the server for other hosts; the list itself comes by frames. */
export const fleetApi = {
	drop: (id: string) => requestJson(`/api/outbox/${encodeURIComponent(id)}`, droppedAnswer, { method: "DELETE" }),
	async confirm(id: string): Promise<void> {
		await request(`/api/outbox/${encodeURIComponent(id)}/confirm`, { method: "POST" });
	},
};
