import { errors } from "@nats-io/transport-node";
import { AppError } from "../../core/kernel/errors.ts";

/** Why there is no connection, as one sentence that says what to do. */
export function linkError(error: unknown, url: string): AppError {
	if (error instanceof AppError) return error;
	const detail = detailOf(error);
	if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError) {
		return refused("credentials", "NATS refuses the credentials. Check RIGHTSEAT_FLEET_CREDS.", { url }, error);
	}
	if (/^(?:ENOENT|EACCES|EISDIR)/.test(detail)) {
		return refused(
			"files",
			`A file for NATS cannot be read (${detail}). Check RIGHTSEAT_FLEET_CREDS and RIGHTSEAT_FLEET_CA.`,
			{ detail },
			error,
		);
	}
	if (/does not support 'tls'/.test(detail)) {
		return refused("no-tls", `NATS at ${url} does not offer TLS, and another machine is not spoken to without it.`, { url }, error);
	}
	if (/certificate|self.signed|unable to verify|ERR_TLS/i.test(detail)) {
		const message = `The certificate of NATS at ${url} is not trusted (${detail}). Name its authority with RIGHTSEAT_FLEET_CA.`;
		return refused("untrusted", message, { url, detail }, error);
	}
	return new AppError("fleet-not-connected", `NATS at ${url} cannot be reached (${detail}). Work on this host goes on.`, {
		cause: error,
		retryable: true,
		params: { reason: "address", url, detail },
	});
}

/** The innermost words: the client wraps what the socket said. */
function detailOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error).slice(0, 200);
	const inner: unknown = error.cause;
	const words = error.message.slice(0, 200);
	return inner instanceof Error && inner.message !== "" && !words.includes(inner.message)
		? `${words}: ${inner.message.slice(0, 200)}`
		: words;
}

const refused = (reason: string, message: string, params: Record<string, string>, cause: unknown) =>
	new AppError("fleet-refused", message, { cause, params: { reason, ...params } });
