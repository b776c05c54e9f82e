import { createPublicKey } from "node:crypto";
import { isIP } from "node:net";
import { pushSubscriptionBody } from "@rightseat/protocol/http/credential-requests";
import * as z from "zod/mini";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";

export const MAX_PUSH_SUBSCRIPTIONS = 50;
/** As RFC 8291 has them; others would fail at every push. */
const AUTH_BYTES = 16;
const POINT_BYTES = 65;

/** What a browser's PushSubscription says of itself. The endpoint is called by this server, so it must be a public https name. */
export const pushSubscriptionSchema = pushSubscriptionBody.check(
	z.refine(({ endpoint }) => isPublicName(endpoint), { error: "A push service has a public name.", path: ["endpoint"] }),
	z.refine(({ keys }) => isCurvePoint(keys.p256dh), { error: "p256dh is no key of a browser.", path: ["keys", "p256dh"] }),
	z.refine(({ keys }) => bytesOf(keys.auth)?.length === AUTH_BYTES, {
		error: "auth is no secret of a browser.",
		path: ["keys", "auth"],
	}),
);
export type PushSubscription = z.infer<typeof pushSubscriptionSchema>;

/** Browsers that want to be told. */
export interface PushSubscriptions {
	add(subscription: PushSubscription, sessionId: string | null): void;
	remove(endpoint: string): boolean;
	/** With the login it came from, the permission to be told ends. */
	removeOfSession(sessionId: string): void;
	/** All of them, those without a login included, but for those of the session named. */
	removeAll(except?: string): void;
	/** All of them, but for those of the session named. */
	list(except?: string): PushSubscription[];
}

export function createPushSubscriptions(deps: { sql: SqlDatabase; clock: Clock; ids: IdSource }): PushSubscriptions {
	const { sql } = deps;
	return {
		add({ endpoint, keys }, sessionId) {
			sql.prepare("DELETE FROM push_subscriptions WHERE endpoint = ?").run(endpoint);
			sql
				.prepare("INSERT INTO push_subscriptions (id, endpoint, p256dh, auth, session_id, created_at) VALUES (?, ?, ?, ?, ?, ?)")
				.run(deps.ids.next(), endpoint, keys.p256dh, keys.auth, sessionId, deps.clock.now());
			sql
				.prepare(
					"DELETE FROM push_subscriptions WHERE id NOT IN (SELECT id FROM push_subscriptions ORDER BY created_at DESC, rowid DESC LIMIT ?)",
				)
				.run(MAX_PUSH_SUBSCRIPTIONS);
		},
		remove: (endpoint) => sql.prepare("DELETE FROM push_subscriptions WHERE endpoint = ?").run(endpoint).changes > 0,
		removeOfSession: (sessionId) => void sql.prepare("DELETE FROM push_subscriptions WHERE session_id = ?").run(sessionId),
		removeAll: (except = "") => void sql.prepare("DELETE FROM push_subscriptions WHERE session_id IS NOT ?").run(except),
		list: (except = "") =>
			sql
				.prepare("SELECT endpoint, p256dh, auth FROM push_subscriptions WHERE session_id IS NOT ? ORDER BY created_at")
				.all(except)
				.map((row) => ({ endpoint: String(row.endpoint), keys: { p256dh: String(row.p256dh), auth: String(row.auth) } })),
	};
}

function isPublicName(endpoint: string): boolean {
	if (!URL.canParse(endpoint)) return false;
	const { hostname, port } = new URL(endpoint);
	if (port !== "") return false;
	const plain = hostname.replace(/^\[|\]$/g, "");
	return isIP(plain) === 0 && plain.includes(".") && !/\.(localhost|local|internal|lan|home\.arpa)\.?$/i.test(plain);
}

function bytesOf(text: string): Buffer | undefined {
	return /^[\w-]+=*$/.test(text) ? Buffer.from(text, "base64url") : undefined;
}

/** An uncompressed point that lies on the curve. */
function isCurvePoint(text: string): boolean {
	const bytes = bytesOf(text);
	if (bytes === undefined || bytes.length !== POINT_BYTES || bytes[0] !== 4) return false;
	const [x, y] = [bytes.subarray(1, 33).toString("base64url"), bytes.subarray(33).toString("base64url")];
	try {
		createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
		return true;
	} catch {
		// Not on the curve.
		return false;
	}
}
