import * as z from "zod/mini";

/** What browsers make and send as they made it: answers of an authenticator, a push subscription. */

const base64url = z.string().check(z.regex(/^[\w-]*$/), z.maxLength(16_384));
const common = {
	id: base64url,
	rawId: base64url,
	type: z.literal("public-key"),
	clientExtensionResults: z._default(z.object({}), {}),
};
const transport = z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);
/** What a browser answers when a passkey was made. */
export const registrationSchema = z.object({
	...common,
	response: z.object({
		clientDataJSON: base64url,
		attestationObject: base64url,
		transports: z.optional(z.array(transport).check(z.maxLength(10))),
	}),
});
/** What a browser answers when a passkey was used. */
export const assertionSchema = z.object({
	...common,
	response: z.object({
		clientDataJSON: base64url,
		authenticatorData: base64url,
		signature: base64url,
		userHandle: z.optional(base64url),
	}),
});

/** A new passkey with the name that its owner gives it. */
export const addPasskeyBody = z.object({
	name: z._default(z.string().check(z.trim(), z.minLength(1), z.maxLength(100)), "Passkey"),
	response: registrationSchema,
});
/** A login with a passkey: the signed challenge. */
export const passkeyLoginBody = z.object({ response: assertionSchema });

/** What a browser's PushSubscription says of itself; that its service is public is checked by the server. */
export const pushSubscriptionBody = z.object({
	endpoint: z.url({ protocol: /^https$/ }).check(z.maxLength(2_000)),
	keys: z.object({ p256dh: z.string().check(z.maxLength(200)), auth: z.string().check(z.maxLength(100)) }),
});
