import { createServer } from "node:http";

/** A transcription service that hears what it is told: the next text, an error with its status, or never an answer. */
export interface Transcriber {
	readonly url: string;
	readonly requests: { body: string; authorization: string | undefined }[];
	/** How the next voice is answered; undefined holds it for ever. */
	reply: { status: number; text?: string } | undefined;
	close(): void;
}

export async function startTranscriber(...replies: Transcriber["reply"][]): Promise<Transcriber> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			transcriber.requests.push({ body: Buffer.concat(chunks).toString("latin1"), authorization: request.headers.authorization });
			const reply = replies.length > 1 ? replies.shift() : replies[0];
			if (reply === undefined) return;
			response.statusCode = reply.status;
			response.end(JSON.stringify({ text: reply.text ?? "" }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const transcriber: Transcriber = {
		url: `http://127.0.0.1:${port}/v1`,
		requests: [],
		get reply() {
			return replies[0];
		},
		set reply(reply) {
			replies = [reply];
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return transcriber;
}
