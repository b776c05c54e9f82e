/** Every second of them, which half as `turn` says; all of them without one. */
export function takeTurns<T>(all: readonly T[], turn: string | undefined): readonly T[] {
	return turn === undefined ? all : all.filter((_, index) => index % 2 === Number(turn));
}
