import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Admission } from "../http/access-guard.ts";

/** Answers an upgrade in plain HTTP and ends the connection: no 101, no handler, nothing kept. */
export function refuseUpgrade(raw: Duplex, reason: Admission | number) {
	const status = typeof reason === "number" ? reason : reason.ok ? 401 : reason.problem.status;
	const body = typeof reason === "number" || reason.ok ? "" : JSON.stringify(reason.problem.body);
	const lines = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
		"Connection: close",
		"Cache-Control: no-store",
		"Content-Type: application/json; charset=utf-8",
		`Content-Length: ${Buffer.byteLength(body)}`,
	];
	if (typeof reason !== "number" && !reason.ok && reason.retryAfter !== undefined) lines.push(`Retry-After: ${reason.retryAfter}`);
	raw.once("finish", () => raw.destroy());
	raw.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
