import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createScriptedShell } from "../../support/scripted-shell.ts";
import { describeShellContract, type ScriptedExec } from "../../support/shell-contract-harness.ts";
import { openShellBed } from "./shell-harness.ts";

const conversationOf = ({ conversation }: ScriptedExec) =>
	conversation === undefined ? {} : { conversationId: conversationId(conversation) };

describeShellContract("the real shell", async () => {
	const bed = await openShellBed();
	return {
		shell: bed.shell,
		work: bed.work,
		exec(request) {
			const end = request.exitCode === undefined ? "sleep 100000" : `exit ${request.exitCode}`;
			const command = `echo ${request.text}; ${end}`;
			return bed.shell.exec({ ...conversationOf(request), command, defaultCwd: bed.work, onOutput: request.onOutput ?? (() => undefined) });
		},
		async startJob(conversation) {
			const options = { conversation: conversationId(conversation) };
			const { text } = await bed.call("Bash", { command: "sleep 100000", run_in_background: true }, options);
			return /bash_\d+/.exec(text)?.[0] ?? "";
		},
		close: bed.close,
	};
});

describeShellContract("the scripted shell", async () => {
	const shell = createScriptedShell();
	const work = "/work";
	let jobs = 0;
	return {
		shell,
		work,
		exec(request) {
			const where = conversationOf(request);
			const handle = shell.exec({ ...where, command: "x", defaultCwd: work, onOutput: request.onOutput ?? (() => undefined) });
			const command = shell.commands.at(-1);
			// Like every shell it says nothing before the caller has the handle.
			queueMicrotask(() => {
				command?.output(`${request.text}\n`);
				if (request.exitCode !== undefined) command?.finish({ exitCode: request.exitCode });
			});
			return handle;
		},
		async startJob(conversation) {
			const bashId = `bash_${++jobs}`;
			shell.job({ bashId, conversationId: conversation, command: "x", status: "running", startedAt: new Date().toISOString() });
			return bashId;
		},
		close: shell.close,
	};
});
