import { expect, test } from "vitest";
import { readSources, withoutComments } from "./support/source-files.ts";

/** Where the server reaches out, and to what. A new line here is a new line in SECURITY.md, and in docs/what-leaves-the-machine.md. */
const PLACES: Readonly<Record<string, string>> = {
	"app/doctor/network.ts": "what `doctor` looks at: the model provider, Telegram, GitHub",
	"app/doctor/public.ts": "the public address, when `doctor` looks at it",
	"app/reach/ask-through.ts": "the address that `pair` tries",
	"channels/telegram/api/bot-line.ts": "Telegram",
	"channels/telegram/api/transcriber.ts": "the transcription service",
	"channels/web/push/web-push-sender.ts": "push services of subscribed browsers",
	"fleet/nats/connect-nats.ts": "the NATS servers of the fleet",
	"fleet/nats/fetch-authority.ts": "the NATS servers of the fleet",
	"runtime/copilot/mcp/server-login.ts": "127.0.0.1, where a sign-in ends",
	"runtime/copilot/session/models.ts": "the model provider",
};

const REACHING = [
	/\bfetch\(/,
	/\bnew WebSocket\(/,
	/import (?!type)\{[^}]*\b(?:request|get|Agent|connect|createConnection)\b[^}]*\} from "node:(?:https?|http2|net|tls)"/,
	/import (?!type)\{[^}]*\bcreateSocket\b[^}]*\} from "node:dgram"/,
	/import (?!type)[^;]*\b(?:connect|NatsConnectionImpl)\b[^;]* from "@nats-io\//,
	/from "(?:undici|axios|got|node-fetch)"/,
];

test("[SE410] the server opens connections to other machines only where the list says", () => {
	const found = readSources(["packages/server/src", "packages/shell/src", "packages/changes/src"])
		.filter(({ isTest, text }) => !isTest && REACHING.some((pattern) => pattern.test(withoutComments(text))))
		.map(({ path }) => path.replace("packages/server/src/", ""));
	expect(found.sort()).toEqual(Object.keys(PLACES).sort());
});
