/**
 * Figures of rules that sentences contain too. Modules and the catalogue both take them from here, so that no sentence
 * shows an old figure; `src/contract/rule-figures.test.ts` compares the pages.
 */
export const INVITE_HOURS = 24

/** A mailed link shows the passwords of an account at a terminal within this time, once. */
export const PASSWORD_LINK_HOURS = 24

/** A colleague's own changes may be vouched for within this time; after it, the account counts as independent. */
export const ALONE_HOURS = 72

/** A colleague who brought a client money, or lifted a block, cannot release it alone within this time. */
export const INVOLVED_DAYS = 30

/** A deleted client can be restored within this time. */
export const RESTORE_DAYS = 30

/** A client has at most this many segments, and as many tags. */
export const MOST_LABELS = 50

/** A colleague who merged two clients approves nothing of the remaining client within this time. */
export const MERGED_HOURS = 72

/** An approval of a withdrawal expires after this time if the other approvals have not come by then. */
export const APPROVAL_HOURS = 72

/** What one person requested or approved for a client within these hours is added up. */
export const SUM_HOURS = 24

/** An approved withdrawal must be paid within these days, or be approved again. */
export const PAY_WITHIN_DAYS = 7

/** From this amount on two people decide, in whole units of the firm's currency, until the owner sets another one. */
export const DEFAULT_THRESHOLD = 10_000

/** Money may go out from this KYC level on, until the owner sets another level. */
export const DEFAULT_KYC_LEVEL = 1

/** The size of the largest upload, in MiB. */
export const MAX_FILE_MIB = 15

/** A closed ticket can be reopened within this time. */
export const REOPEN_DAYS = 14

/** Events are kept for this time. */
export const EVENT_DAYS = 30

/** A webhook without a success for this time is switched off. */
export const FAILING_DAYS = 5

/** The mistakes of an import can be read for this time. */
export const IMPORT_DAYS = 30
