/** Matches the start of a formula, also in the full-width form of Japanese input; a negative number does not match. */
const FORMULA = /^[=+@\t\r＝＋－＠]|^-(?!\d{1,30}(?:\.\d{1,30})?$)/
/**
 * Matches the start of a formula behind a sign that may end a cell: in a spreadsheet of another country, or on pasting.
 */
const INNER_FORMULA = /([;,\t\r\n]["' ]{0,9})(?=[=+@＝＋－＠]|-(?!\d{1,30}(?:\.\d{1,30})?(?:[\s;,\]}"']|$)))/g

/** Returns a cell with an apostrophe before what a spreadsheet would run as a formula at its start. */
export const defuseStart = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/**
 * Returns a cell with an apostrophe before what a spreadsheet would run as a formula, at its start and wherever it
 * might be split (CSV injection).
 */
export const defuseText = (text: string): string => defuseStart(text.replace(INNER_FORMULA, "$1'"))
