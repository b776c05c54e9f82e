import { expect, test } from "vitest";
import { pageTitle } from "./page-title.ts";

test("[PG93] the tab names its conversation and counts what waits", () => {
	expect(pageTitle({ title: undefined, waiting: 0 })).toBe("Rightseat");
	expect(pageTitle({ title: "Fix the build", waiting: 0 })).toBe("Fix the build · Rightseat");
	expect(pageTitle({ title: "", waiting: 2 })).toBe("(2) Rightseat");
});
