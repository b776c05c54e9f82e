import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebBed, type TestSocket, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const open = (socket: TestSocket, more: object = {}) =>
	socket.send(JSON.stringify({ type: "terminal:open", data: { terminalId: "t1", cols: 90, rows: 30, ...more } }));
const type = (socket: TestSocket, data: string) => socket.send({ type: "terminal:input", data: { terminalId: "t1", data } });

/** Everything that came so far, once it contains this. */
async function shown(socket: TestSocket, wanted: string): Promise<string> {
	let text = "";
	while (!text.includes(wanted)) text += String((await socket.next("terminal:output")).data.data);
	return text;
}

test("[WS37] a terminal opens in the given directory, shows what is typed, follows the window and ends", async () => {
	mkdirSync(join(bed.home, "proj"));
	const socket = await bed.connect();
	open(socket, { cwd: join(bed.home, "proj") });
	expect((await socket.next("terminal:opened")).data).toEqual({ terminalId: "t1", scrollback: expect.any(String), cols: 90, rows: 30 });
	type(socket, "PS1=; pwd; echo at-$((1+1))\r");
	expect(await shown(socket, "at-2")).toContain(join(bed.home, "proj"));
	socket.send({ type: "terminal:resize", data: { terminalId: "t1", cols: 50, rows: 20 } });
	type(socket, "stty size; echo size-$((1+1))\r");
	expect(await shown(socket, "size-2")).toContain("20 50");
	socket.send({ type: "terminal:close", data: { terminalId: "t1" } });
	expect((await socket.next("terminal:exit")).data).toMatchObject({ terminalId: "t1" });
	type(socket, "x");
	expect((await socket.next("error")).data).toMatchObject({ code: "terminal-not-found" });
});

test("[WS143] after its close a terminal takes no input, its viewers hear the end, and its id is free", async () => {
	const socket = await bed.connect();
	const watcher = await bed.connect();
	for (const each of [socket, watcher]) {
		open(each, { cwd: bed.home });
		await each.next("terminal:opened");
	}
	socket.send({ type: "terminal:close", data: { terminalId: "t1" }, requestId: "r1" });
	socket.send({ type: "terminal:input", data: { terminalId: "t1", data: "x" }, requestId: "r2" });
	socket.send({ type: "terminal:resize", data: { terminalId: "t1", cols: 50, rows: 20 }, requestId: "r3" });
	expect(await socket.next("done")).toMatchObject({ requestId: "r1" });
	for (const requestId of ["r2", "r3"]) {
		expect(await socket.next("error")).toMatchObject({ requestId, data: { code: "terminal-not-found" } });
	}
	for (const each of [socket, watcher]) expect((await each.next("terminal:exit")).data).toMatchObject({ terminalId: "t1" });
	open(socket, { cwd: bed.home });
	await socket.next("terminal:opened");
	type(socket, "echo new-$((1+1))\r");
	expect(await shown(socket, "new-2")).toContain("new-2");
});

test("[WS38] after a reload the same terminal is there with what it showed", async () => {
	const first = await bed.connect();
	open(first);
	await first.next("terminal:opened");
	type(first, "SECRET_NUMBER=$((40+2)); echo shown-$SECRET_NUMBER\r");
	await shown(first, "shown-42");
	first.ws.terminate();
	const second = await bed.connect();
	open(second);
	expect((await second.next("terminal:opened")).data.scrollback).toContain("shown-42");
	type(second, "echo still-$SECRET_NUMBER\r");
	await shown(second, "still-42");
});

test("[WS226] two pages see the same terminal", async () => {
	const [a, b] = [await bed.connect(), await bed.connect()];
	open(a);
	open(b);
	await a.next("terminal:opened");
	await b.next("terminal:opened");
	type(a, "echo both-$((1+1))\r");
	await Promise.all([shown(a, "both-2"), shown(b, "both-2")]);
});

test("[SE142] deleting a conversation ends its terminal and what runs in it", async () => {
	const id = await bed.begin();
	const socket = await bed.connect();
	open(socket, { conversationId: id });
	await socket.next("terminal:opened");
	type(socket, "PS1=; (trap '' HUP; exec sleep 1000) & echo job-$!-runs\r");
	const job = Number(/job-(\d+)-runs/.exec(await shown(socket, "-runs\r\n"))?.[1]);
	expect((await bed.api(`/api/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
	expect((await socket.next("terminal:exit")).data).toMatchObject({ terminalId: "t1" });
	await expect.poll(() => existsSync(`/proc/${job}`), { timeout: 10_000 }).toBe(false);
});

test("[WS40] a terminal outside the roots is refused, and one inside does not know our secrets", async () => {
	await bed.close();
	const env = { PATH: process.env.PATH, HOME: "/nonexistent", SHELL: "/bin/bash", TELEGRAM_BOT_TOKEN: "123:secret-of-ours" };
	bed = await createWebBed({ deps: { env } });
	const socket = await bed.connect();
	open(socket, { cwd: "/etc" });
	expect((await socket.next("error")).data).toMatchObject({ code: "forbidden" });
	open(socket);
	await socket.next("terminal:opened");
	type(socket, "env; echo env-$((1+1))\r");
	expect(await shown(socket, "env-2")).not.toContain("secret-of-ours");
});
