/** Which of the words says what a rule covers. */
export const coverageOf = ({ exact, writes }: { exact: boolean; writes: boolean }) =>
	exact ? (writes ? "writesExactly" : "exactly") : writes ? "writesAny" : "anyArguments";
