import { expect, test } from "vitest";
import { createRedactor } from "./redact.ts";

test("[RT56] keys and tokens are taken out of what people see", () => {
	const redact = createRedactor(["my-own-provider-key", undefined, "abc"]);
	expect(redact("key my-own-provider-key refused")).toBe("key [hidden] refused");
	expect(redact("Authorization: Bearer abcdef0123456789")).toBe("Authorization: Bearer [hidden]");
	expect(redact("used ghp_abcdefghijklmnop1234 and sk-proj-abcdefghijklmnop")).toBe("used [hidden] and [hidden]");
	expect(redact("https://user:secret@host/v1?api_key=12345678&x=1")).toBe("https://[hidden]@host/v1?api_key=[hidden]&x=1");
	expect(redact("abc is too short to be a secret")).toBe("abc is too short to be a secret");
});
