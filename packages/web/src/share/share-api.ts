import { shareAnswer, sharesAnswer } from "@rightseat/protocol/http/shares";
import { request, requestJson } from "../api/request.ts";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

/** Sharing over HTTP. Every call may throw ApiError. */
export const shareApi = {
	list: async (id: string) => (await requestJson("/api/shares", sharesAnswer)).shares.filter((share) => share.conversationId === id),
	make: (id: string, hours: number) => requestJson(`${of(id)}/shares`, shareAnswer, { method: "POST", json: { hours } }),
	async end(shareId: string): Promise<void> {
		await request(`/api/shares/${encodeURIComponent(shareId)}`, { method: "DELETE" });
	},
	fileUrl: (id: string, lang: string, { isPreview, withPictures }: { isPreview: boolean; withPictures: boolean }) =>
		`${of(id)}/export?format=html&lang=${lang}${withPictures ? "&pictures=1" : ""}${isPreview ? "&preview=1" : ""}`,
} as const;
