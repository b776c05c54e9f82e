/** A test of a case: its file, how its name begins, and, of a test with several rows, which of them. */
export interface CaseTest {
	file: string;
	name: string;
	row?: string;
}

/** One case of a written list: what happens, what becomes of it, and the tests that play it. */
export interface ProofCase {
	number: number;
	what: string;
	outcome: string;
	tests: readonly CaseTest[];
}

/** The rules that a case's tests begin with. */
export const rulesOf = ({ tests }: ProofCase): string[] => [
	...new Set(tests.flatMap(({ name }) => /^\[([A-Z]{2}\d+)\]/.exec(name)?.[1] ?? [])),
];
