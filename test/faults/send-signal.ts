/** A fault that hits nothing proves nothing: without a process it throws. */
export function sendSignal(pids: number[], name: NodeJS.Signals): void {
	if (pids.length === 0) throw new Error(`There is no process to send ${name} to.`);
	for (const pid of pids) {
		try {
			process.kill(pid, name);
		} catch (error) {
			// It ended between the look and the signal.
			if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
		}
	}
}
