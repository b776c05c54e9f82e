import { type CodedMessage, type SpokenLanguage, sayCoded } from "@rightseat/protocol/sentences/say-coded";
import { CliError, EXIT } from "../cli-error.ts";
import { wordsIn } from "../words.ts";
import { ProtocolError, RefusedError, UnreachableError } from "./api.ts";

/** What went wrong with a server, as a line for a person; anything else is given back as it is. */
export async function asCliError(error: unknown, url: string, language: SpokenLanguage): Promise<unknown> {
	const words = wordsIn(language);
	if (error instanceof UnreachableError) return new CliError(error.reason === "not-ours" ? words.notOurs(url) : words.notReached(url));
	if (error instanceof ProtocolError) return new CliError(error.newer === "server" ? words.olderClient(url) : words.olderServer(url));
	if (!(error instanceof RefusedError)) return error;
	if (error.status === 401) return new CliError(words.wrongToken(url));
	const said = await sayProblem({ code: error.code, message: error.message, params: error.params }, language);
	// What was named on the command line is refused before anything ran; a server that cannot is a failure.
	return new CliError(`${said} (${error.code})`, error.status >= 500 || error.status === 429 ? EXIT.failed : EXIT.usage);
}

/** A coded message in the person's language. The server's own sentences are English. */
export async function sayProblem(problem: CodedMessage, language: SpokenLanguage): Promise<string> {
	if (language === "en") return problem.message;
	const { errorSentences } = await import("@rightseat/protocol/sentences/error-sentences");
	return sayCoded(problem, language, errorSentences);
}
