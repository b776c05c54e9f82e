/** What is to be stored in one commit with the next event that is appended. */
export interface Along {
	/** Within the work of another one both go with the same event. */
	together<T>(write: () => void, work: () => T): { result: T; isWritten: boolean };
	/** For the event that is appended now. */
	take(): (() => void) | undefined;
}

/** Nothing is, until `together` is called. */
export function createAlong(): Along {
	let next: (() => void) | undefined;
	return {
		together(write, work) {
			const outer = next;
			next = () => {
				outer?.();
				write();
			};
			try {
				const result = work();
				return { result, isWritten: next === undefined };
			} finally {
				if (next !== undefined) next = outer;
			}
		},
		take() {
			const taken = next;
			next = undefined;
			return taken;
		},
	};
}
