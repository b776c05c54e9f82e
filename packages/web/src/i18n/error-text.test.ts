// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { ApiError } from "../api/request.ts";
import { errorText, noticeText } from "./error-text.ts";

afterEach(() => {
	document.documentElement.lang = "en";
});

test("[PG207] an error is told in the page's language, with what only the server knows", () => {
	const missing = { code: "cwd-missing", message: "There is no directory /nowhere." };
	expect(errorText(missing, "en")).toBe("There is no directory /nowhere.");
	expect(errorText(missing, "zh-Hant")).toBe("工作目錄不存在，請建立它或改選其他目錄。（There is no directory /nowhere.）");
	expect(errorText({ code: "exec-not-found", message: "This command is not running any more." }, "zh-Hant")).toBe("這個指令已不在執行。");
	expect(noticeText({ code: "compacting", message: "…" }, "zh-Hant")).toBe("正在摘要對話，以騰出空間。");
});

test("[PG207] of a code that the page does not know it shows the server's sentence", () => {
	expect(errorText({ code: "brand-new", message: "Something new happened." }, "zh-Hant")).toBe("Something new happened.");
	expect(errorText({ code: "toString", message: "Still words." }, "zh-Hant")).toBe("Still words.");
});

test("[PG207] a refused request speaks the language of the page", () => {
	document.documentElement.lang = "zh-Hant";
	const refused = new ApiError({ code: "conversation-not-found", status: 404, message: "There is no such conversation." });
	expect(refused.message).toBe("這個對話已不存在。");
});
