/** A path, or a name with an ending that hardly anything else has: `console.log` is no file. */
const FILE =
	/^(?:(?:[\w@+.-]*\/)+[\w@+.-]*\.\w{1,8}|[\w@+.-]+\.(?:[cm]?[jt]sx?|json|md|py|rs|go|java|rb|sh|css|html|ya?ml|toml|txt|sql))(?::\d+){0,2}$/;

/** Whether code in a text is the path of a file. */
export const namesFile = (text: string): boolean => text.length < 300 && FILE.test(text);

/** A path that the agent names; pressing it is heard by whoever shows files. */
export function FileName({ path }: { path: string }) {
	return (
		<button type="button" className="md-path" data-path={path}>
			<code>{path}</code>
		</button>
	);
}
