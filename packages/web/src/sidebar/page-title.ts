/** The tab says which conversation it shows and how much waits for the reader, as the server counts it. */
export function pageTitle(options: { title: string | undefined; waiting: number }): string {
	const name = options.title === undefined || options.title === "" ? "Rightseat" : `${options.title} · Rightseat`;
	return options.waiting > 0 ? `(${options.waiting}) ${name}` : name;
}
