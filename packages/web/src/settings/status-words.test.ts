import { expect, test } from "vitest";
import { telegramState } from "./status-messages.ts";

test("[TG115] what is wrong with Telegram is told in the language of the page, in English with the server's details", () => {
	const status = { state: "degraded", problem: "unreachable", message: "Telegram cannot be reached (ENOTFOUND)." };
	expect(telegramState("en", status)).toBe("Telegram cannot be reached (ENOTFOUND).");
	expect(telegramState("zh-Hant", status)).toContain("無法連線到 Telegram");
	expect(telegramState("zh-Hant", { state: "ok" })).toBe("正常");
	expect(telegramState("zh-Hant", { ...status, problem: "a-new-one" })).toBe("Telegram cannot be reached (ENOTFOUND).");
	expect(telegramState("en", undefined)).toBe("");
});
