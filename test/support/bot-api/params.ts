/** What a bot sent with one call: decoded from JSON or multipart, nothing trusted. */
export type Params = Record<string, unknown>;

export interface UploadedFile {
	field: string;
	filename: string;
	mimeType: string;
	bytes: Uint8Array;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

export const numberOf = (params: Params, name: string): number | undefined => {
	const value = params[name];
	if (typeof value === "number") return value;
	return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : undefined;
};

export const textOf = (params: Params, name: string): string | undefined => {
	const value = params[name];
	return typeof value === "string" ? value : undefined;
};

export const flagOf = (params: Params, name: string): boolean => params[name] === true || params[name] === "true";

export const recordOf = (params: Params, name: string): Record<string, unknown> | undefined => {
	const value = parsedIfText(params[name]);
	return isRecord(value) ? value : undefined;
};

export const listOf = (params: Params, name: string): unknown[] | undefined => {
	const value = parsedIfText(params[name]);
	return Array.isArray(value) ? value : undefined;
};

// Multipart carries nested values as JSON text.
function parsedIfText(value: unknown): unknown {
	if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
	return JSON.parse(value);
}
