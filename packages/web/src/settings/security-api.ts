import { lockListAnswer, type Passkey, passkeysAnswer, type WaysIn } from "@rightseat/protocol/http/login";
import { passkeyCreationAnswer } from "@rightseat/protocol/http/passkey-options";
import { api } from "../api/api.ts";
import { request, requestJson } from "../api/request.ts";
import { createPasskey } from "../passkey/passkey.ts";

export interface SecurityState {
	hasPassword: boolean;
	passkeys: Passkey[];
	open: WaysIn;
}

/** The ways to log in, as the settings change them. Every call may throw ApiError. */
export const securityApi = {
	async state(): Promise<SecurityState> {
		const [{ password }, { passkeys }, { open }] = await Promise.all([
			api.loginMethods(),
			requestJson("/api/passkeys", passkeysAnswer),
			requestJson("/api/lock", lockListAnswer),
		]);
		return { hasPassword: password, passkeys, open };
	},
	setPassword: (password: string) => request("/api/password", { method: "POST", json: { password } }),
	removePassword: () => request("/api/password", { method: "DELETE" }),
	async addPasskey(name: string): Promise<void> {
		const options = await requestJson("/api/passkeys/options", passkeyCreationAnswer, { method: "POST" });
		await request("/api/passkeys", { method: "POST", json: { name, response: await createPasskey(options) } });
	},
	removePasskey: (id: string) => request(`/api/passkeys/${encodeURIComponent(id)}`, { method: "DELETE" }),
	lock: () => request("/api/lock", { method: "POST" }),
	replaceToken: () => request("/api/token/rotate", { method: "POST" }),
} as const;
