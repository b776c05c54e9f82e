/**
 * Reads back JSON that this program wrote into its own database from a value of this type. The one place where JSON is believed: messages are read by the
 * thousand, and one whose metadata a newer rule would refuse must still be shown. Everything else that is JSON goes through a schema.
 */
export function readOwnJson<T>(text: string): T {
	return JSON.parse(text);
}
