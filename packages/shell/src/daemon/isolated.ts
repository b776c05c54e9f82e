/** What fails here, for instance because the disk refuses, costs itself and nothing else: everybody's commands run in this process. */
export function isolated(what: string, work: () => void): void {
	try {
		work();
	} catch (error) {
		report(what, error);
	}
}

/** The same for work that takes time. Never rejects. */
export async function isolatedAsync(what: string, work: () => Promise<unknown>): Promise<void> {
	try {
		await work();
	} catch (error) {
		report(what, error);
	}
}

function report(what: string, error: unknown): void {
	process.stderr.write(`${what} failed: ${error instanceof Error ? error.message : String(error)}\n`);
}
