/**
 * Figures of rules that sentences tell too. Modules and the catalogue both take them from here, so that a sentence
 * cannot say an old one; `src/contract/rule-figures.test.ts` compares the pages.
 */
export const INVITE_HOURS = 24

/** For so long what a colleague did for themselves may be vouched for; then it counts as theirs alone. */
export const ALONE_HOURS = 72

/** For so long somebody who brought a client money, or lifted a block, does not let it out alone. */
export const INVOLVED_DAYS = 30

/** For so long a deleted client can be restored. */
export const RESTORE_DAYS = 30

/** Segments and tags that a client has at most, of each. */
export const MOST_LABELS = 50

/** For so long whoever merged two clients approves nothing of the one that is left. */
export const MERGED_HOURS = 72

/** For so long a vote on a withdrawal counts. */
export const APPROVAL_HOURS = 72

/** What one person asked for or approved for a client within these hours counts together. */
export const SUM_HOURS = 24

/** An approved withdrawal is paid within these days, or approved again. */
export const PAY_WITHIN_DAYS = 7

/** The largest upload, in MiB. */
export const MAX_FILE_MIB = 15

/** For so long a closed ticket can be opened again. */
export const REOPEN_DAYS = 14

/** For so long events are kept. */
export const EVENT_DAYS = 30

/** A webhook without a success for so long is switched off. */
export const FAILING_DAYS = 5

/** For so long the mistakes of an import can be read. */
export const IMPORT_DAYS = 30
