import { expect, test } from "vitest";
import { fits, splitPath } from "./directory-api.ts";

test("[PG69] what stands after the last slash narrows the directory before it", () => {
	expect(splitPath("")).toEqual({ directory: "", start: "" });
	expect(splitPath("~")).toEqual({ directory: "~", start: "" });
	expect(splitPath("/ho")).toEqual({ directory: "/", start: "ho" });
	expect(splitPath("~/pro")).toEqual({ directory: "~", start: "pro" });
	expect(splitPath("/home/ada/")).toEqual({ directory: "/home/ada", start: "" });
	expect([fits("Projects", "pro"), fits(".cache", ""), fits(".cache", ".c"), fits("src", "x")]).toEqual([true, false, true, false]);
});
