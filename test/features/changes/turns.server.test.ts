import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createGate, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { type ChangesBed, type Detail, startChangesBed } from "./changes-harness.ts";

let bed: ChangesBed;
let id: string;
beforeAll(async () => {
	bed = await startChangesBed();
}, 120_000);
beforeEach(async () => {
	id = await bed.begin();
});
afterAll(() => bed.close());

const bash = (command: string, more: object = {}) => [toolCall("Bash", { command, ...more })];
const put = (name: string, content: string) => writeFileSync(join(bed.work, name), content);
const filesOf = ({ files }: Detail) => files.map(({ path, status, by }) => [path, status, by]).sort();

test("[CG100] edits by sed, rm and mv in a command of the agent are in the turn's change, told before idle, and undo gives every byte back", async () => {
	put("sed.txt", "one\ntwo\n");
	put("gone.txt", "bye\n");
	put("old name.txt", "kept\n");
	const { messageId, frames } = await bed.turn(
		id,
		bash("sed -i s/two/2/ sed.txt && rm gone.txt && mv 'old name.txt' new.txt && echo x > made.txt && chmod 755 made.txt"),
	);
	const types = frames.map(({ type }) => type);
	expect(types.filter((type) => type === "copilot:changes")).toHaveLength(1);
	expect(types.indexOf("copilot:changes")).toBeLessThan(types.indexOf("copilot:idle"));
	const detail = await bed.get(id, messageId);
	expect(filesOf(detail)).toEqual([
		["gone.txt", "deleted", "agent-shell"],
		["made.txt", "added", "agent-shell"],
		["new.txt", "renamed", "agent-shell"],
		["sed.txt", "modified", "agent-shell"],
	]);
	expect(detail.change).toMatchObject({ kind: "turn", messageId, undone: false });
	const [answer] = frames.filter((frame) => frame.type === "copilot:changes");
	expect(answer?.data).toMatchObject({ changeId: messageId, files: 4 });
	const { files, changeId } = await bed.undo(id, messageId);
	expect(files.every(({ result }) => result === "restored")).toBe(true);
	expect(["sed.txt", "gone.txt", "old name.txt", "new.txt", "made.txt"].map(bed.read)).toEqual([
		...["one\ntwo\n", "bye\n", "kept\n"],
		...[undefined, undefined],
	]);
	const stored = await (await bed.server.api(`/api/conversations/${id}/messages/${messageId}`)).json();
	expect(stored.message.metadata.changes).toMatchObject({ changeId: messageId, undone: true });
	expect((await bed.list(id)).map(({ id: change, kind, undone }) => [change, kind, undone])).toEqual([
		[changeId, "undo", false],
		[messageId, "turn", true],
	]);
	const redone = await bed.undo(id, changeId ?? "");
	expect(["sed.txt", "gone.txt", "new.txt", "made.txt"].map(bed.read)).toEqual(["one\n2\n", undefined, "kept\n", "x\n"]);
	await bed.undo(id, messageId);
	expect(bed.read("sed.txt")).toBe("one\ntwo\n");
	await bed.undo(id, messageId, {}, "redo");
	expect(bed.read("sed.txt")).toBe("one\n2\n");
	expect(redone.changeId).toBeDefined();
});

