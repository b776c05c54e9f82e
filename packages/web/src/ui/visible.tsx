import { visiblePieces } from "@rightseat/protocol/visible-command";
import { useMemo } from "react";

/** Text of a command, path or argument, nothing hidden in it; what was spelled out is told from what looks like it by its colour. */
export function Visible({ text }: { text: string }) {
	const pieces = useMemo(() => visiblePieces(text), [text]);
	return pieces.map((piece, index) =>
		piece.hidden ? (
			// biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text.
			<span key={index} className="hidden-chars">
				{piece.text}
			</span>
		) : (
			piece.text
		),
	);
}
