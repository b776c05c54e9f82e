/** What is here at once, or comes later. Whoever asks this host alone never waits. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value: at once if it is here, so that what follows in the same tick stays in order. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => R): Awaitable<R> {
	return value instanceof Promise ? value.then(next) : next(value);
}
