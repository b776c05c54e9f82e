/** One way to break the product, and the tests that must notice. */
export interface Mutant {
	name: string;
	/** Path from the root. */
	file: string;
	/** Occurs exactly once in the file. */
	search: string;
	replace: string;
	/** At least one of these must fail. */
	tests: readonly string[];
	/** Of a long file only the tests of this rule are run. */
	rule?: string;
}
