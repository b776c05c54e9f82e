/** A call that Telegram would refuse, in its own words. */
export class Refusal extends Error {
	readonly code: number;
	readonly parameters: { retry_after?: number; migrate_to_chat_id?: number };
	constructor(code: number, description: string, parameters: { retry_after?: number; migrate_to_chat_id?: number } = {}) {
		super(description);
		this.code = code;
		this.parameters = parameters;
	}
}

export const badRequest = (text: string) => new Refusal(400, `Bad Request: ${text}`);
export const forbidden = (text: string) => new Refusal(403, `Forbidden: ${text}`);
export const tooMany = (seconds: number) => new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
