import * as z from "zod/mini";
import { api } from "../api/api.ts";
import { request, requestJson } from "../api/request.ts";
import { createPasskey, creationSchema } from "../passkey/passkey.ts";

const passkeySchema = z.object({ id: z.string(), name: z.string(), host: z.string(), createdAt: z.string() });
export type Passkey = z.infer<typeof passkeySchema>;

/** The ways to log in, as the settings change them. Every call may throw ApiError. */
export const securityApi = {
	hasPassword: async () => (await api.loginMethods()).password,
	setPassword: (password: string) => request("/api/password", { method: "POST", json: { password } }),
	removePassword: () => request("/api/password", { method: "DELETE" }),
	passkeys: async () => (await requestJson("/api/passkeys", z.object({ passkeys: z.array(passkeySchema) }))).passkeys,
	async addPasskey(name: string): Promise<void> {
		const options = await requestJson("/api/passkeys/options", creationSchema, { method: "POST" });
		await request("/api/passkeys", { method: "POST", json: { name, response: await createPasskey(options) } });
	},
	removePasskey: (id: string) => request(`/api/passkeys/${encodeURIComponent(id)}`, { method: "DELETE" }),
	replaceToken: () => request("/api/token/rotate", { method: "POST" }),
} as const;
