/** The tab says which conversation it shows and how many others ask something of the reader. */
export function pageTitle(options: { title: string | undefined; asking: number }): string {
	const name = options.title === undefined || options.title === "" ? "Rightseat" : `${options.title} · Rightseat`;
	return options.asking > 0 ? `(${options.asking}) ${name}` : name;
}
