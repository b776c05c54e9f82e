import { useWords } from "../i18n/use-words.tsx";
import type { ReviewScope } from "../state/review.ts";
import { reviewApi } from "./review-api.ts";
import { reviewWords } from "./review-messages.ts";
import type { ShownFile } from "./shown.ts";

/** A picture as it was and as it is. */
export function PicturePair({ conversationId, scope, file }: { conversationId: string; scope: ReviewScope; file: ShownFile }) {
	const t = useWords(reviewWords);
	const sides = (["before", "after"] as const).filter((side) => file.status !== (side === "before" ? "added" : "deleted"));
	return (
		<div className="rv-pictures">
			{sides.map((side) => (
				<figure key={side}>
					<img
						src={reviewApi.contentUrl(conversationId, scope, side === "before" ? (file.oldPath ?? file.path) : file.path, side)}
						alt={`${t(side)}: ${file.path}`}
						loading="lazy"
					/>
					<figcaption>{t(side)}</figcaption>
				</figure>
			))}
		</div>
	);
}