test("[CG101] an edit tool's file is the agent's own, and the next prompt tells what was undone, once", async () => {
	const path = join(bed.work, "edited.txt");
	put("edited.txt", "alpha\nbeta\n");
	const edit = [toolCall("edit", { path, old_str: "beta", new_str: "BETA" })];
	const { messageId } = await bed.turn(id, edit, [toolCall("create", { path: join(bed.work, "created.txt"), file_text: "new\n" })]);
	expect([bed.read("edited.txt"), bed.read("created.txt")]).toEqual(["alpha\nBETA\n", "new\n"]);
	expect(filesOf(await bed.get(id, messageId))).toEqual([
		["created.txt", "added", "agent"],
		["edited.txt", "modified", "agent"],
	]);
	const diff = await (await bed.server.api(`/api/conversations/${id}/changes/${messageId}/diff?path=edited.txt`)).text();
	expect(diff).toContain("-beta\n+BETA\n");
	await bed.undo(id, messageId, { paths: ["edited.txt"] });
	expect([bed.read("edited.txt"), bed.read("created.txt")]).toEqual(["alpha\nbeta\n", "new\n"]);
	const before = bed.model.requests.length;
	await bed.turn(id);
	expect(JSON.stringify(bed.model.requests[before]?.body.messages.at(-1))).toContain("The user has undone changes");
	await bed.turn(id);
	expect(JSON.stringify(bed.model.requests.at(-1)?.body.messages.at(-1))).not.toContain("The user has undone changes");
});

test("[CG102] a person's command has a change of its own on its message, and a turn that changed nothing has none", async () => {
	const { frames } = await bed.turn(id, bash("ls"));
	expect(frames.map(({ type }) => type)).not.toContain("copilot:changes");
	const execId = await bed.exec(id, "echo mine > mine.txt");
	expect(filesOf(await bed.get(id, execId))).toEqual([["mine.txt", "added", "person"]]);
	const { messages } = await (await bed.server.api(`/api/conversations/${id}/messages`)).json();
	expect(messages.at(-1)).toMatchObject({ id: execId, metadata: { bash: true, changes: { changeId: execId, files: 1 } } });
	expect((await bed.list(id)).map(({ kind, label }) => [kind, label])).toEqual([["command", "echo mine > mine.txt"]]);
});

test("[CG103] what somebody else does during a turn is listed as outside, and undo leaves it alone unless it is named", async () => {
	put("theirs.txt", "a\n");
	const held = createGate();
	const ws = await bed.watch(id);
	const from = ws.frames.length;
	const turn = bed.turn(id, bash("echo agent > agents.txt"), [waitFor(held)]);
	await ws.waitFor("copilot:tool_end", undefined, { from });
	await ws.roundTrip();
	put("theirs.txt", "b\n");
	held.open();
	const { messageId } = await turn;
	expect(filesOf(await bed.get(id, messageId))).toEqual([
		["agents.txt", "added", "agent-shell"],
		["theirs.txt", "modified", "outside"],
	]);
	await bed.undo(id, messageId);
	expect([bed.read("agents.txt"), bed.read("theirs.txt")]).toEqual([undefined, "b\n"]);
	await bed.undo(id, messageId, { paths: ["theirs.txt"] });
	expect(bed.read("theirs.txt")).toBe("a\n");
});

test("[CG104] a job that writes after its turn has a change of its own, told when it ends", async () => {
	const ws = await bed.watch(id);
	const command = "until [ -e go ]; do sleep 0.05; done; echo late > late.txt";
	const { messageId } = await bed.turn(id, bash(command, { run_in_background: true }));
	put("go", "");
	const from = ws.frames.length;
	const { data } = await ws.waitFor("copilot:changes", undefined, { from });
	expect(data).toMatchObject({ kind: "command" });
	expect(data.messageId).toBeUndefined();
	const detail = await bed.get(id, data.changeId);
	expect(filesOf(detail)).toContainEqual(["late.txt", "added", "agent-shell"]);
	expect((await bed.list(id)).some((change) => change.id === messageId)).toBe(false);
});

