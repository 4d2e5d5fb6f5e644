/** A mutant that no test can notice: part of its line, and what it would become where not all of the line is meant. */
export type Skip = { file: string; code: string; after?: string; why: string }

/** Mutants that are the same program, or that change only how soon or how much at once the work is done. */
export const SKIPPED: readonly Skip[] = []
