/** Endings that make a word the name of a file; others are too often something else, such as `console.log`. */
const ENDINGS =
	"ts|tsx|mts|js|jsx|mjs|cjs|json|md|py|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|swift|sh|css|scss|html|vue|svelte|yml|yaml|toml|ini|cfg|txt|sql|xml|svg|png|jpg|lock";
const NAME = new RegExp(`^(?:[\\w@+.-]*/)*[\\w@+.-]*\\.(?:${ENDINGS})(?::\\d+){0,2}$`);
const PATH = /^(?:\.{0,2}\/)?(?:[\w@+.-]+\/)+[\w@+-][\w@+.-]*\.\w{1,8}(?::\d+){0,2}$/;
const MAX_CHARS = 300;

/** Whether code in a text is the path of a file. */
export const namesFile = (text: string): boolean => text.length <= MAX_CHARS && (NAME.test(text) || PATH.test(text));

/** A path that the agent names; pressing it is heard by whoever shows files. */
export function FileName({ path }: { path: string }) {
	return (
		<button type="button" className="md-path" data-path={path}>
			<code>{path}</code>
		</button>
	);
}