test("[CG105] two conversations in one folder: undo of one leaves the other's lines; same lines are skipped with a reason", async () => {
	put("shared.txt", Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join(""));
	const other = await bed.begin();
	const first = await bed.turn(id, bash("sed -i '2s/.*/FIRST/' shared.txt"));
	const second = await bed.turn(other, bash("sed -i '18s/.*/SECOND/' shared.txt"));
	const preview = await bed.undo(id, first.messageId, { preview: true });
	expect(preview).toEqual({ files: [{ path: "shared.txt", result: "merged" }] });
	expect(bed.read("shared.txt")).toContain("FIRST");
	await bed.undo(id, first.messageId);
	expect(bed.read("shared.txt")).not.toContain("FIRST");
	expect(bed.read("shared.txt")).toContain("SECOND");
	await bed.exec(other, "sed -i '18s/.*/THIRD/' shared.txt");
	const skipped = await bed.undo(other, second.messageId);
	expect(skipped).toEqual({ files: [{ path: "shared.txt", result: "skipped", reason: "same-lines" }] });
	expect(bed.read("shared.txt")).toContain("THIRD");
	expect((await bed.server.api(`/api/conversations/${other}/changes/${first.messageId}`)).status).toBe(404);
});

test("[CG106] several turns, and everything of the conversation, are taken back at once", async () => {
	put("both.txt", "0\n");
	const first = await bed.turn(id, bash("echo 1 > both.txt; echo 1 > one.txt"));
	const second = await bed.turn(id, bash("echo 2 > both.txt; echo 2 > two.txt"));
	const whole = await bed.get(id, "conversation");
	expect(whole.change).toMatchObject({ id: "conversation", kind: "conversation" });
	expect(filesOf(whole).map(([path]) => path)).toEqual(["both.txt", "one.txt", "two.txt"]);
	const response = await bed.server.api(`/api/conversations/${id}/changes/undo`, {
		method: "POST",
		json: { changeIds: [first.messageId, second.messageId] },
	});
	expect(response.status).toBe(200);
	expect(["both.txt", "one.txt", "two.txt"].map(bed.read)).toEqual(["0\n", undefined, undefined]);
});

test("[CG107] a path that climbs out is not found, whatever its spelling, and nothing outside is read or written", async () => {
	const { messageId } = await bed.turn(id, bash("echo in > inside.txt"));
	const secret = join(bed.server.home, "token");
	const at = `/api/conversations/${id}/changes/${messageId}`;
	for (const path of [secret, `../${secret}`, "../../../../etc/passwd", "..", "./inside.txt/../../x", "inside.txt\u0000", "%2e%2e/x"]) {
		for (const route of ["diff", "hunks", "content"]) {
			const answer = await bed.server.api(`${at}/${route}?path=${encodeURIComponent(path)}`);
			expect([400, 404], `${route} ${path}`).toContain(answer.status);
			expect(await answer.text()).not.toContain(bed.server.token);
		}
		const undone = await bed.server.api(`${at}/undo`, { method: "POST", json: { paths: [path] } });
		if (undone.ok) expect((await undone.json()).files.filter(({ result }: { result: string }) => result !== "skipped")).toEqual([]);
		else expect([400, 404]).toContain(undone.status);
	}
	expect(bed.read("inside.txt")).toBe("in\n");
});

test("[CG108] an ACP agent's own shell and its edits are recorded like everybody's", async () => {
	const scripted = await bed.begin({ agent: "scripted" });
	put("note.txt", "before\n");
	await bed.say(scripted, `run echo own > own.txt\nedit ${join(bed.work, "note.txt")} after\nsay Done.`);
	const [change] = await bed.list(scripted);
	const detail = await bed.get(scripted, change?.id ?? "");
	expect(detail.files.map(({ path }) => path).sort()).toEqual(["note.txt", "own.txt"]);
	expect(detail.files.find(({ path }) => path === "own.txt")?.by).toBe("agent-shell");
	expect(detail.files.find(({ path }) => path === "note.txt")?.by).toBe("agent");
	await bed.undo(scripted, change?.id ?? "");
	expect([bed.read("own.txt"), bed.read("note.txt")]).toEqual([undefined, "before\n"]);
});

test("[CG109] a deleted conversation's changes are gone", async () => {
	const { messageId } = await bed.turn(id, bash("echo x > deleted.txt"));
	expect((await bed.server.api(`/api/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
	expect((await bed.server.api(`/api/conversations/${id}/changes/${messageId}`)).status).toBe(404);
	expect(bed.read("deleted.txt")).toBe("x\n");
});
