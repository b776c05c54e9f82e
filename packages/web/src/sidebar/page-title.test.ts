import { expect, test } from "vitest";
import { pageTitle } from "./page-title.ts";

test("[PG93] the tab names its conversation and counts those that ask", () => {
	expect(pageTitle({ title: undefined, asking: 0 })).toBe("Rightseat");
	expect(pageTitle({ title: "Fix the build", asking: 0 })).toBe("Fix the build · Rightseat");
	expect(pageTitle({ title: "", asking: 2 })).toBe("(2) Rightseat");
});
