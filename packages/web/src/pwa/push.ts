import * as z from "zod/mini";
import { request, requestJson } from "../api/request.ts";
import { fromBase64Url } from "../passkey/base64url.ts";

export type PushState = "unsupported" | "denied" | "off" | "on";

/** Whether this browser gets notifications now. */
export async function pushState(): Promise<PushState> {
	if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
	if (Notification.permission === "denied") return "denied";
	const registration = await navigator.serviceWorker.getRegistration();
	const subscription = await registration?.pushManager.getSubscription();
	return subscription === null || subscription === undefined ? "off" : "on";
}

/** Must be called from a click: browsers ask for the permission only then. */
export async function turnPushOn(): Promise<PushState> {
	const permission = await Notification.requestPermission();
	if (permission !== "granted") return permission === "denied" ? "denied" : "off";
	const { publicKey } = await requestJson("/api/push/key", z.object({ publicKey: z.string() }));
	const registration = await navigator.serviceWorker.ready;
	const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: fromBase64Url(publicKey) });
	const { endpoint, keys } = subscription.toJSON();
	await request("/api/push/subscriptions", { method: "POST", json: { endpoint, keys } });
	return "on";
}

export async function turnPushOff(): Promise<PushState> {
	const registration = await navigator.serviceWorker.getRegistration();
	const subscription = await registration?.pushManager.getSubscription();
	if (subscription === null || subscription === undefined) return "off";
	await request("/api/push/subscriptions", { method: "DELETE", json: { endpoint: subscription.endpoint } });
	await subscription.unsubscribe();
	return "off";
}
