import { memo, useMemo, useState } from "react";
import { type Block, createMarkdownStream } from "./markdown-stream.ts";
import { createParser } from "./parser.ts";
import { renderTokens } from "./render-tokens.tsx";

/** Building a parser takes longer than reading most messages; it keeps nothing between texts. */
const parser = createParser();

/** From here on, blocks out of view are not laid out: a long answer would cost more with every word. */
const LONG_BLOCKS = 30;

/** Text as people write it. While it grows only the last block is drawn again. */
export const Markdown = memo(function Markdown({ text, growing = false }: { text: string; growing?: boolean }) {
	const [stream] = useState(() => createMarkdownStream(parser));
	const blocks = useMemo(() => stream.update(text, !growing), [stream, text, growing]);
	return (
		<div className={blocks.length > LONG_BLOCKS ? "md md-long" : "md"}>
			{blocks.map((block) => (
				<BlockView key={block.key} block={block} />
			))}
		</div>
	);
});

const BlockView = memo(function BlockView({ block }: { block: Block }) {
	return <>{renderTokens(block.tokens, block.open)}</>;
});
