/** The conversation that an address names. */
export const conversationOf = (path: string) => /^\/c\/([\w-]+)$/.exec(path)?.[1];
export const conversationPath = (id: string | undefined) => (id === undefined ? "/" : `/c/${encodeURIComponent(id)}`);
