/** There is no room for more contents: the disk is full, or what this server may keep is used up. */
export class StoreFullError extends Error {
	readonly code = "store-full";
}
