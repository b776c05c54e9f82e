import module from "node:module";

/** Keeps compiled code between starts where Node can (22.1 and later). */
export function enableCompileCache() {
	if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") module.enableCompileCache();
}
