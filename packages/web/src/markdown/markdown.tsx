import { memo, useMemo, useState } from "react";
import { type Block, createMarkdownStream } from "./markdown-stream.ts";
import { parser } from "./parser.ts";
import { renderTokens } from "./render-tokens.tsx";

/** Blocks stand in parts of this many: a part out of view is neither laid out nor compared, and a browser watches few of them. */
const PART_BLOCKS = 16;

/** Text as people write it. While it grows only the last block is drawn again. */
export const Markdown = memo(function Markdown({ text, growing = false }: { text: string; growing?: boolean }) {
	const [stream] = useState(() => createMarkdownStream(parser));
	const blocks = useMemo(() => stream.update(text, !growing), [stream, text, growing]);
	const parts = Math.ceil(blocks.length / PART_BLOCKS);
	return (
		<div className={parts > 1 ? "md md-long" : "md"}>
			{Array.from({ length: parts }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text.
				<PartView key={index} blocks={blocks.slice(index * PART_BLOCKS, (index + 1) * PART_BLOCKS)} />
			))}
		</div>
	);
});

const PartView = memo(
	function PartView({ blocks }: { blocks: readonly Block[] }) {
		return (
			<div className="md-part">
				{blocks.map((block) => (
					<BlockView key={block.key} block={block} />
				))}
			</div>
		);
	},
	(a, b) => a.blocks.length === b.blocks.length && a.blocks.every((block, index) => block === b.blocks[index]),
);

const BlockView = memo(function BlockView({ block }: { block: Block }) {
	return <>{renderTokens(block.tokens, block.open)}</>;
});
