import { expect, test } from "vitest";
import { exportName } from "./conversations.ts";

test("[HT100] the name of an export is cut between characters and can always be written into its header", () => {
	const name = exportName(`a${"\u{20000}".repeat(60)}`);
	expect(name).toBe(`a${"\u{20000}".repeat(39)}`);
	expect(() => encodeURIComponent(name)).not.toThrow();
	expect(exportName("../../etc/passwd\r\nx: y")).toBe("etcpasswdx y");
	expect(exportName("🙂")).toBe("conversation");
});
