import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import { expect, test } from "vitest";
import { ApiError } from "../api/request.ts";
import { errorText, failureText } from "./error-text.ts";

const chinese = { language: "zh-Hant", sentences: errorSentences } as const;
const english = { language: "en", sentences: errorSentences } as const;

test("[PG207] an error is told in the page's language, with the values that only the server knows", () => {
	const missing = { code: "cwd-missing", message: "There is no directory /nowhere.", params: { reason: "missing", path: "/nowhere" } };
	expect(errorText(missing, english)).toBe("There is no directory /nowhere.");
	expect(errorText(missing, chinese)).toBe("目錄 /nowhere 不存在，請建立它或改選其他目錄。");
	expect(errorText({ code: "stalled", message: "No word for 60 s.", params: { seconds: 60 } }, chinese)).toBe("模型已 60 秒沒有回應。");
	expect(errorText({ code: "compacting", message: "…" }, chinese)).toBe("正在摘要對話，以騰出空間。");
});

test("[PG320] no English cause stands in a Chinese sentence: a new reason is told by its code, and values that did not come are not missed", () => {
	const unheard = { code: "cwd-missing", message: "Eaten by a bear.", params: { reason: "bear" } };
	expect(errorText(unheard, chinese)).toBe("工作目錄不存在，請建立它或改選其他目錄。");
	const without = { code: "cwd-missing", message: "There is no directory.", params: { reason: "missing" } };
	expect(errorText(without, chinese)).toBe("工作目錄不存在，請建立它或改選其他目錄。");
});

test("[PG207] of a code that the page does not know, or before its words have come, it shows the server's sentence", () => {
	expect(errorText({ code: "brand-new", message: "Something new happened." }, chinese)).toBe("Something new happened.");
	expect(errorText({ code: "toString", message: "Still words." }, chinese)).toBe("Still words.");
	expect(errorText({ code: "internal", message: "Early." }, { language: "zh-Hant", sentences: undefined })).toBe("Early.");
});

test("[PG207] a refused request speaks the language of the page", () => {
	const refused = new ApiError({ code: "conversation-not-found", status: 404, message: "There is no such conversation." });
	expect(failureText(refused, chinese)).toBe("這個對話已不存在。");
	expect(failureText(new TypeError("broken"), chinese)).toBe("broken");
});
