import type { Mutant } from "./mutant.ts";

const WEB = "packages/server/src/channels/web";
const WS = `${WEB}/ws`;
const CONNECTION = `${WS}/connection.test.ts`;
const PAGE = "packages/web/src/app/create-page.test.ts";

export const CHANNEL_MUTANTS: Mutant[] = [
	{
		name: "the page does not listen to visibilitychange",
		file: "packages/web/src/app/create-page.ts",
		search: 'document.addEventListener("visibilitychange", controller.visibilityChanged);',
		replace: "",
		tests: [PAGE],
	},
	{
		name: "the page never sends copilot:status",
		file: "packages/web/src/state/controller.ts",
		search: 'send({ type: "copilot:status" });',
		replace: "",
		tests: [PAGE],
	},
	{
		name: "nothing is cleaned up after the 180 s close",
		file: `${WS}/connection.ts`,
		search: "		cleanUp();\n		socket.close(code, reason);",
		replace: "		socket.close(code, reason);",
		tests: [CONNECTION],
	},
	{
		name: "outbound frames restart the 180 s clock",
		file: `${WS}/connection.ts`,
		search: "sendText: (text) => outbound.send(text)",
		replace: "sendText: (text) => (heartbeat.restart(), outbound.send(text))",
		tests: [CONNECTION],
	},
	{
		name: "frames do not restart the 180 s clock",
		file: `${WS}/connection.ts`,
		search: "		heartbeat.restart();\n",
		replace: "",
		tests: [CONNECTION],
	},
	{
		name: "a silent connection is kept",
		file: `${WS}/heartbeat.ts`,
		search: "if (left <= 0) deps.onSilence();",
		replace: "if (left < -1e12) deps.onSilence();",
		tests: [`${WS}/heartbeat.test.ts`],
	},
	{
		name: "a reader that takes nothing is never given up",
		file: `${WS}/outbound.ts`,
		search: "if (socket.bufferedAmount - delivering > HARD_LIMIT_BYTES) giveUp();",
		replace: "",
		tests: [`${WS}/outbound.test.ts`],
	},
	{
		name: "any Host is ours",
		file: `${WEB}/http/gate.ts`,
		search: "if (publicOrigins.some((origin) => new URL(origin).host === host.text)) return true;",
		replace: "return true;",
		tests: [`${WEB}/http/gate.test.ts`],
	},
	{
		name: "a literal address is ours wherever it points",
		file: `${WEB}/http/gate.ts`,
		search: "isIP(unbracket(host.name)) !== 0 && unbracket(host.name) === plainAddress(request.localAddress)",
		replace: "isIP(unbracket(host.name)) !== 0",
		tests: [`${WEB}/http/gate.test.ts`],
	},
	{
		name: "an upload keeps a dangerous name on disk",
		file: "packages/server/src/services/attachments/attachment-file.ts",
		search: 'name.replace(/[^\\p{L}\\p{N}\\p{M} ._()+@-]+/gu, "_")',
		replace: "name",
		tests: ["packages/server/src/services/attachments/attachment-file.test.ts"],
	},
	{
		name: "a picture without an ending is no picture",
		file: "packages/server/src/services/attachments/attachment-file.ts",
		search: '? ending : (fitting[0] ?? "");',
		replace: "? ending : ending;",
		tests: ["packages/server/src/services/attachments/attachment-file.test.ts"],
	},
	{
		name: "what looks like a picture is typed by its name",
		file: "packages/server/src/services/attachments/sniff-type.ts",
		search: 'if (startsWith(head, [0xff, 0xd8, 0xff])) return "image/jpeg";',
		replace: "",
		tests: ["packages/server/src/services/attachments/sniff-type.test.ts"],
	},
];
