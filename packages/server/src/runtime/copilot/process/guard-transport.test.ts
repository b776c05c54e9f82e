import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { guardTransport } from "./guard-transport.ts";

/** The version whose private parts were read. Read them again before this changes: docs/decisions/0010. */
const READ_VERSION = "1.0.14";

const createClient = () => new CopilotClient({ connection: RuntimeConnection.forStdio({}), useLoggedInUser: false });

test("[RT139] the private parts that the adapter relies on are there in the version that was read", () => {
	const entry = createRequire(import.meta.url).resolve("@github/copilot-sdk");
	const root = entry.slice(0, entry.lastIndexOf("copilot-sdk") + "copilot-sdk".length);
	expect(JSON.parse(readFileSync(`${root}/package.json`, "utf8"))).toMatchObject({ version: READ_VERSION });
	const client = createClient();
	expect(["cliProcess", "messageWriter"].filter((field) => !Object.hasOwn(client, field))).toEqual([]);
	expect(readFileSync(`${root}/dist/client.js`, "utf8")).toContain("if (!this.suppressWriteErrors)");
});

test("[RT39] a writer of the SDK is told to swallow what it cannot write", () => {
	const client = guardTransport(createClient());
	const writer = { suppressWriteErrors: false };
	Reflect.set(client, "messageWriter", writer);
	expect(writer.suppressWriteErrors).toBe(true);
});

test("[RT68] a process that ends while the SDK starts it ends the start", async () => {
	const client = createClient();
	client.start = () => new Promise(() => undefined);
	const started = guardTransport(client).start();
	Reflect.set(client, "cliProcess", spawn(process.execPath, ["-e", "process.exit(7)"], { stdio: "ignore" }));
	await expect(started).rejects.toMatchObject({ code: "runtime-start-failed", message: expect.stringContaining("7") });
});
