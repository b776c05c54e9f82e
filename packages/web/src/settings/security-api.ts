import * as z from "zod/mini";
import { api } from "../api/api.ts";
import { request, requestJson } from "../api/request.ts";
import { createPasskey, creationSchema } from "../passkey/passkey.ts";

const passkeySchema = z.object({ id: z.string(), name: z.string(), host: z.string(), createdAt: z.string() });
export type Passkey = z.infer<typeof passkeySchema>;
const passkeysAnswer = z.object({ passkeys: z.array(passkeySchema) });

export interface SecurityState {
	hasPassword: boolean;
	passkeys: Passkey[];
}

/** The ways to log in, as the settings change them. Every call may throw ApiError. */
export const securityApi = {
	async state(): Promise<SecurityState> {
		const [{ password }, { passkeys }] = await Promise.all([api.loginMethods(), requestJson("/api/passkeys", passkeysAnswer)]);
		return { hasPassword: password, passkeys };
	},
	setPassword: (password: string) => request("/api/password", { method: "POST", json: { password } }),
	removePassword: () => request("/api/password", { method: "DELETE" }),
	async addPasskey(name: string): Promise<void> {
		const options = await requestJson("/api/passkeys/options", creationSchema, { method: "POST" });
		await request("/api/passkeys", { method: "POST", json: { name, response: await createPasskey(options) } });
	},
	removePasskey: (id: string) => request(`/api/passkeys/${encodeURIComponent(id)}`, { method: "DELETE" }),
	replaceToken: () => request("/api/token/rotate", { method: "POST" }),
} as const;
