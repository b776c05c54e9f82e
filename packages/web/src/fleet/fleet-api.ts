import { droppedAnswer } from "@rightseat/protocol/http/fleet";
import { fleetStatusAnswer, hostsAnswer } from "@rightseat/protocol/http/fleet-status";
import { request, requestJson } from "../api/request.ts";

const outbox = (id: string) => `/api/outbox/${encodeURIComponent(id)}`;

/** What a person sees of the fleet, and decides about its hosts and about prompts that wait for them; hosts and prompts themselves come by frames. */
export const fleetApi = {
	drop: (id: string) => requestJson(outbox(id), droppedAnswer, { method: "DELETE" }),
	async edit(id: string, prompt: string): Promise<void> {
		await request(outbox(id), { method: "PATCH", json: { prompt } });
	},
	async confirm(id: string): Promise<void> {
		await request(`${outbox(id)}/confirm`, { method: "POST" });
	},
	status: async () => (await requestJson("/api/fleet", fleetStatusAnswer)).status,
	hosts: async () => (await requestJson("/api/hosts", hostsAnswer)).hosts,
	async remove(id: string): Promise<void> {
		await request(`/api/hosts/${encodeURIComponent(id)}`, { method: "DELETE" });
	},
};
