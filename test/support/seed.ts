/**
 * The seed of property tests that play a whole core: the same cases in every run, so that a red run means a change and not luck.
 * `RIGHTSEAT_SEED=7 npx vitest run --project unit FILE` plays others.
 */
export const SEED = Number(process.env.RIGHTSEAT_SEED ?? 1);
